package io.lambdafs.platform.local.pool;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Chore;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.platform.MetricsPage;
import io.lambdafs.platform.local.instance.InstanceLauncher;
import io.lambdafs.platform.local.instance.ReplyTooLargeException;
import io.lambdafs.platform.local.instance.RunningInstance;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs invocations on function instances: starts them, keeps them warm, scales out with waiting calls and in to zero
 * when idle (the paper's §3.4). Thread-safe; one short lock guards {@link PoolState}, and all slow work happens outside
 * it.
 */
public final class InstancePool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InstancePool.class);
    private static final long SCRAPE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SHORTEST_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONGEST_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long CLOSE_MARGIN_MILLIS = 2000;

    private final Object lock = new Object();
    private final PoolState state;
    private final PoolLimits limits;
    private final InstanceLauncher launcher;
    private final Scheduler scheduler;
    private final Envelopes envelopes;
    private final Consumer<Activation> onEnd;
    private final InstanceEvents events;
    private final Chore tick;
    private final Chore scrape;

    /**
     * @param instanceIds supplies unique ids of letters, digits and hyphens
     * @param onEnd receives every ended activation, before its caller does; must not block
     */
    public InstancePool(
            PoolLimits limits,
            InstanceLauncher launcher,
            Scheduler scheduler,
            Envelopes envelopes,
            Supplier<String> instanceIds,
            Consumer<Activation> onEnd) {
        this.limits = limits;
        this.launcher = launcher;
        this.scheduler = scheduler;
        this.envelopes = envelopes;
        this.onEnd = onEnd;
        this.state = new PoolState(limits, instanceIds);
        this.events = new InstanceEvents(scheduler::currentTimeMillis);
        long period = limits.keepAlive().toNanos() / 10;
        this.tick = Chore.every(Math.max(SHORTEST_TICK_NANOS, Math.min(LONGEST_TICK_NANOS, period)), scheduler, () -> {
            change(now -> {});
            return CompletableFuture.completedFuture(null);
        });
        this.scrape = Chore.every(SCRAPE_NANOS, scheduler, () -> {
            scrape();
            return CompletableFuture.completedFuture(null);
        });
    }

    /**
     * Takes over running instances, after the actions are put, and starts watching idle instances, waiting calls and
     * meters.
     */
    public void start() {
        launcher.found().forEach(this::takeOver);
        change(now -> {});
        tick.start();
        scrape();
        scrape.start();
    }

    /** Registers an action or a new revision of it; instances of the old one end when idle. */
    public void put(RegisteredAction action) {
        change(now -> state.put(action));
    }

    /** Removes an action; waiting calls fail, running calls complete. */
    public void remove(String name) {
        change(now -> state.remove(name, now));
    }

    /**
     * Runs an action.
     *
     * @param id the activation's unique id
     * @param payload a JSON object, or nothing
     * @param client origin of the call, passed to the action; null for internal calls
     * @return the activation once it has ended, well or not
     * @throws RefusedException with 404, 429 or 503 if the call is not accepted
     */
    public CompletionStage<Activation> invoke(
            RegisteredAction action, String id, byte[] payload, @Nullable InetAddress client) {
        Call call = new Call(id, action, payload, client, scheduler.nanoTime());
        change(now -> state.submit(call));
        return call.done;
    }

    public List<InstanceView> instances() {
        synchronized (lock) {
            long now = scheduler.nanoTime();
            return state.instances().stream().map(each -> each.view(now)).toList();
        }
    }

    public UsageView usage() {
        synchronized (lock) {
            return state.usage(scheduler.nanoTime());
        }
    }

    /**
     * Returns the summed metrics of the instances: counters of ended ones, and counters and gauges of running ones. At
     * most a second old; the last second of a killed instance is missing.
     */
    public MetricsPage functionMetrics() {
        List<MetricsPage> pages;
        synchronized (lock) {
            pages = state.pages();
        }
        return MetricsPage.sum(pages);
    }

    /** Returns the events of its instances. */
    public InstanceEvents events() {
        return events;
    }

    /** Gets the slowest operations of each serving instance as JSON lists by deployment, in no order. Never fails. */
    public CompletionStage<Map<String, List<String>>> slowest() {
        Map<String, List<CompletableFuture<String>>> asked = new LinkedHashMap<>();
        synchronized (lock) {
            for (Instance each : state.instances()) {
                RunningInstance running = each.running;
                if (each.phase == Instance.Phase.READY && running != null) {
                    asked.computeIfAbsent(ownerOf(each), owner -> new ArrayList<>())
                            .add(running.slowest().toCompletableFuture());
                }
            }
        }
        CompletableFuture<?>[] all =
                asked.values().stream().flatMap(List::stream).toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(all).thenApply(done -> {
            Map<String, List<String>> told = new LinkedHashMap<>();
            asked.forEach((owner, lists) ->
                    told.put(owner, lists.stream().map(CompletableFuture::join).toList()));
            return told;
        });
    }

    public int maxInstances() {
        synchronized (lock) {
            return state.maxInstances();
        }
    }

    /** Changes the limit of instances per action; those beyond it end when idle. */
    public void maxInstances(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("maxInstances must be at least 1, is " + count);
        }
        change(now -> state.maxInstances(count));
        LOG.info("At most {} instances per action", count);
    }

    /** Kills an instance (SIGKILL); false if none has this id. */
    public boolean kill(String instanceId) {
        boolean[] found = {false};
        change(now -> state.find(instanceId).ifPresent(instance -> {
            found[0] = true;
            state.killAsked(instance);
        }));
        return found[0];
    }

    private void scrape() {
        List<Instance> live;
        synchronized (lock) {
            live = state.instances().stream()
                    .filter(each -> each.phase == Instance.Phase.READY || each.phase == Instance.Phase.PREWARMED)
                    .toList();
        }
        live.forEach(this::scrape);
    }

    private CompletionStage<MetricsPage> scrape(Instance instance) {
        RunningInstance running = instance.running;
        if (running == null) {
            return CompletableFuture.completedFuture(MetricsPage.EMPTY);
        }
        return attempt(running::metrics).whenComplete((page, failure) -> {
            if (failure == null && !page.isEmpty()) {
                change(now -> state.scraped(instance, page, now));
            }
        });
    }

    /** Applies an event to the state under the lock and carries out the decisions outside. */
    private void change(Event event) {
        List<Decision> decisions;
        synchronized (lock) {
            long now = scheduler.nanoTime();
            event.apply(now);
            decisions = state.settle(now);
        }
        decisions.forEach(this::perform);
    }

    /** Carries out a decision; an exception, such as an executor's refusal, ends this decision but none after it. */
    private void perform(Decision decision) {
        try {
            carryOut(decision);
        } catch (RuntimeException e) {
            LOG.error("what the pool decided failed: {}", decision.getClass().getSimpleName(), e);
            if (decision instanceof Decision.Run run) {
                runFailed(run.instance(), run.call(), e);
            } else if (decision instanceof Decision.Initialise initialise) {
                change(now -> state.initFailed(initialise.instance(), Messages.ABNORMAL_INIT, now));
            }
        }
    }

    /** A change of the state at a moment. */
    @FunctionalInterface
    private interface Event {
        void apply(long nowNanos);
    }

    private void carryOut(Decision decision) {
        if (decision instanceof Decision.Run run) {
            run(run.instance(), run.call());
        } else if (decision instanceof Decision.End end) {
            end(end);
        } else if (decision instanceof Decision.Launch launch) {
            launch(launch.instance());
        } else if (decision instanceof Decision.Hurry hurry) {
            launcher.hurry(hurry.instance().id);
        } else if (decision instanceof Decision.Initialise initialise) {
            initialise(initialise.instance(), initialise.action());
        } else if (decision instanceof Decision.Stop stop) {
            stop(stop.instance(), stop.reason());
        } else if (decision instanceof Decision.Kill kill) {
            LOG.info("Killing instance {} of {}: {}", kill.instance().id, ownerOf(kill.instance()), kill.reason());
            happened(InstanceEvents.Kind.KILLED, kill.instance(), kill.reason());
            kill.instance().running().kill();
        }
    }

    void takeOver(InstanceLauncher.Found found) {
        Instance[] instance = new Instance[1];
        change(now -> instance[0] = state.found(found, now));
        LOG.info("Took instance {} of {} over", found.instanceId(), ownerOf(instance[0]));
        watch(instance[0], found.running());
    }

    private void watch(Instance instance, RunningInstance running) {
        running.onExit().thenAccept(code -> {
            LOG.info("Instance {} of {} has gone, exit code {}", instance.id, ownerOf(instance), code);
            change(now -> {
                if (instance.phase != Instance.Phase.STOPPING) {
                    happened(InstanceEvents.Kind.LOST, instance, "exit code " + code);
                }
                state.exited(instance, now);
            });
        });
    }

    private void launch(Instance instance) {
        attempt(() -> instance.owner == null
                        ? launcher.launchAhead(instance.kind, instance.memoryMb, instance.id)
                        : launcher.launch(instance.kind, instance.memoryMb, instance.id))
                .whenComplete((running, failure) -> {
                    if (failure != null) {
                        launchFailed(instance, FsException.unwrap(failure));
                    } else {
                        change(now -> state.launched(instance, running, now));
                        watch(instance, running);
                    }
                });
    }

    private void launchFailed(Instance instance, Throwable why) {
        LOG.warn("Instance {} of {} did not start: {}", instance.id, ownerOf(instance), why.toString());
        happened(InstanceEvents.Kind.FAILED, instance, String.valueOf(why.getMessage()));
        Outcome outcome = outcomeOf(why);
        String message = outcome == Outcome.DISK_FULL ? String.valueOf(why.getMessage()) : Messages.ABNORMAL_INIT;
        change(now -> state.launchFailed(instance, outcome, message, now));
    }

    private static Outcome outcomeOf(Throwable why) {
        ErrorCode code = why instanceof FsException typed ? typed.code() : ErrorCode.INTERNAL;
        return switch (code) {
            case STORE_FULL -> Outcome.DISK_FULL;
            case THROTTLED -> Outcome.NO_CAPACITY;
            default -> Outcome.DEVELOPER_ERROR;
        };
    }

    private void initialise(Instance instance, RegisteredAction action) {
        long limitMillis = action.spec().limits().timeoutMillis();
        Scheduler.Timer limit = scheduler.schedule(
                TimeUnit.MILLISECONDS.toNanos(limitMillis),
                () -> change(now -> state.initFailed(instance, Messages.timedOut(limitMillis, true), now)));
        instance.running().wanted();
        attempt(() -> instance.running().init(envelopes.init(action, instance.id)))
                .whenComplete((reply, failure) -> {
                    limit.cancel();
                    if (failure != null) {
                        change(now -> state.initFailed(instance, Messages.ABNORMAL_INIT, now));
                    } else if (reply.status() != 200) {
                        change(now -> state.initFailed(instance, RunReply.initFailure(reply), now));
                    } else {
                        change(now -> state.initialised(instance, now));
                        LOG.info(
                                "Instance {} of {} is ready after {} ms",
                                instance.id,
                                action.name(),
                                instance.coldStartMillis);
                        happened(
                                InstanceEvents.Kind.STARTED,
                                instance,
                                (instance.nextStart == StartKind.PREWARMED
                                                ? "a prewarmed process, ready after "
                                                : "ready after ")
                                        + instance.coldStartMillis + " ms");
                    }
                });
    }

    private void run(Instance instance, Call call) {
        RunningInstance running = instance.running();
        long limitMillis = call.action.spec().limits().timeoutMillis();
        call.logFrom = running.log().position();
        call.limit = scheduler.schedule(
                TimeUnit.MILLISECONDS.toNanos(limitMillis), () -> change(now -> state.timedOut(instance, call, now)));
        byte[] envelope = envelopes.run(call.action, call, scheduler.currentTimeMillis() + limitMillis);
        attempt(() -> running.run(envelope)).whenComplete((reply, failure) -> {
            if (failure == null) {
                RunReply meant = RunReply.of(reply);
                change(now -> state.answered(instance, call, meant, now));
            } else {
                runFailed(instance, call, FsException.unwrap(failure));
            }
        });
    }

    private void runFailed(Instance instance, Call call, Throwable failure) {
        boolean tooLarge = failure instanceof ReplyTooLargeException;
        String message = tooLarge ? String.valueOf(failure.getMessage()) : Messages.ABNORMAL_RUN;
        change(now -> {
            state.ended(instance, call, Outcome.DEVELOPER_ERROR, Messages.result(message), now);
            if (!tooLarge) {
                state.killAsked(instance); // It cannot be reached and is probably dying already.
            }
        });
    }

    private void end(Decision.End end) {
        Call call = end.call();
        Scheduler.Timer limit = call.limit;
        if (limit != null) {
            limit.cancel();
        }
        Activation activation = Activation.of(end, scheduler.currentTimeMillis());
        try {
            onEnd.accept(activation);
        } finally {
            call.done.complete(activation);
        }
    }

    private void stop(Instance instance, String reason) {
        LOG.info("Stopping instance {} of {}: {}", instance.id, ownerOf(instance), reason);
        happened(InstanceEvents.Kind.STOPPED, instance, reason);
        RunningInstance running = instance.running();
        scrape(instance).whenComplete((page, failure) -> running.stop(limits.stopGrace()));
    }

    /** Turns a thrown exception into a failed stage. */
    private static <T> CompletionStage<T> attempt(Supplier<CompletionStage<T>> step) {
        try {
            return step.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private void happened(InstanceEvents.Kind kind, Instance instance, String text) {
        ActionState owner = instance.owner;
        events.add(kind, owner == null ? "" : owner.name, instance.id, text);
    }

    private static String ownerOf(Instance instance) {
        ActionState owner = instance.owner;
        return owner == null ? "(prewarmed)" : owner.name;
    }

    /** Fails waiting calls with 503 and stops every instance in order; takes the stop grace and two seconds at most. */
    @Override
    public void close() {
        List<CompletableFuture<Integer>> exits = new ArrayList<>();
        tick.close();
        scrape.close();
        change(now -> {
            state.close(now);
            for (Instance each : state.instances()) {
                RunningInstance running = each.running;
                if (running != null) {
                    exits.add(running.onExit().toCompletableFuture());
                }
            }
        });
        try {
            CompletableFuture.allOf(exits.toArray(CompletableFuture<?>[]::new))
                    .get(limits.stopGrace().toMillis() + CLOSE_MARGIN_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("Some instances do not end: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
