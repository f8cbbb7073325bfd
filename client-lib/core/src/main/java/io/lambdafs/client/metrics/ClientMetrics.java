package io.lambdafs.client.metrics;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.OperationKind;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;

/** Counters of a client's activity since it was opened. Counting is wait-free. Thread-safe. */
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
     * @param servers number of TCP servers listening now
     * @param connections number of open instance connections
     * @param borrowed number of these borrowed from another process
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

    /** Returns the current counts; each is exact, but they are not from one instant. */
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
     * @param failures the same, by error
     * @param retries repeated attempts, by the error of the previous attempt
     * @param tcp requests sent over TCP, including retries
     * @param http requests sent by HTTP, including retries
     * @param replaced HTTP requests that a TCP connection could have carried (the random replacement of §3.4)
     * @param overloaded requests refused as excess by an instance or connection
     * @param stragglers TCP attempts given up for taking too long and repeated elsewhere (appendix B)
     * @param thrashings number of times the client entered anti-thrashing mode (appendix C)
     * @param strays TCP requests sent to an instance of a non-owner deployment in that mode
     * @param cacheHits reads answered from an instance's cache only
     * @param cacheMisses reads that needed the store
     * @param servers TCP servers listening now, shared by this process's clients with the same configuration
     * @param connections open TCP connections of instances, shared by this process's clients
     * @param borrowed number of these borrowed from another process of the user
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

        /** Returns the share of requests sent by HTTP, 0–1. */
        public double httpShare() {
            return tcp + http == 0 ? 0 : (double) http / (tcp + http);
        }

        /** Returns the share of reads answered from a cache, 0–1. */
        public double cacheHitRate() {
            return cacheHits + cacheMisses == 0 ? 0 : (double) cacheHits / (cacheHits + cacheMisses);
        }
    }
}
