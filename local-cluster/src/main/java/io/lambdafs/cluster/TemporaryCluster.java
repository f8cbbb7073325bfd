package io.lambdafs.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.model.disk.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/**
 * A cluster in a temporary directory, removed on close, or at the latest when this process ends, even by Ctrl-C.
 * Thread-safe.
 */
public final class TemporaryCluster implements AutoCloseable {
    private static final String PREFIX = "lambdafs-";
    private static final long KEEP_ALIVE_MILLIS = 3_600_000;
    private static final int IN_FLIGHT = 4_096;

    private final LocalCluster cluster;
    private final Console console;
    private final Thread hook = new Thread(this::interrupted, "stop-cluster");
    private boolean closed;

    private TemporaryCluster(LocalCluster cluster, Console console) {
        this.cluster = cluster;
        this.console = console;
    }

    /** Starts a temporary cluster. */
    public static TemporaryCluster start(LocalCluster.StartOptions startOptions, Console console) {
        Path folder;
        try {
            folder = Files.createTempDirectory(PREFIX);
        } catch (IOException e) {
            throw CommandFailure.ofFile("cannot make a temporary directory", e);
        }
        LocalCluster cluster = new LocalCluster(new ClusterDirectory(folder), console);
        TemporaryCluster temporary = new TemporaryCluster(cluster, console);
        Runtime.getRuntime().addShutdownHook(temporary.hook);
        try {
            cluster.start(startOptions);
            return temporary;
        } catch (RuntimeException e) {
            temporary.close();
            throw e;
        }
    }

    /**
     * Returns the settings of a temporary cluster for measuring code rather than scaling: one instance per deployment,
     * kept alive, without limits on CPU share or concurrent calls.
     */
    public static ObjectNode unlimited() {
        ObjectNode keys = JsonNodeFactory.instance.objectNode();
        keys.putObject("instance").put("cpuShare", 0).put("maxInFlight", IN_FLIGHT);
        keys.putObject("pool")
                .put("maxInstances", 1)
                .put("keepAliveMillis", KEEP_ALIVE_MILLIS)
                .put("prewarm", 0);
        return keys;
    }

    public LocalCluster cluster() {
        return cluster;
    }

    private void interrupted() {
        synchronized (this) {
            if (closed) {
                return;
            }
        }
        console.say("interrupted: stopping the cluster");
        console.mute();
        close();
    }

    /** Keeps it running after close, with its directory. */
    public synchronized void keep() {
        closed = true;
    }

    /** Copies its logs. */
    public void saveLogs(Path folder) {
        Path logs = cluster.directory().logs();
        try (Stream<Path> all = Files.walk(logs)) {
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                Path copy = folder.resolve(logs.relativize(each).toString());
                Files.createDirectories(copy.resolveSibling(".").normalize());
                Files.copy(each, copy, StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot keep the cluster's logs: " + e, e);
        }
    }

    /** Stops it and removes its directory. Idempotent. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        cluster.abandon();
        Folders.remove(cluster.directory().root(), console::say);
    }
}
