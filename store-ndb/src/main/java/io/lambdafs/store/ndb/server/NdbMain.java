package io.lambdafs.store.ndb.server;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.ServiceMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A cluster's own NDB, as one of its processes. Its single argument is a JSON file: {@code directory}, {@code port},
 * {@code portFile}, {@code memoryMb}, and, with defaults, {@code replicas} and {@code checkpointMillis}. Restarts a
 * data node that ends while the other one lives; otherwise ends when a node does.
 */
public final class NdbMain {
    private NdbMain() {}

    /** The file's keys. */
    record Keys(
            String directory,
            int port,
            String portFile,
            int memoryMb,
            @Nullable Integer replicas,
            @Nullable Integer checkpointMillis) {}

    public static void main(String[] arguments) throws InterruptedException {
        ServiceMain.run(NdbMain.class, arguments, file -> {
            Keys keys = JsonMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .build()
                    .readValue(Files.readString(file), Keys.class);
            NdbServer server = new NdbServer(
                    Path.of(keys.directory()),
                    keys.port(),
                    new NdbServer.Size(
                            keys.replicas() == null ? 1 : keys.replicas(),
                            keys.memoryMb(),
                            keys.checkpointMillis() == null
                                    ? NdbServer.Size.CHECKPOINT_MILLIS
                                    : keys.checkpointMillis()),
                    ProcessBuilder.Redirect.INHERIT);
            start(server, Path.of(keys.portFile()));
            return server::close;
        });
    }

    private static void start(NdbServer server, Path portFile) throws IOException {
        try {
            server.start();
            ServiceMain.writePort(portFile, server.port());
        } catch (InterruptedException e) {
            server.kill();
            Thread.currentThread().interrupt();
            throw new FsException(ErrorCode.INTERRUPTED, "interrupted while NDB started", e);
        } catch (IOException | RuntimeException e) {
            server.kill();
            throw e;
        }
        Thread watch = new Thread(
                () -> {
                    try {
                        if (server.awaitEnd()) {
                            return;
                        }
                    } catch (InterruptedException e) {
                        return;
                    } catch (IOException e) {
                        server.kill();
                        throw new UncheckedIOException(e);
                    }
                    server.kill();
                    throw new IllegalStateException("a node of NDB has ended");
                },
                "ndb-watch");
        watch.setDaemon(true);
        watch.start();
    }
}
