package io.lambdafs.client.metrics;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.Operation;
import io.lambdafs.model.OperationKind;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;

/** What a client has done, since it was opened. Counting is wait-free. Thread-safe. */
public final class ClientMetrics {
    private final Map<OperationKind, LongAdder> succeeded = counters(OperationKind.class);
    private final Map<OperationKind, LongAdder> failed = counters(OperationKind.class);
    private final Map<ErrorCode, LongAdder> failures = counters(ErrorCode.class);
    private final Map<ErrorCode, LongAdder> retries = counters(ErrorCode.class);
    private final LongAdder tcp = new LongAdder();
    private final LongAdder http = new LongAdder();
    private final LongAdder replaced = new LongAdder();
    private final LongAdder overloaded = new LongAdder();
    private final LongAdder stragglers = new LongAdder();
    private final LongAdder thrashings = new LongAdder();
    private final LongAdder strays = new LongAdder();
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final IntSupplier servers;
    private final IntSupplier connections;
    private final IntSupplier borrowed;

    /**
     * @param servers how many TCP servers listen now
     * @param connections how many connections of instances stand now
     * @param borrowed how many of these another process lends
     */
    public ClientMetrics(IntSupplier servers, IntSupplier connections, IntSupplier borrowed) {
        this.servers = servers;
        this.connections = connections;
        this.borrowed = borrowed;
    }

    private static <E extends Enum<E>> Map<E, LongAdder> counters(Class<E> type) {
        Map<E, LongAdder> counters = new EnumMap<>(type);
        for (E constant : type.getEnumConstants()) {
            counters.put(constant, new LongAdder());
        }
        return counters;
    }

    private static <E extends Enum<E>> void count(Map<E, LongAdder> counters, E constant) {
        LongAdder counter = counters.get(constant);
        if (counter != null) {
            counter.increment();
        }
    }

    public void succeeded(Operation<?> operation, boolean cacheHit) {
        count(succeeded, operation.kind());
        if (!operation.isWrite()) {
            (cacheHit ? hits : misses).increment();
        }
    }

    public void failed(Operation<?> operation, ErrorCode code) {
        count(failed, operation.kind());
        count(failures, code);
    }

    public void retried(ErrorCode code) {
        count(retries, code);
    }

    public void sentByTcp() {
        tcp.increment();
    }

    public void sentByHttp() {
        http.increment();
    }

    public void replacedByHttp() {
        replaced.increment();
    }

    public void overloaded() {
        overloaded.increment();
    }

    public void straggled() {
        stragglers.increment();
    }

    public void thrashed() {
        thrashings.increment();
    }

    public void strayed() {
        strays.increment();
    }

    /** The counts now; each is exact, together they are not of one instant. */
    public Snapshot snapshot() {
        return new Snapshot(
                values(succeeded),
                values(failed),
                values(failures),
                values(retries),
                tcp.sum(),
                http.sum(),
                replaced.sum(),
                overloaded.sum(),
                stragglers.sum(),
                thrashings.sum(),
                strays.sum(),
                hits.sum(),
                misses.sum(),
                servers.getAsInt(),
                connections.getAsInt(),
                borrowed.getAsInt());
    }

    private static <E extends Enum<E>> Map<E, Long> values(Map<E, LongAdder> counters) {
        Map<E, Long> values = new LinkedHashMap<>();
        counters.forEach((constant, counter) -> {
            long value = counter.sum();
            if (value != 0) {
                values.put(constant, value);
            }
        });
        return values;
    }

    /**
     * Counts since the client was opened; maps leave out zeros. Immutable.
     *
     * @param succeeded operations that succeeded
     * @param failed operations that failed, retries exhausted
     * @param failures the same by their error
     * @param retries repeated attempts, by the error of the attempt before
     * @param tcp requests sent over TCP, repetitions included
     * @param http requests sent by HTTP, repetitions included
     * @param replaced of those by HTTP, how many a TCP connection could have carried (the random replacement of §3.4)
     * @param overloaded requests that an instance or a connection refused as one too many
     * @param stragglers attempts over TCP that were given up for taking too long, and repeated elsewhere (appendix B)
     * @param thrashings how often the client has entered anti-thrashing mode (appendix C)
     * @param strays of the requests over TCP, how many went to an instance of another deployment than the owner, in that mode
     * @param cacheHits reads answered from an instance's cache alone
     * @param cacheMisses reads that needed the store
     * @param servers TCP servers that listen now, shared by the clients of this process that are configured alike
     * @param connections TCP connections of instances now, shared by the clients of this process
     * @param borrowed of these, how many another process of the user lends
     */
    public record Snapshot(
            Map<OperationKind, Long> succeeded,
            Map<OperationKind, Long> failed,
            Map<ErrorCode, Long> failures,
            Map<ErrorCode, Long> retries,
            long tcp,
            long http,
            long replaced,
            long overloaded,
            long stragglers,
            long thrashings,
            long strays,
            long cacheHits,
            long cacheMisses,
            int servers,
            int connections,
            int borrowed) {
        public Snapshot {
            succeeded = Map.copyOf(succeeded);
            failed = Map.copyOf(failed);
            failures = Map.copyOf(failures);
            retries = Map.copyOf(retries);
        }

        /** Part of the requests that went by HTTP, 0–1. */
        public double httpShare() {
            return tcp + http == 0 ? 0 : (double) http / (tcp + http);
        }

        /** Part of the reads that a cache answered, 0–1. */
        public double cacheHitRate() {
            return cacheHits + cacheMisses == 0 ? 0 : (double) cacheHits / (cacheHits + cacheMisses);
        }
    }
}
