package io.lambdafs.platform.local.pool;

import io.lambdafs.platform.MetricsPage;
import io.lambdafs.platform.local.instance.InstanceLauncher;
import io.lambdafs.platform.local.instance.RunningInstance;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler's state machine: events go in, decisions come out; it has no thread, clock or process. A call goes to
 * the most recently used warm instance with room; without one it waits, first come first served, while instances are
 * provided, and takes the first free one. Guarded by the pool's lock.
 */
final class PoolState {
    /** An action's last instance is kept for as long as starting one of each takes, this many times over. */
    private static final int WALKS_TO_OUTLIVE = 2;
    /** A start's share in the average. */
    private static final double START_WEIGHT = 0.25;

    private final PoolLimits limits;
    private final Supplier<String> instanceIds;
    private final Provisioner provisioner;
    private final Map<String, ActionState> actions = new LinkedHashMap<>();
    private final Set<Instance> instances = new LinkedHashSet<>();
    private final Map<String, UsageView.Deployment> removed = new HashMap<>();
    /** The counters of ended instances. */
    private MetricsPage past = MetricsPage.EMPTY;

    private List<Decision> decisions = new ArrayList<>();
    private int maxInstances;
    private boolean closed;
    /** The weighted average of recent start times of instances. */
    private double startNanos;

    PoolState(PoolLimits limits, Supplier<String> instanceIds) {
        this.limits = limits;
        this.instanceIds = instanceIds;
        this.maxInstances = limits.maxInstances();
        this.provisioner = new Provisioner(this, limits);
    }

    // State.

    Collection<ActionState> actions() {
        return actions.values();
    }

    Set<Instance> instances() {
        return instances;
    }

    int maxInstances() {
        return maxInstances;
    }

    void maxInstances(int count) {
        maxInstances = count;
    }

    int usedMemoryMb() {
        return instances.stream().mapToInt(each -> each.memoryMb).sum();
    }

    int freeMemoryMb() {
        return limits.memoryMb() - usedMemoryMb();
    }

    int stoppingMemoryMb() {
        return instances.stream()
                .filter(each -> each.phase == Instance.Phase.STOPPING)
                .mapToInt(each -> each.memoryMb)
                .sum();
    }

    int count(Instance.Phase phase) {
        int count = 0;
        for (Instance each : instances) {
            count += each.phase == phase ? 1 : 0;
        }
        return count;
    }

    Optional<Instance> find(String instanceId) {
        return instances.stream().filter(each -> each.id.equals(instanceId)).findFirst();
    }

    UsageView usage(long nowNanos) {
        Map<String, UsageView.Deployment> shares = new LinkedHashMap<>(removed);
        actions.values().forEach(each -> shares.merge(each.name, each.usage(nowNanos), UsageView.Deployment::plus));
        int prewarmed = count(Instance.Phase.PREWARMED);
        return new UsageView(usedMemoryMb(), limits.memoryMb(), prewarmed, shares);
    }

    // Events. Each ends with settle().

    void put(RegisteredAction action) {
        ActionState state = actions.computeIfAbsent(action.name(), name -> new ActionState(action));
        state.action = action;
        state.removed = false;
    }

    void remove(String name, long nowNanos) {
        ActionState state = actions.get(name);
        if (state != null) {
            state.removed = true;
            endWaiting(state, Outcome.PLATFORM_ERROR, Messages.REMOVED, nowNanos);
        }
    }

    /** Accepts or refuses a call. */
    void submit(Call call) {
        if (closed) {
            throw new RefusedException(503, Messages.OVERLOADED);
        }
        ActionState state = actions.get(call.action.name());
        if (state == null || state.removed) {
            throw new RefusedException(404, Messages.NOT_FOUND);
        }
        if (state.waiting.size() >= limits.queueLimit() && warm(state) == null) {
            throw new RefusedException(429, Messages.tooManyInFlight(state.waiting.size() + 1L, limits.queueLimit()));
        }
        state.waiting.add(call);
    }

    void launched(Instance instance, RunningInstance running, long nowNanos) {
        instance.running = running;
        ActionState owner = instance.owner;
        if (instance.retiring) {
            kill(instance, "asked for while it started");
        } else if (owner == null) {
            instance.phase = Instance.Phase.PREWARMED;
            instance.lastUsedNanos = nowNanos;
        } else if (owner.removed || !owner.matches(instance)) {
            stop(instance, "its action has changed");
        } else {
            initialise(instance, owner, nowNanos);
        }
    }

    /** Takes over an instance started by another gateway. */
    Instance found(InstanceLauncher.Found found, long nowNanos) {
        Instance instance = new Instance(found.instanceId(), found.kind(), found.memoryMb(), nowNanos);
        instance.running = found.running();
        instances.add(instance);
        ActionState owner = actions.get(found.action());
        if (found.action().isEmpty()) {
            instance.phase = Instance.Phase.PREWARMED;
        } else if (owner == null || owner.removed || !owner.matches(instance)) {
            stop(instance, "no action of its name and memory");
        } else {
            owner.adopt(instance, nowNanos);
            instance.action = owner.action;
            instance.phase = Instance.Phase.READY;
            instance.readyNanos = nowNanos;
            instance.nextStart = StartKind.WARM;
            instance.hasReplied = true;
        }
        return instance;
    }

    void launchFailed(Instance instance, Outcome outcome, String message, long nowNanos) {
        ActionState owner = instance.owner;
        forget(instance, nowNanos);
        if (owner == null) {
            provisioner.prewarmFailed(nowNanos);
        } else {
            startFailed(owner, outcome, message, nowNanos);
        }
    }

    void initialised(Instance instance, long nowNanos) {
        ActionState owner = instance.owner;
        if (instance.phase != Instance.Phase.INITIALISING || owner == null) {
            return;
        }
        instance.phase = Instance.Phase.READY;
        instance.initMillis = TimeUnit.NANOSECONDS.toMillis(nowNanos - instance.initBegunNanos);
        instance.readyNanos = nowNanos;
        long startedNanos = nowNanos - instance.assignedNanos;
        instance.coldStartMillis = TimeUnit.NANOSECONDS.toMillis(startedNanos);
        startNanos += (startNanos == 0 ? 1 : START_WEIGHT) * (startedNanos - startNanos);
        instance.lastUsedNanos = nowNanos;
        owner.startSucceeded();
    }

    void initFailed(Instance instance, String message, long nowNanos) {
        ActionState owner = instance.owner;
        if (instance.phase != Instance.Phase.INITIALISING || owner == null) {
            return;
        }
        kill(instance, message);
        startFailed(owner, Outcome.DEVELOPER_ERROR, message, nowNanos);
    }

    /** Ends a call by its reply or failure; false if the call had already ended. */
    boolean ended(Instance instance, Call call, Outcome outcome, byte[] result, long nowNanos) {
        if (!instance.calls.remove(call)) {
            return false;
        }
        instance.meter.end(nowNanos);
        instance.hasReplied = true;
        instance.lastUsedNanos = nowNanos;
        decisions.add(new Decision.End(call, instance, outcome, result, nowNanos));
        return true;
    }

    /** Ends a call by its reply; an instance that answers no JSON object is not used again, as in OpenWhisk. */
    void answered(Instance instance, Call call, RunReply reply, long nowNanos) {
        if (ended(instance, call, reply.outcome(), reply.result(), nowNanos)
                && reply.outcome() == Outcome.DEVELOPER_ERROR) {
            instance.retiring = true;
        }
    }

    /** Ends a call that exceeded its action's limit. */
    void timedOut(Instance instance, Call call, long nowNanos) {
        String message = Messages.timedOut(call.action.spec().limits().timeoutMillis(), false);
        if (ended(instance, call, Outcome.DEVELOPER_ERROR, Messages.result(message), nowNanos)) {
            kill(instance, message);
        }
    }

    void exited(Instance instance, long nowNanos) {
        initFailed(instance, Messages.ABNORMAL_INIT, nowNanos);
        byte[] result = Messages.result(Messages.ABNORMAL_RUN);
        for (Call call : List.copyOf(instance.calls)) {
            ended(instance, call, Outcome.DEVELOPER_ERROR, result, nowNanos);
        }
        if (instance.owner == null && instance.phase == Instance.Phase.PREWARMED) {
            provisioner.prewarmFailed(nowNanos);
        }
        forget(instance, nowNanos);
    }

    void killAsked(Instance instance) {
        instance.retiring = true;
        if (instance.running != null) {
            kill(instance, "asked for");
        }
    }

    /** Fails waiting calls, asks every instance to stop, and accepts no more calls. */
    void close(long nowNanos) {
        closed = true;
        actions.values().forEach(each -> endWaiting(each, Outcome.NO_CAPACITY, Messages.OVERLOADED, nowNanos));
        for (Instance each : instances) {
            if (each.phase == Instance.Phase.STARTING) {
                each.retiring = true;
            } else if (each.phase != Instance.Phase.STOPPING) {
                stop(each, "the gateway closes");
            }
        }
    }

    void scraped(Instance instance, MetricsPage page, long nowNanos) {
        instance.scraped(page, nowNanos);
    }

    /** Returns the metrics pages of all initialised instances, ended ones included, to be summed. */
    List<MetricsPage> pages() {
        List<MetricsPage> pages = new ArrayList<>(instances.size() + 1);
        pages.add(past);
        for (Instance each : instances) {
            if (each.owner != null) {
                pages.add(each.page);
            }
        }
        return pages;
    }

    /** Matches calls and instances after an event and returns the decisions. */
    List<Decision> settle(long nowNanos) {
        for (ActionState each : List.copyOf(actions.values())) {
            expireWaiting(each, nowNanos);
            dispatch(each, nowNanos);
            retireIdle(each, nowNanos);
            if (each.removed && each.instances.isEmpty()) {
                actions.remove(each.name);
                removed.merge("(removed)", each.usage(nowNanos), UsageView.Deployment::plus);
            }
        }
        if (!closed) {
            provisioner.provide(nowNanos);
        }
        List<Decision> out = decisions;
        decisions = new ArrayList<>();
        return out;
    }

    // Steps.

    private void dispatch(ActionState state, long nowNanos) {
        while (!state.waiting.isEmpty()) {
            Instance instance = warm(state);
            if (instance == null) {
                return;
            }
            Call call = state.waiting.remove();
            call.action = state.action;
            call.startedNanos = nowNanos;
            call.startKind = instance.nextStart;
            call.initMillis = instance.nextStart == StartKind.WARM ? Call.NO_INIT : instance.initMillis;
            instance.nextStart = StartKind.WARM;
            instance.calls.add(call);
            instance.meter.begin(nowNanos);
            instance.activations++;
            instance.lastUsedNanos = nowNanos;
            decisions.add(new Decision.Run(instance, call));
        }
    }

    /**
     * Returns the most recently used instance with room, so that the others may become idle; one whose code is cold only
     * if no other has room.
     */
    private static @Nullable Instance warm(ActionState state) {
        Instance best = null;
        for (Instance each : state.instances) {
            if (each.takesCallsOf(state) && (best == null || isPreferred(each, best))) {
                best = each;
            }
        }
        return best;
    }

    private static boolean isPreferred(Instance one, Instance other) {
        return one.isCold() == other.isCold() ? one.lastUsedNanos - other.lastUsedNanos > 0 : other.isCold();
    }

    /** Over the limit the youngest go first: the code and the caches of those that have served for longer are warm. */
    private void retireIdle(ActionState state, long nowNanos) {
        int surplus = state.live() - maxInstances;
        List<Instance> youngestFirst = new ArrayList<>(state.instances);
        Collections.reverse(youngestFirst);
        for (Instance each : youngestFirst) {
            if (!each.idle()) {
                continue;
            }
            if (each.retiring || state.removed || !state.action.equals(each.action)) {
                stop(each, "out of use");
            } else if (surplus > 0) {
                stop(each, "over the limit of " + maxInstances + " instances");
            } else if (isIdleForLong(state, each, nowNanos)) {
                stop(each, "idle");
            } else {
                continue;
            }
            surplus--;
        }
    }

    /**
     * An action's last instance is kept as long as it serves anything, over TCP too: the next request would only wait for
     * another to start. Where starts are slow it also stays for longer than configured: a client that calls all actions by
     * turns would else find each instance gone whenever its turn came, and wait for a start in every call, for ever.
     */
    private boolean isIdleForLong(ActionState state, Instance instance, long nowNanos) {
        long usual = limits.keepAlive().toNanos();
        return state.live() > 1
                ? nowNanos - instance.unneededSinceNanos() >= usual
                : nowNanos - instance.unusedSinceNanos()
                        >= Math.max(usual, (long) (WALKS_TO_OUTLIVE * actions.size() * startNanos));
    }

    private void expireWaiting(ActionState state, long nowNanos) {
        while (!state.waiting.isEmpty()
                && nowNanos - state.waiting.element().arrivedNanos
                        >= limits.queueWait().toNanos()) {
            endUnserved(state.waiting.remove(), Outcome.NO_CAPACITY, Messages.NO_CAPACITY, nowNanos);
        }
    }

    private void startFailed(ActionState state, Outcome outcome, String message, long nowNanos) {
        state.startFailed(nowNanos);
        // Memory may become free within the calls' waiting time.
        if (state.live() == 0 && outcome != Outcome.NO_CAPACITY) {
            endWaiting(state, outcome, message, nowNanos);
        }
    }

    private void endWaiting(ActionState state, Outcome outcome, String message, long nowNanos) {
        while (!state.waiting.isEmpty()) {
            endUnserved(state.waiting.remove(), outcome, message, nowNanos);
        }
    }

    private void endUnserved(Call call, Outcome outcome, String message, long nowNanos) {
        call.startedNanos = nowNanos;
        decisions.add(new Decision.End(call, null, outcome, Messages.result(message), nowNanos));
    }

    private void forget(Instance instance, long nowNanos) {
        instance.phase = Instance.Phase.STOPPING;
        instances.remove(instance);
        past = past.plus(instance.page.cumulative());
        if (instance.owner != null) {
            instance.owner.gone(instance, nowNanos);
        }
    }

    void start(String kind, int memoryMb, Optional<ActionState> owner, long nowNanos) {
        Instance instance = new Instance(instanceIds.get(), kind, memoryMb, nowNanos);
        instances.add(instance);
        owner.ifPresent(state -> state.adopt(instance, nowNanos));
        decisions.add(new Decision.Launch(instance));
    }

    /** Assigns an unassigned instance to an action. */
    void assign(Instance instance, ActionState state, long nowNanos) {
        state.adopt(instance, nowNanos);
        if (instance.phase == Instance.Phase.PREWARMED) {
            instance.nextStart = StartKind.PREWARMED;
            initialise(instance, state, nowNanos);
        } else {
            decisions.add(new Decision.Hurry(instance));
        }
    }

    private void initialise(Instance instance, ActionState state, long nowNanos) {
        instance.phase = Instance.Phase.INITIALISING;
        instance.action = state.action;
        instance.initBegunNanos = nowNanos;
        decisions.add(new Decision.Initialise(instance, state.action));
    }

    void stop(Instance instance, String reason) {
        instance.phase = Instance.Phase.STOPPING;
        decisions.add(new Decision.Stop(instance, reason));
    }

    private void kill(Instance instance, String reason) {
        instance.phase = Instance.Phase.STOPPING;
        decisions.add(new Decision.Kill(instance, reason));
    }
}
