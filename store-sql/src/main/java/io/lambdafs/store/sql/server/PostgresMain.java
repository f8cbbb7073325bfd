package io.lambdafs.store.sql.server;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.ServiceMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A cluster's own PostgreSQL, as one of its processes. Its single argument is a JSON file: {@code directory},
 * {@code portFile}, and, with defaults, {@code port} and {@code passwordFile}. It ends when the database does.
 */
public final class PostgresMain {
    private PostgresMain() {}

    /** The file's keys. */
    record Keys(
            String directory,
            @Nullable Integer port,
            String portFile,
            @Nullable String passwordFile) {}

    public static void main(String[] arguments) throws InterruptedException {
        ServiceMain.run(PostgresMain.class, arguments, file -> start(file)::close);
    }

    /** Starts the server that a file describes; the caller closes it. */
    static PostgresServer start(Path file) throws IOException {
        Keys keys = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build()
                .readValue(Files.readString(file), Keys.class);
        PostgresServer server = new PostgresServer(
                Path.of(keys.directory()),
                keys.port() == null ? 0 : keys.port(),
                keys.passwordFile() == null ? null : Path.of(keys.passwordFile()),
                ProcessBuilder.Redirect.INHERIT);
        start(server, Path.of(keys.portFile()));
        return server;
    }

    private static void start(PostgresServer server, Path portFile) throws IOException {
        try {
            server.start();
            ServiceMain.writePort(portFile, server.port());
        } catch (IOException | RuntimeException e) {
            server.kill();
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FsException(ErrorCode.INTERRUPTED, "interrupted while PostgreSQL started", e);
        }
        Thread watch = new Thread(
                () -> {
                    try {
                        if (server.awaitEnd()) {
                            return;
                        }
                    } catch (InterruptedException e) {
                        return;
                    }
                    throw new IllegalStateException("PostgreSQL has ended");
                },
                "postgres-watch");
        watch.setDaemon(true);
        watch.start();
    }
}
