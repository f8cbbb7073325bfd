package io.lambdafs.client.sharing;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.auth.Secret;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The meeting place of processes that share connections: a directory private to their user, with a socket and a lock
 * for each cluster and credentials. The lock's holder listens on the socket; it is released with its process, while the
 * socket file may remain. Places are equal if their processes meet. Thread-safe; blocks on the file system.
 */
public final class SharingPlace {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");
    private static final int NAME_CHARS = 32;

    private final Path directory;
    private final String name;
    private final Secret credentials;

    private SharingPlace(Path directory, String name, Secret credentials) {
        this.directory = directory;
        this.name = name;
        this.credentials = credentials;
    }

    /** Returns the place of a client; null if it does not share. */
    public static @Nullable SharingPlace of(ClientConfig config) {
        if (!config.sharing().enabled() || !config.tcp().enabled()) {
            return null;
        }
        Secret secret = config.secret();
        String token = config.token();
        Secret credentials =
                secret != null ? secret : Secret.of(token != null ? "sharing by token " + token : "sharing insecurely");
        String who = config.gateway() + "\n" + config.namespace() + "\n" + config.actionPrefix() + "\n"
                + config.deployments() + "\n" + config.tcp() + "\n" + config.principal();
        String name = credentials.derive("sharing at " + who).substring(0, NAME_CHARS);
        return new SharingPlace(config.sharing().directory(), name, credentials);
    }

    Path socket() {
        return directory.resolve(name + ".socket");
    }

    /** Computes a proof over two nonces, which requires the same credentials. */
    public String proof(String role, String borrowersNonce, String lendersNonce) {
        return credentials.derive(
                "sharing as " + role + " at " + name + " after " + borrowersNonce + " " + lendersNonce);
    }

    /**
     * Creates the directory if missing and checks that it is private to this user.
     *
     * @throws FsException {@code PERMISSION_DENIED} if it is not, or cannot be created
     */
    public void open() {
        try {
            Path parent = directory.toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            try {
                Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(PRIVATE));
            } catch (FileAlreadyExistsException known) {
                demandPrivate();
            }
        } catch (IOException | UnsupportedOperationException e) {
            throw refusal("cannot be used: " + e);
        }
    }

    private void demandPrivate() throws IOException {
        PosixFileAttributes known =
                Files.readAttributes(directory, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!known.isDirectory()) {
            throw refusal("is no directory");
        }
        if (!known.permissions().equals(PRIVATE)) {
            throw refusal("is open to others (" + PosixFilePermissions.toString(known.permissions())
                    + "): remove it, or run chmod 700 on it");
        }
        // The owner of this process's files is known for sure only from one just created.
        Path own = Files.createTempFile(directory, name, ".tmp");
        try {
            if (!Files.getOwner(own).equals(known.owner())) {
                throw refusal("belongs to " + known.owner());
            }
        } finally {
            Files.delete(own);
        }
    }

    private FsException refusal(String why) {
        return new FsException(
                ErrorCode.PERMISSION_DENIED,
                "connections are not shared: the directory " + directory + " " + why
                        + "; or set sharing.dir to another");
    }

    /**
     * Acquires the right to listen on the socket, released on close; null if another process has it. Also removes the
     * socket's file.
     */
    public @Nullable FileChannel tryLock() throws IOException {
        FileChannel channel = FileChannel.open(
                directory.resolve(name + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean mine = false;
        try {
            mine = channel.tryLock() != null;
            if (mine) {
                Files.deleteIfExists(socket());
                return channel;
            }
            return null;
        } catch (OverlappingFileLockException ofThisProcess) {
            return null;
        } finally {
            if (!mine) {
                channel.close();
            }
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SharingPlace place && place.socket().equals(socket());
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return socket().toString();
    }
}
