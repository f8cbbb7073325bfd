package io.lambdafs.platform.local;

import io.lambdafs.platform.ActionLimits;
import io.lambdafs.platform.ActionSpec;
import io.lambdafs.platform.local.pool.InstancePool;
import io.lambdafs.platform.local.pool.RegisteredAction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;

/** The deployed actions, within the platform's limits. Thread-safe. */
final class ActionRegistry {
    static final int MAX_ACTIONS = 1000;

    static final long MAX_TIMEOUT_MILLIS = 300_000;
    static final int MAX_LOGS_MB = 10;
    static final int MAX_CONCURRENCY = 1000;

    private final InstancePool pool;
    private final int maxMemoryMb;
    private final Set<String> kinds;
    private final KnownActions known;
    private final Map<String, RegisteredAction> actions = new ConcurrentSkipListMap<>();

    /** @param known keeps them */
    ActionRegistry(InstancePool pool, int maxMemoryMb, Set<String> kinds, KnownActions known) {
        this.pool = pool;
        this.known = known;
        this.maxMemoryMb = maxMemoryMb;
        this.kinds = new TreeSet<>(kinds);
    }

    Optional<RegisteredAction> get(String name) {
        return Optional.ofNullable(actions.get(name));
    }

    List<RegisteredAction> all() {
        return List.copyOf(actions.values());
    }

    /**
     * Registers an action or its next revision.
     *
     * @throws IllegalArgumentException if it exceeds a limit
     */
    synchronized RegisteredAction put(ActionSpec spec, long nowMillis) {
        RegisteredAction action = restore(spec, nowMillis);
        known.keep(actions.values());
        return action;
    }

    /** Registers an action that is kept already, as {@link #put} does. */
    synchronized RegisteredAction restore(ActionSpec spec, long nowMillis) {
        check(spec);
        RegisteredAction before = actions.get(spec.name());
        if (before == null && actions.size() >= MAX_ACTIONS) {
            throw new IllegalArgumentException("more than " + MAX_ACTIONS + " actions");
        }
        RegisteredAction action = new RegisteredAction(spec, before == null ? 1 : before.revision() + 1, nowMillis);
        actions.put(spec.name(), action);
        pool.put(action);
        return action;
    }

    synchronized Optional<RegisteredAction> remove(String name) {
        RegisteredAction removed = actions.remove(name);
        if (removed != null) {
            known.keep(actions.values());
            pool.remove(name);
        }
        return Optional.ofNullable(removed);
    }

    private void check(ActionSpec spec) {
        ActionLimits limits = spec.limits();
        if (!kinds.contains(spec.exec().kind())) {
            throw new IllegalArgumentException("kind '" + spec.exec().kind() + "' not in " + kinds);
        }
        atMost("timeout", limits.timeoutMillis(), MAX_TIMEOUT_MILLIS, "milliseconds");
        atMost("memory", limits.memoryMb(), maxMemoryMb, "MB");
        atMost("logs", limits.logsMb(), MAX_LOGS_MB, "MB");
        atMost("concurrency", limits.concurrency(), MAX_CONCURRENCY, "calls");
    }

    private static void atMost(String name, long value, long most, String unit) {
        if (value > most) {
            throw new IllegalArgumentException("requirement failed: " + name + " " + value + " " + unit
                    + " exceeds allowed threshold of " + most + " " + unit);
        }
    }
}
