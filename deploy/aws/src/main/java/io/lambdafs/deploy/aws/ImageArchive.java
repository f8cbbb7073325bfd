package io.lambdafs.deploy.aws;

import com.google.cloud.tools.jib.api.CacheDirectoryCreationException;
import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainer;
import com.google.cloud.tools.jib.api.RegistryException;
import com.google.cloud.tools.jib.api.RegistryImage;
import com.google.cloud.tools.jib.api.TarImage;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.disk.Folders;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A container image made by {@code lambdafs image}, which is pushed to a registry without Docker. Its tag is derived
 * from its content, so the same image is pushed once. Immutable.
 */
public record ImageArchive(Path file, String tag) {
    private static final int TAG_DIGITS = 12;

    /** Credentials for pushing. */
    public record Login(String user, String password) {
        @Override
        public String toString() {
            return "Login[" + user + "]";
        }
    }

    /**
     * Reads an archive.
     *
     * @throws FsException {@code INVALID_ARGUMENT} if it is unreadable
     */
    public static ImageArchive of(Path file) {
        try (InputStream bytes = Files.newInputStream(file);
                DigestInputStream digest = new DigestInputStream(bytes, MessageDigest.getInstance("SHA-256"))) {
            digest.transferTo(OutputStream.nullOutputStream());
            String hex = HexFormat.of().formatHex(digest.getMessageDigest().digest());
            return new ImageArchive(file, hex.substring(0, TAG_DIGITS));
        } catch (IOException e) {
            throw FsException.invalidArgument(
                    "cannot read the image " + file + ": " + e.getMessage() + "; lambdafs image --out FILE makes one",
                    e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Pushes the parts that the registry lacks; blocks until done.
     *
     * @param repository host and path
     * @param plain whether to accept a registry without TLS or with an untrusted certificate
     * @return its name with the digest
     * @throws FsException {@code UNAUTHENTICATED}, {@code UNAVAILABLE} or {@code INVALID_ARGUMENT} if the push fails
     */
    public String push(String repository, Login login, boolean plain) {
        @Nullable Path cache = null;
        try {
            cache = Files.createTempDirectory("lambdafs-image");
            JibContainer pushed = Jib.from(TarImage.at(file))
                    .containerize(Containerizer.to(RegistryImage.named(repository + ":" + tag)
                                    .addCredential(login.user(), login.password()))
                            .setBaseImageLayersCache(cache)
                            .setApplicationLayersCache(cache)
                            .setAllowInsecureRegistries(plain)
                            .setToolName("lambdafs"));
            return repository + "@" + pushed.getDigest();
        } catch (InvalidImageReferenceException e) {
            throw FsException.invalidArgument("no repository has the name " + repository, e);
        } catch (RegistryException | IOException | CacheDirectoryCreationException e) {
            throw failed(repository, e);
        } catch (ExecutionException e) {
            throw failed(repository, e.getCause() instanceof Exception cause ? cause : e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FsException(ErrorCode.INTERRUPTED, "interrupted while the image was pushed", e);
        } finally {
            remove(cache);
        }
    }

    private FsException failed(String repository, Exception e) {
        boolean refused = e.getClass().getSimpleName().equals("RegistryUnauthorizedException");
        return new FsException(
                refused ? ErrorCode.UNAUTHENTICATED : ErrorCode.UNAVAILABLE,
                "cannot push " + file + " to " + repository + ": " + e.getMessage()
                        + (refused ? "; give who runs the command the right to push there" : ""),
                e);
    }

    private static void remove(@Nullable Path folder) {
        if (folder == null) {
            return;
        }
        try {
            Folders.delete(folder);
        } catch (IOException left) {
            // The file is in the machine's temporary directory.
            folder.toFile().deleteOnExit();
        }
    }
}
