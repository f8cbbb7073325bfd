package io.lambdafs.functions.metrics;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.OperationKind;
import io.lambdafs.model.operation.Reply;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Counts the NameNode's operations and events. Thread-safe; cheap enough for every request. */
public final class OperationStatistics implements Telemetry {
    /** The cache role that answered, or missed. */
    enum Role {
        LINK,
        ENTRY,
        LISTING
    }

    private final Map<OperationKind, LatencyHistogram> latencies = new EnumMap<>(OperationKind.class);
    private final Map<ErrorCode, LongAdder> failures = counters(ErrorCode.class);
    private final Map<Role, LongAdder> hits = counters(Role.class);
    private final Map<Role, LongAdder> misses = counters(Role.class);
    private final Map<Listed, LongAdder> listed = counters(Listed.class);
    private final LatencyHistogram rounds = new LatencyHistogram();
    private final LatencyHistogram subtreeRounds = new LatencyHistogram();
    private final LongAdder invalidationsSent = new LongAdder();
    private final LongAdder reclaimedRows = new LongAdder();
    private final LongAdder fenced = new LongAdder();
    private final UserCounts users = new UserCounts();
    private final SlowOperations slowest;

    /** Creates one counter per constant; the map is never changed afterwards. */
    private static <E extends Enum<E>> Map<E, LongAdder> counters(Class<E> type) {
        Map<E, LongAdder> made = new EnumMap<>(type);
        for (E constant : Objects.requireNonNull(type.getEnumConstants())) {
            made.put(constant, new LongAdder());
        }
        return made;
    }

    private static LongAdder of(Map<?, LongAdder> counters, Enum<?> constant) {
        return Objects.requireNonNull(counters.get(constant));
    }

    /** @param clock milliseconds since 1970 */
    public OperationStatistics(LongSupplier clock) {
        slowest = new SlowOperations(clock);
        for (OperationKind kind : OperationKind.values()) {
            latencies.put(kind, new LatencyHistogram());
        }
    }

    @Override
    public void arrived(String user, OperationKind kind) {
        users.add(user, kind);
    }

    @Override
    public void answered(Operation<?> operation, Reply reply, boolean cacheHit, long nanos) {
        Objects.requireNonNull(latencies.get(operation.kind())).record(nanos);
        slowest.offer(operation, nanos);
        if (reply instanceof Reply.Failure failure) {
            of(failures, failure.code()).increment();
        }
        if (operation.isWrite()) {
            return;
        }
        if (operation.kind() != OperationKind.LIST_PAGE) {
            of(cacheHit ? hits : misses, Role.ENTRY).increment();
        } else if (cacheHit && reply instanceof Reply.Page) {
            listed(Listed.CACHE);
        }
        if (cacheHit) {
            of(hits, Role.LINK).add(operation.path().depth());
        }
    }

    @Override
    public void listed(Listed from) {
        of(listed, from).increment();
        of(from.readsDirectory() ? misses : hits, Role.LISTING).increment();
    }

    @Override
    public void resolved(int cached, int read) {
        of(hits, Role.LINK).add(cached);
        of(misses, Role.LINK).add(read);
    }

    @Override
    public void round(int targets, long nanos) {
        invalidationsSent.add(targets);
        rounds.record(nanos);
    }

    @Override
    public void subtreeRound(int targets, long nanos) {
        invalidationsSent.add(targets);
        subtreeRounds.record(nanos);
    }

    @Override
    public void fenced() {
        fenced.increment();
    }

    @Override
    public void reclaimed(int rows) {
        reclaimedRows.add(rows);
    }

    UserCounts users() {
        return users;
    }

    long othersFenced() {
        return fenced.sum();
    }

    /** Returns the slowest operations of the last minutes. */
    public SlowOperations slowest() {
        return slowest;
    }

    Map<OperationKind, LatencyHistogram> latencies() {
        return latencies;
    }

    long failures(ErrorCode code) {
        return of(failures, code).sum();
    }

    long hits(Role role) {
        return of(hits, role).sum();
    }

    long misses(Role role) {
        return of(misses, role).sum();
    }

    long pages(Listed from) {
        return of(listed, from).sum();
    }

    LatencyHistogram rounds() {
        return rounds;
    }

    LatencyHistogram subtreeRounds() {
        return subtreeRounds;
    }

    long invalidationsSent() {
        return invalidationsSent.sum();
    }

    long reclaimedRows() {
        return reclaimedRows.sum();
    }
}
