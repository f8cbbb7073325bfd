package io.lambdafs.platform.local.instance;

import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Chore;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.Leeway;
import io.lambdafs.rpc.http.HttpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs every instance as a separate process. The environment of the process has {@code LAMBDAFS_ACTION_PORT=0} (listen
 * on any free loopback port), {@code LAMBDAFS_ACTION_KEY} (the text of the {@link io.lambdafs.rpc.auth.Secret} that the
 * process proves to hold and demands of {@code /init} and {@code /run}), {@code LAMBDAFS_ACTION_PORT_FILE} (write the
 * port there, in one step, once it listens), {@code LAMBDAFS_PARENT_PID} (end some time after that process does),
 * {@code LAMBDAFS_INSTANCE_ID} and {@code LAMBDAFS_MEMORY_MB}. Its output goes to a bounded log file. No process
 * outlives the gateway for long: an orderly end stops them, a shutdown hook ends the rest, they watch their parent, and
 * the next gateway ends those of a killed one; until then they serve their clients. Thread-safe.
 */
public final class ProcessLauncher implements InstanceLauncher {
    /** The environment variable that may hold the gateway's API key; children never see it. */
    public static final String API_KEY_VARIABLE = "LAMBDAFS_GATEWAY_API_KEY";

    /** The words of a gateway's log once its instances are restored from an image. */
    public static final String RESTORES = "Instances are restored by";

    private static final Logger LOG = LoggerFactory.getLogger(ProcessLauncher.class);
    private static final long PORT_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LOG_CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_QUEUED_STARTS = 1024;

    private final Settings settings;
    private final Scheduler scheduler;
    private final ChildFiles files;
    private final Optional<Snapshots> snapshots;
    private final ChildStarter starter;
    private final ThreadPoolExecutor starters;
    private final Set<ChildProcess> children = ConcurrentHashMap.newKeySet();
    /** Instances started ahead that somebody waits for by now. */
    private final Set<String> hurried = ConcurrentHashMap.newKeySet();

    private final Signals signals = new Signals();
    private final boolean mayRaise = Signals.mayRaise();
    private final Thread shutdownHook = new Thread(this::endChildren, "end-instances");
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Chore logCheck;

    /**
     * The settings of a launcher.
     *
     * @param kinds the command of each kind
     * @param directory for pid and port files; one gateway at a time may use it
     * @param logs for one log file per instance; the newest 200 are kept
     * @param maxLogBytes most log bytes of one instance
     * @param startLimit longest time from the fork to the port file, on a calm machine
     * @param https whether the instances speak HTTPS
     * @param stopGrace time that {@link #close} leaves instances between SIGTERM and SIGKILL
     */
    public record Settings(
            Map<String, KindCommand> kinds,
            Path directory,
            Path logs,
            long maxLogBytes,
            Duration startLimit,
            boolean https,
            Duration stopGrace) {
        public Settings {
            kinds = Map.copyOf(kinds);
        }
    }

    private ProcessLauncher(
            Settings settings, Scheduler scheduler, HttpClient http, ChildFiles files, Optional<Snapshots> snapshots) {
        this.settings = settings;
        this.snapshots = snapshots;
        this.scheduler = scheduler;
        this.files = files;
        this.starter = new ChildStarter(settings, scheduler, http, files, signals, children);
        this.starters = new ThreadPoolExecutor(
                2, 2, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_QUEUED_STARTS), task -> {
                    Thread thread = new Thread(task, "instance-start");
                    thread.setDaemon(true);
                    return thread;
                });
        starters.allowCoreThreadTimeOut(true);
        this.logCheck = Chore.every(LOG_CHECK_NANOS, scheduler, this::capLogs);
    }

    /**
     * Locks the directory and ends the processes that a killed gateway left behind.
     *
     * @throws IOException if another gateway has the directory, or it is unusable
     */
    public static ProcessLauncher open(Settings settings, Scheduler scheduler, HttpClient http) throws IOException {
        return open(settings, scheduler, http, Optional.empty());
    }

    /**
     * Opens a launcher that restores instances where it can.
     *
     * @param engine empty for none
     * @param images directory of its images
     */
    public static ProcessLauncher open(
            Settings settings,
            Scheduler scheduler,
            HttpClient http,
            Optional<? extends SnapshotEngine> engine,
            Path images)
            throws IOException {
        return open(settings, scheduler, http, engine.map(found -> new Snapshots(found, images)));
    }

    private static ProcessLauncher open(
            Settings settings, Scheduler scheduler, HttpClient http, Optional<Snapshots> snapshots) throws IOException {
        Files.createDirectories(settings.logs());
        ProcessLauncher launcher =
                new ProcessLauncher(settings, scheduler, http, ChildFiles.open(settings.directory()), snapshots);
        Runtime.getRuntime().addShutdownHook(launcher.shutdownHook);
        launcher.logCheck.start();
        return launcher;
    }

    @Override
    public Set<String> kinds() {
        return settings.kinds().keySet();
    }

    @Override
    public CompletionStage<RunningInstance> launch(String kind, int memoryMb, String instanceId) {
        return launch(kind, memoryMb, instanceId, false);
    }

    @Override
    public CompletionStage<RunningInstance> launchAhead(String kind, int memoryMb, String instanceId) {
        return launch(kind, memoryMb, instanceId, mayRaise);
    }

    private CompletionStage<RunningInstance> launch(String kind, int memoryMb, String instanceId, boolean idly) {
        KindCommand command = settings.kinds().get(kind);
        if (command == null) {
            return CompletableFuture.failedStage(new IllegalArgumentException("unknown kind '" + kind + "'"));
        }
        if (command.runtime() == KindCommand.Protocol.LAMBDA) {
            return CompletableFuture.completedFuture(new LambdaInstance(
                    instanceId,
                    more -> watched(starter.fork(new ChildStarter.Start(command, memoryMb, instanceId, false), more)),
                    scheduler,
                    starters,
                    signals));
        }
        ChildStarter.Start start = new ChildStarter.Start(command, memoryMb, instanceId, idly);
        return CompletableFuture.supplyAsync(
                        () -> image(start).map(image -> restore(image, start)).orElseGet(() -> begin(start)),
                        (Executor) starters)
                .thenCompose(begun -> begun)
                .whenComplete((running, failure) -> hurried.remove(instanceId));
    }

    @Override
    public void hurry(String instanceId) {
        hurried.add(instanceId);
        children.stream().filter(child -> child.id().equals(instanceId)).forEach(ChildProcess::wanted);
    }

    /** Starts an instance from its program; called by a starter. */
    private CompletionStage<RunningInstance> begin(ChildStarter.Start start) {
        return whenListening(watched(starter.fork(start, Map.of())));
    }

    private Optional<Path> image(ChildStarter.Start start) {
        return start.command().template().isEmpty()
                ? Optional.empty()
                : snapshots.flatMap(known -> known.image(start.command().templateLine(start.memoryMb())));
    }

    /** Restores an instance; one that cannot be restored is started as if there were no image. */
    private CompletionStage<RunningInstance> restore(Path image, ChildStarter.Start start) {
        Snapshots known = snapshots.orElseThrow();
        return CompletableFuture.completedFuture(image)
                .thenApply(found -> watched(starter.restore(known, found, start)))
                .thenCompose(this::whenListening)
                .thenApply(running -> {
                    known.succeeded();
                    return running;
                })
                .exceptionallyComposeAsync(
                        failure -> {
                            known.failed(
                                    "Instance " + start.instanceId() + " could not be restored",
                                    FsException.unwrap(failure));
                            return begin(start);
                        },
                        starters);
    }

    private ChildProcess watched(ChildProcess child) {
        child.onExit().thenRun(() -> forget(child));
        if (hurried.contains(child.id())) {
            child.wanted();
        }
        if (closed.get()) {
            child.kill();
        }
        return child;
    }

    private CompletionStage<RunningInstance> whenListening(ChildProcess child) {
        CompletableFuture<RunningInstance> listening = new CompletableFuture<>();
        child.onExit()
                .thenAccept(code -> listening.completeExceptionally(
                        new IOException("instance " + child.id() + " ended at its start with exit code " + code)));
        pollPort(child, listening, scheduler.nanoTime());
        return listening;
    }

    private void pollPort(ChildProcess child, CompletableFuture<RunningInstance> listening, long since) {
        if (listening.isDone()) {
            return;
        }
        long limit = Leeway.of(settings.startLimit()).toNanos();
        try {
            Optional<Integer> port = files.port(child.id());
            if (port.isPresent()) {
                child.listensOn(port.get());
                listening.complete(child);
            } else if (scheduler.nanoTime() - since > limit) {
                throw new IOException("instance " + child.id() + " did not listen within "
                        + TimeUnit.NANOSECONDS.toMillis(limit) + " ms of its start");
            } else {
                scheduler.schedule(PORT_POLL_NANOS, () -> pollPort(child, listening, since));
            }
        } catch (IOException e) {
            child.kill();
            listening.completeExceptionally(e);
        }
    }

    private void forget(ChildProcess child) {
        children.remove(child);
        if (children.stream().anyMatch(other -> other.id().equals(child.id()))) {
            // One that could not be restored, and was started in its place.
            return;
        }
        hurried.remove(child.id());
        try {
            files.forget(child.id());
        } catch (IOException e) {
            LOG.warn("Cannot remove the files of instance {}: {}", child.id(), e.getMessage());
        }
    }

    private CompletionStage<?> capLogs() {
        for (ChildProcess child : children) {
            try {
                child.cappedLog().cap();
            } catch (IOException e) {
                LOG.warn("Cannot bound the log of instance {}: {}", child.id(), e.getMessage());
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    /** Sends SIGTERM to all, then SIGKILL to those still running after the grace. */
    private void endChildren() {
        closed.set(true);
        logCheck.close();
        snapshots.ifPresent(Snapshots::close);
        children.forEach(ChildProcess::terminate);
        // Frozen processes would not notice.
        children.forEach(child -> signals.goOn(child.self().pid()));
        long deadline = System.nanoTime() + settings.stopGrace().toNanos();
        for (ChildProcess child : children) {
            try {
                child.onExit()
                        .toCompletableFuture()
                        .get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException e) {
                child.kill();
            } catch (InterruptedException e) {
                children.forEach(ChildProcess::kill);
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Ends every process; takes the stop grace at most. Later calls do nothing. */
    @Override
    public void close() {
        endChildren();
        signals.close();
        starters.shutdown();
        try {
            files.close();
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IOException e) {
            LOG.warn("Cannot release {}: {}", settings.directory(), e.getMessage());
        } catch (IllegalStateException e) {
            LOG.debug("The JVM is shutting down: the hook stays", e);
        }
    }
}
