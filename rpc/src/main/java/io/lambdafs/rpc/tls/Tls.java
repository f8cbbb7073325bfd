package io.lambdafs.rpc.tls;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process's TLS 1.3 configuration, loaded from {@link TlsFiles}. Changed files are reloaded within a second and
 * before the next connection; while they do not match, the previous ones stay in use. Thread-safe; a new connection may
 * read files on its event loop.
 */
public final class Tls {
    /** The name in an instance's certificate, besides its addresses. */
    public static final String INSTANCE = "instance.lambdafs.internal";

    private static final Logger LOG = LoggerFactory.getLogger(Tls.class);
    private static final String PROTOCOL = "TLSv1.3";
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long MAX_BYTES = 1 << 20;

    private final TlsFiles files;
    private volatile Loaded loaded;
    private volatile long lookedNanos = System.nanoTime();

    /** Identifies the files as read. */
    private record Stamp(List<Object> parts) {}

    /**
     * @param user dials without a certificate
     * @param service accepts services; null for users
     * @param open accepts anyone; null for users
     */
    private record Loaded(
            Stamp stamp,
            SslContext user,
            @Nullable SslContext service,
            @Nullable SslContext open) {}

    private Tls(TlsFiles files) {
        this.files = files;
        this.loaded = load();
    }

    /**
     * Reads the files.
     *
     * @throws FsException {@code NOT_TRUSTED} with the error in them
     */
    public static Tls of(TlsFiles files) {
        return new Tls(files);
    }

    /** Returns the TLS handler for dialling a server, whose certificate must name the host. */
    public SslHandler dialling(ByteBufAllocator allocator, String host, int port) {
        return current().user().newHandler(allocator, host, port);
    }

    /** Returns the server-side TLS handler for peers with a certificate. */
    public SslHandler accepting(ByteBufAllocator allocator) {
        return server(current().service()).newHandler(allocator);
    }

    /** Returns the server-side TLS handler for peers without a certificate. */
    public SslHandler acceptingAnybody(ByteBufAllocator allocator) {
        return open().newHandler(allocator);
    }

    /** Returns the current server context for peers without a certificate. */
    public SslContext open() {
        return server(current().open());
    }

    private SslContext server(@Nullable SslContext context) {
        if (context == null) {
            throw new IllegalStateException("no certificate is configured beside " + files.ca());
        }
        return context;
    }

    private Loaded current() {
        Loaded known = loaded;
        long now = System.nanoTime();
        if (now - lookedNanos < LOOK_NANOS) {
            return known;
        }
        return reloaded(now);
    }

    private synchronized Loaded reloaded(long now) {
        if (now - lookedNanos < LOOK_NANOS) {
            return loaded;
        }
        lookedNanos = now;
        try {
            if (!stamp().equals(loaded.stamp())) {
                loaded = load();
                LOG.info("TLS uses the certificates that are new in {}", files);
            }
        } catch (FsException | IOException e) {
            LOG.warn("TLS keeps the certificates that were read before: {}", e.getMessage());
        }
        return loaded;
    }

    private List<Path> paths() {
        List<Path> paths = new ArrayList<>(List.of(files.ca()));
        files.own().ifPresent(own -> paths.addAll(List.of(own.certificate(), own.key())));
        return paths;
    }

    private Stamp stamp() throws IOException {
        List<Object> parts = new ArrayList<>();
        for (Path path : paths()) {
            parts.add(Files.getLastModifiedTime(path));
            parts.add(Files.size(path));
        }
        return new Stamp(parts);
    }

    private Loaded load() {
        try {
            // Before the files, so that one changed meanwhile is reloaded.
            Stamp stamp = stamp();
            byte[] ca = read(files.ca());
            if (files.own().isEmpty()) {
                return new Loaded(
                        stamp, finished(SslContextBuilder.forClient(), ca).build(), null, null);
            }
            PemPair own = PemPair.of(
                    read(files.own().get().certificate()),
                    read(files.own().get().key()));
            return new Loaded(
                    stamp,
                    finished(SslContextBuilder.forClient().keyManager(own.key(), own.chain()), ca)
                            .build(),
                    finished(SslContextBuilder.forServer(own.key(), own.chain()).clientAuth(ClientAuth.REQUIRE), ca)
                            .build(),
                    finished(SslContextBuilder.forServer(own.key(), own.chain()), ca)
                            .build());
        } catch (IOException | RuntimeException e) {
            throw new FsException(
                    ErrorCode.NOT_TRUSTED,
                    "TLS cannot use " + paths() + ": " + (e instanceof IOException ? e : e.getMessage())
                            + "; they must be PEM files of a CA, a certificate and its key",
                    e);
        }
    }

    private static SslContextBuilder finished(SslContextBuilder builder, byte[] ca) {
        return builder.sslProvider(SslProvider.JDK).protocols(PROTOCOL).trustManager(new ByteArrayInputStream(ca));
    }

    private static byte[] read(Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException(file + " is longer than " + MAX_BYTES + " bytes");
        }
        return Files.readAllBytes(file);
    }
}
