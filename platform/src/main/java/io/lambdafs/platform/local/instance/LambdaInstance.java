package io.lambdafs.platform.local.instance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.MetricsPage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An execution environment like AWS Lambda's: a process with Lambda's runtime, which gets its function at its start and
 * one invocation at a time, and is frozen (SIGSTOP) from its request for the next one until that arrives. It gets no
 * notice of its end. Its initialisation and each whole invocation are billed, in milliseconds begun. Thread-safe.
 */
final class LambdaInstance implements RunningInstance, RuntimeApi.Environment {
    private static final String ACTIVE_MILLIS = "lambdafs_active_milliseconds_total";
    private static final Logger LOG = LoggerFactory.getLogger(LambdaInstance.class);

    private static final Pattern ACTIVE = Pattern.compile("\"activeMillis\":(\\d{1,15})");
    /** Longer replies are those to requests. */
    private static final int MOST_TOLD = 100;

    /** Starts the process with these variables in addition to its kind's. */
    interface Forker {
        ChildProcess fork(Map<String, String> environment);
    }

    private final String id;
    private final Forker forker;
    private final Scheduler scheduler;
    private final Executor starters;
    private final Signals signals;
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();
    private final AtomicLong billedMillis = new AtomicLong();
    private final AtomicLong activeMillis = new AtomicLong();
    private volatile @Nullable RuntimeApi api;
    private volatile @Nullable ChildProcess child;
    private volatile boolean ended;

    LambdaInstance(String id, Forker forker, Scheduler scheduler, Executor starters, Signals signals) {
        this.id = id;
        this.forker = forker;
        this.scheduler = scheduler;
        this.starters = starters;
        this.signals = signals;
    }

    @Override
    public CompletionStage<ActionReply> init(byte[] json) {
        ObjectNode value = (ObjectNode) Json.parseObject(json).path("value");
        String function = value.path("name").asText();
        long began = scheduler.nanoTime();
        return CompletableFuture.supplyAsync(() -> start(function), starters)
                .thenCompose(RuntimeApi::ready)
                .handle((ready, failure) -> {
                    bill(began);
                    if (failure != null) {
                        kill();
                        return new ActionReply(
                                502, Json.bytes(Json.object().put("error", String.valueOf(failure.getMessage()))));
                    }
                    return new ActionReply(200, Json.bytes(Json.object().put("ok", true)));
                });
    }

    private RuntimeApi start(String function) {
        try {
            RuntimeApi opened = new RuntimeApi(function, this);
            api = opened;
            ChildProcess started = forker.fork(Map.of(
                    "AWS_LAMBDA_RUNTIME_API", opened.address(),
                    "AWS_LAMBDA_FUNCTION_NAME", function,
                    "AWS_LAMBDA_FUNCTION_VERSION", "$LATEST",
                    "AWS_LAMBDA_INITIALIZATION_TYPE", "on-demand",
                    "AWS_REGION", "local",
                    // A folder for further jars that does not exist.
                    "LAMBDA_TASK_ROOT", "/nowhere"));
            child = started;
            started.onExit().thenAccept(code -> {
                opened.close();
                exit.complete(code);
            });
            if (ended) {
                started.kill();
            }
            return opened;
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    @Override
    public CompletionStage<ActionReply> run(byte[] json) {
        RuntimeApi open = api;
        if (open == null) {
            return CompletableFuture.failedFuture(new IOException("instance " + id + " has not been initialised"));
        }
        ObjectNode envelope = Json.parseObject(json);
        byte[] payload = Json.bytes((ObjectNode) envelope.path("value"));
        long deadline = Long.parseLong(envelope.path("deadline").asText("0"));
        long began = scheduler.nanoTime();
        return open.invoke(payload, deadline).whenComplete((reply, failure) -> {
            long whole = bill(began);
            activeMillis.addAndGet(reply == null ? whole : active(reply.body(), whole));
        });
    }

    private long bill(long sinceNanos) {
        long millis = (scheduler.nanoTime() - sinceNanos + 999_999) / 1_000_000;
        billedMillis.addAndGet(millis);
        return millis;
    }

    /** Returns how long the function served requests: the whole time unless it reports another. */
    private static long active(byte[] reply, long whole) {
        if (reply.length > MOST_TOLD) {
            return whole;
        }
        Matcher told = ACTIVE.matcher(new String(reply, StandardCharsets.UTF_8));
        return told.find() ? Long.parseLong(told.group(1)) : whole;
    }

    @Override
    public void idle() {
        ChildProcess running = child;
        if (running != null && !ended) {
            signals.stop(running.self().pid());
        }
    }

    @Override
    public void busy() {
        ChildProcess running = child;
        if (running != null) {
            signals.goOn(running.self().pid());
        }
    }

    /** Kills without notice, as the platform does. */
    @Override
    public void stop(Duration grace) {
        kill();
    }

    @Override
    public void kill() {
        ended = true;
        ChildProcess running = child;
        if (running == null) {
            LOG.debug("Instance {} ends before it had a process", id);
            exit.complete(0);
        } else {
            running.kill();
        }
    }

    @Override
    public CompletionStage<Integer> onExit() {
        return exit;
    }

    @Override
    public OptionalLong pid() {
        ChildProcess running = child;
        return running == null ? OptionalLong.empty() : running.pid();
    }

    @Override
    public String endpoint() {
        RuntimeApi open = api;
        return "http://" + (open == null ? "none" : open.address());
    }

    /** Returns its billed time; a frozen instance reports nothing itself. */
    @Override
    public CompletionStage<MetricsPage> metrics() {
        return CompletableFuture.completedFuture(MetricsPage.ofCounters(
                Map.of(MetricsPage.BILLED, billedMillis.get(), ACTIVE_MILLIS, activeMillis.get())));
    }

    @Override
    public InstanceLog log() {
        ChildProcess running = child;
        return running == null ? InstanceLog.NONE : running.log();
    }
}
