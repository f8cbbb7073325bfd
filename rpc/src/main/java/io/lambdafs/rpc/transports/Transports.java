package io.lambdafs.rpc.transports;

import io.lambdafs.rpc.Transport;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/** Holds one transport per kind, created on demand and closed together. Thread-safe. */
public final class Transports implements AutoCloseable {
    private final Function<TransportKind, Transport> maker;
    private final Map<TransportKind, Transport> made = new EnumMap<>(TransportKind.class);

    public Transports(Function<TransportKind, Transport> maker) {
        this.maker = maker;
    }

    /** Returns the transport of a kind; always the same one. */
    public synchronized Transport of(TransportKind kind) {
        return made.computeIfAbsent(kind, maker);
    }

    @Override
    public synchronized void close() {
        made.values().forEach(Transport::close);
    }
}
