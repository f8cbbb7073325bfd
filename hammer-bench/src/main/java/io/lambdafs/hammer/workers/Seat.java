package io.lambdafs.hammer.workers;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.hammer.result.Part;
import io.lambdafs.rpc.auth.Secret;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A worker from the master's point of view. Confined to the master's thread, except for its connection. */
final class Seat {
    private static final int EXCHANGES = 16;

    final Wire wire;
    final String process;
    /** The lead of the worker's clock. */
    final long clockMicros;

    final long clockErrorMicros;

    /** Reports not yet included in the figures. */
    final Deque<Part> pending = new ArrayDeque<>();

    @Nullable
    Part last;

    boolean ended;

    @Nullable
    String lost;

    private Seat(Wire wire, String process, long clockMicros, long clockErrorMicros) {
        this.wire = wire;
        this.process = process;
        this.clockMicros = clockMicros;
        this.clockErrorMicros = clockErrorMicros;
    }

    /** Registers a worker that proves knowledge of the secret, and compares its clock with this machine's. */
    static Seat of(Wire wire, Secret secret) throws IOException {
        wire.proveToWorker(secret);
        JsonNode who = wire.receive("who");
        long best = Long.MAX_VALUE;
        long ahead = 0;
        for (int i = 0; i < EXCHANGES; i++) {
            long before = Wire.micros();
            wire.send(Wire.message("clock"));
            long theirs = wire.receive("clock").path("micros").asLong();
            long after = Wire.micros();
            if (after - before < best) {
                best = after - before;
                ahead = theirs - (before + after) / 2;
            }
        }
        return new Seat(
                wire, wire.peer() + ", process " + who.path("pid").asLong(), ahead, Math.max(1, (best + 1) / 2));
    }

    boolean isRunning() {
        return !ended && lost == null;
    }

    double seconds() {
        return last == null ? 0 : last.seconds();
    }
}
