package io.lambdafs.coordinator.zookeeper;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.DeathWatch;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.auth.Secret;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Main class of a process that runs an {@link EmbeddedZooKeeper}. Its single argument is the path of a JSON file:
 *
 * <pre>
 * {"dataDir": "/var/lib/lambdafs/zookeeper", "host": "127.0.0.1", "port": 0, "portFile": "/run/lambdafs/zookeeper.port",
 *  "secretFile": "/etc/lambdafs/secret"}
 * </pre>
 *
 * {@code host} is the loopback interface and {@code port} any free one unless given; {@code portFile}, to which the
 * port is written once the server is up, is optional; {@code "insecure": true} in place of {@code secretFile} serves
 * anyone. Unknown keys are rejected. SIGTERM stops it in order. Exit codes: 1 the server failed, 2 bad configuration, 3
 * the address or folder cannot be had.
 */
public final class ZooKeeperMain {
    private static final Duration CHECK = Duration.ofSeconds(1);

    private ZooKeeperMain() {}

    /** The configuration file's content. */
    record Configuration(
            @Nullable String dataDir,
            @Nullable String host,
            @Nullable Integer port,
            @Nullable String portFile,
            @Nullable String secretFile,
            @Nullable Boolean insecure) {
        EmbeddedZooKeeper.Settings settings() {
            if (dataDir == null) {
                throw FsException.invalidArgument("the configuration lacks \"dataDir\": give a folder");
            }
            int wanted = port == null ? 0 : port;
            if (wanted < 0 || wanted > 65_535) {
                throw FsException.invalidArgument("\"port\" is 0..65535, not " + wanted);
            }
            if ((secretFile == null) != Boolean.TRUE.equals(insecure)) {
                throw FsException.invalidArgument("exactly one of \"secretFile\" and \"insecure\": true is needed");
            }
            return new EmbeddedZooKeeper.Settings(
                    Path.of(dataDir),
                    host == null ? Hosts.loopback() : host,
                    wanted,
                    secretFile == null ? null : Secret.load(Path.of(secretFile)));
        }
    }

    public static void main(String[] args) throws InterruptedException {
        if (args.length != 1) {
            System.err.println("usage: ZooKeeperMain <configuration.json>");
            System.exit(2);
            return;
        }
        DeathWatch.endProcess();
        try {
            System.exit(run(Path.of(args[0])));
        } catch (FsException e) {
            System.err.println(e);
            System.exit(e.code() == ErrorCode.INVALID_ARGUMENT ? 2 : 3);
        }
    }

    private static int run(Path file) throws InterruptedException {
        Configuration configuration = load(file);
        LastingZooKeeper server = LastingZooKeeper.start(configuration.settings());
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "zookeeper-stop"));
        String portFile = configuration.portFile();
        if (portFile != null) {
            publish(Path.of(portFile), server.port());
        }
        // A signal ends the process through the hook; here only a failed server is noticed.
        CountDownLatch never = new CountDownLatch(1);
        while (server.goesOn()) {
            never.await(CHECK.toMillis(), TimeUnit.MILLISECONDS);
        }
        System.err.println("ZooKeeper has ended itself; its log says why (a failing disk, mostly)");
        return 1;
    }

    static Configuration load(Path file) {
        ObjectMapper json = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build();
        try {
            return json.readValue(file.toFile(), Configuration.class);
        } catch (JacksonException e) {
            throw FsException.invalidArgument(
                    "the configuration " + file + " cannot be understood: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw FsException.invalidArgument("the configuration " + file + " cannot be read: " + e, e);
        }
    }

    /** Writes the port file atomically. */
    static void publish(Path file, int port) {
        Path draft = file.resolveSibling(file.getFileName() + ".draft");
        try {
            Files.writeString(draft, port + "\n");
            try {
                Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
            } catch (AtomicMoveNotSupportedException e) {
                Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw FsException.unavailable("the port file " + file + " cannot be written: " + e, e);
        }
    }
}
