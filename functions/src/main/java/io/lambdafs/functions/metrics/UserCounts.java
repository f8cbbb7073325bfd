package io.lambdafs.functions.metrics;

import io.lambdafs.model.operation.OperationKind;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts operations by user and kind: of {@value #MOST} users by name, of any further ones together. One who did
 * nothing between two readings gives way to the next new one. Thread-safe; cheap enough for every request.
 */
final class UserCounts {
    static final int MOST = 20;
    static final String OTHERS = "(others)";

    private final Map<String, Counts> users = new ConcurrentHashMap<>();
    private final Counts others = new Counts();
    /** A user whose place is free to take; null if all were active of late. */
    private volatile @Nullable String idle;

    /** The counts of one user. */
    private static final class Counts {
        /** Has all kinds, and is never changed. */
        private final Map<OperationKind, LongAdder> byKind = new EnumMap<>(OperationKind.class);
        /** The sum at the last reading; guarded by the owner. */
        private long read;

        Counts() {
            for (OperationKind kind : OperationKind.values()) {
                byKind.put(kind, new LongAdder());
            }
        }

        void add(OperationKind kind) {
            Objects.requireNonNull(byKind.get(kind)).increment();
        }

        long sum() {
            return byKind.values().stream().mapToLong(LongAdder::sum).sum();
        }
    }

    void add(String user, OperationKind kind) {
        Counts known = users.get(user);
        if (known == null) {
            known = users.size() < MOST || idle != null ? admit(user) : others;
        }
        known.add(kind);
    }

    private synchronized Counts admit(String user) {
        Counts known = users.get(user);
        if (known != null) {
            return known;
        }
        String leaving = idle;
        if (users.size() >= MOST) {
            if (leaving == null) {
                return others;
            }
            users.remove(leaving);
            idle = null;
        }
        Counts added = new Counts();
        users.put(user, added);
        return added;
    }

    /** Receives one count. */
    @FunctionalInterface
    interface Reader {
        void count(String user, OperationKind kind, long operations);
    }

    /** Passes all counts that are not 0 to a reader, and notes who did nothing since the last time. */
    synchronized void read(Reader reader) {
        String quiet = null;
        for (Map.Entry<String, Counts> each : new TreeMap<>(users).entrySet()) {
            Counts counts = each.getValue();
            long sum = counts.sum();
            if (sum == counts.read) {
                quiet = each.getKey();
            }
            counts.read = sum;
            pass(each.getKey(), counts, reader);
        }
        pass(OTHERS, others, reader);
        idle = quiet;
    }

    private static void pass(String user, Counts counts, Reader reader) {
        counts.byKind.forEach((kind, adder) -> {
            long operations = adder.sum();
            if (operations > 0) {
                reader.count(user, kind, operations);
            }
        });
    }
}
