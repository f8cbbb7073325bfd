package io.lambdafs.hammer.workers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.load.PartialReport;
import io.lambdafs.hammer.replay.ClusterProbe;
import io.lambdafs.hammer.replay.Replay;
import io.lambdafs.hammer.replay.ReplaySettings;
import io.lambdafs.hammer.result.Part;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.tree.ImportSettings;
import io.lambdafs.hammer.tree.ImportedTree;
import io.lambdafs.hammer.tree.NamespaceImport;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.auth.Secret;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One of several processes that offer a load: does its master's task, once. Confined to one thread. */
public final class Worker {
    private static final int CONNECT_MILLIS = 10_000;

    private final Secret secret;
    private final Target target;
    private final ClusterProbe probe;
    private final Console console;
    private final @Nullable Path report;

    /**
     * Creates a worker that has not registered yet.
     *
     * @param secret the cluster's
     * @param probe cache figures of the target
     * @param report directory for a report of its share if its master is lost, or it is interrupted; null for none
     */
    public Worker(Secret secret, Target target, ClusterProbe probe, Console console, @Nullable Path report) {
        this.secret = secret;
        this.target = target;
        this.probe = probe;
        this.console = console;
        this.report = report;
    }

    /**
     * Registers, imports, replays its share, and reports. Blocks until this is done.
     *
     * @throws FsException {@code UNAVAILABLE} if the master cannot be reached, does not know the secret, or is lost
     */
    public void run(InetSocketAddress master) {
        try (Socket socket = new Socket()) {
            socket.connect(master, CONNECT_MILLIS);
            run(new Wire(socket));
        } catch (IOException e) {
            throw FsException.unavailable("the master at " + master + " is lost: " + e, e);
        }
    }

    private void run(Wire wire) throws IOException {
        wire.proveToMaster(secret);
        wire.send(Wire.message("who").put("pid", ProcessHandle.current().pid()));
        Messages.Task task = null;
        while (task == null) {
            JsonNode message = wire.receive();
            switch (message.path("type").asText()) {
                case "clock" -> wire.send(Wire.message("clock").put("micros", Wire.micros()));
                // Other workers are still missing.
                case "wait" -> wire.send(Wire.message("waiting"));
                case "task" -> task = Messages.task(message);
                default -> throw new IOException("an unknown message " + message.path("type"));
            }
        }
        ReplayResult result;
        try (Pulse pulse = new Pulse(wire)) {
            ImportedTree tree = prepare(task, wire);
            result = replay(ReplaySettings.of(tree, task.workload()), wire, pulse);
        }
        ObjectNode end = Wire.message("end").put("seconds", result.seconds());
        ArrayNode failures = end.putArray("failures");
        result.failures().forEach(failures::add);
        wire.send(end);
    }

    /** Imports the tree, and waits for the start. */
    private ImportedTree prepare(Messages.Task task, Wire wire) throws IOException {
        ImportedTree tree;
        try {
            tree = importTree(task, wire);
        } catch (FsException e) {
            wire.send(Wire.message("failed").put("why", e.getMessage()));
            throw e;
        }
        wire.send(Wire.message("ready").put("entries", tree.size()));
        startAt(wire);
        return tree;
    }

    private ImportedTree importTree(Messages.Task task, Wire wire) {
        ImportSettings settings = ImportSettings.of(task.tree(), task.target())
                .withMaxFiles(task.maxFiles())
                .withSmallFileBytes(task.smallFileBytes());
        return NamespaceImport.run(settings, target, progress -> {
                    try {
                        wire.send(Wire.message("importing").put("done", progress.done()));
                    } catch (IOException e) {
                        throw FsException.unavailable("the master is lost: " + e, e);
                    }
                })
                .tree();
    }

    /** Waits for the master's starting time, by this machine's clock; meanwhile the master sends messages. */
    private static void startAt(Wire wire) throws IOException {
        JsonNode message = wire.receive();
        while (message.path("type").asText().equals("wait")) {
            message = wire.receive();
        }
        long at = message.path("atMicros").asLong();
        for (long left = at - Wire.micros(); left > 0; left = at - Wire.micros()) {
            Replay.checkInterrupt();
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(left));
        }
    }

    /** Replays the share; ends if the master is lost. */
    private ReplayResult replay(ReplaySettings settings, Wire wire, Pulse pulse) {
        Thread loop = Thread.currentThread();
        Consumer<Part> parts = part -> {
            // From now on there is one a second, or the load stands still.
            pulse.close();
            try {
                wire.send(Messages.part(part));
            } catch (IOException e) {
                loop.interrupt();
            }
        };
        return PartialReport.during(
                console, report, unfinished -> Replay.runShare(settings, target, probe, parts, unfinished));
    }
}
