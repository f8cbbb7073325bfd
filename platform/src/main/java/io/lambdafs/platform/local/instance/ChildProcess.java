package io.lambdafs.platform.local.instance;

import io.lambdafs.model.time.Scheduler;
import io.lambdafs.platform.MetricsPage;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A child process that speaks the action protocol on a loopback port. Thread-safe. */
final class ChildProcess implements RunningInstance {
    private final String id;
    /** The instance, or what holds it. */
    private final Process process;

    private final Supplier<ProcessHandle> found;
    private volatile ProcessHandle self;
    private final CappedLog log;
    private final Scheduler scheduler;
    private final Runnable raise;
    private final IntFunction<ActionEndpoint> endpoints;
    private final CompletableFuture<Integer> exit;
    private volatile @Nullable ActionEndpoint endpoint;

    /**
     * @param raise gives it the usual priority
     * @param endpoints returns the client of a port
     */
    ChildProcess(
            String id,
            SnapshotEngine.Restored started,
            CappedLog log,
            Scheduler scheduler,
            Runnable raise,
            IntFunction<ActionEndpoint> endpoints) {
        this.raise = raise;
        this.id = id;
        this.process = started.holder();
        this.found = started.self();
        this.self = process.toHandle();
        this.log = log;
        this.scheduler = scheduler;
        this.endpoints = endpoints;
        this.exit = process.onExit().thenApply(Process::exitValue);
    }

    String id() {
        return id;
    }

    /** Returns the instance's own process. */
    ProcessHandle self() {
        return self;
    }

    /** Asks it to leave in order. */
    void terminate() {
        self().destroy();
    }

    CappedLog cappedLog() {
        return log;
    }

    void listensOn(int port) {
        self = found.get();
        endpoint = endpoints.apply(port);
    }

    private ActionEndpoint there() {
        ActionEndpoint known = endpoint;
        if (known == null) {
            throw new IllegalStateException("instance " + id + " does not listen yet");
        }
        return known;
    }

    @Override
    public void wanted() {
        raise.run();
    }

    @Override
    public CompletionStage<ActionReply> init(byte[] json) {
        return there().post("/init", json);
    }

    @Override
    public CompletionStage<ActionReply> run(byte[] json) {
        return there().post("/run", json);
    }

    @Override
    public void stop(Duration grace) {
        terminate();
        Scheduler.Timer force = scheduler.schedule(grace.toNanos(), this::kill);
        exit.thenRun(force::cancel);
    }

    @Override
    public void kill() {
        // The process that holds an instance also ends it.
        process.destroyForcibly();
    }

    @Override
    public CompletionStage<Integer> onExit() {
        return exit;
    }

    @Override
    public OptionalLong pid() {
        return OptionalLong.of(self().pid());
    }

    @Override
    public String endpoint() {
        return there().base().toString();
    }

    @Override
    public CompletionStage<MetricsPage> metrics() {
        return there().metrics();
    }

    @Override
    public CompletionStage<String> slowest() {
        return there().slowest();
    }

    @Override
    public InstanceLog log() {
        return log;
    }
}
