package io.lambdafs.systemtests.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;

/** Every call and its result, one JSON line each, as the checker reads them; and when they completed. Thread-safe. */
final class History implements AutoCloseable {
    private static final long CLOCK_TOLERANCE_MILLIS = 500;

    /** How a call ended. */
    enum End {
        /** With an answer of the namespace. */
        DONE,
        /** A write; not known how. */
        PENDING,
        /** Without effect, and it should not have. */
        FAILED,
        /** Without effect, clearly refused, as was to be expected. */
        REFUSED,
        /** A read; its client was killed. */
        LOST;

        /** Returns whether it leaves open what its world holds, or what went wrong in it. */
        boolean retires() {
            return this == PENDING || this == FAILED;
        }
    }

    /** A clock that a file was made by: off by so many milliseconds at least, and at most. */
    private record ClockOff(long nanos, long leastMillis, long mostMillis) {}

    /** Who asked for what. */
    record Asked(int world, int client, Request request) {}

    private final ObjectMapper json = new ObjectMapper();
    private final BufferedWriter out;
    private final Progress progress;
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private final Queue<ClockOff> clocksOff = new ConcurrentLinkedQueue<>();
    private volatile long fullUntil = System.nanoTime();
    private final Map<String, Integer> failures = new TreeMap<>();
    private final Map<String, String> examples = new TreeMap<>();

    History(Path file, Progress progress) throws IOException {
        this.out = Files.newBufferedWriter(file);
        this.progress = progress;
    }

    /** Notes how a call ended. */
    End completed(Asked asked, Answer answer) {
        End end = end(asked.request(), answer);
        ObjectNode line = json.createObjectNode().put("world", asked.world()).put("client", asked.client());
        asked.request().describe(line);
        line.put("invoked", answer.invoked())
                .put("completed", answer.completed())
                .put("state", end == End.DONE || end == End.PENDING ? end.name().toLowerCase(Locale.ROOT) : "failed");
        if (answer.code() != null) {
            line.put("error", answer.code().name());
        } else if (!answer.lost()) {
            line.setAll(answer.shown());
        }
        count(asked.request(), answer, end);
        write(line);
        return end;
    }

    private void count(Request request, Answer answer, End end) {
        if (end == End.DONE) {
            noteClock(request, answer);
            progress.completed(request.isWrite(), answer.invoked(), answer.completed());
        } else if (answer.lost()) {
            lost.incrementAndGet();
        } else if (end == End.REFUSED || (end == End.PENDING && wasRefusedAtLast(answer))) {
            refused.incrementAndGet();
        } else {
            failed(end + " " + request.kind() + " " + answer.code(), answer.message());
        }
    }

    /**
     * Returns whether a write of which one attempt was lost was told, when it was repeated, that the disk is full:
     * nobody knows more.
     */
    private boolean wasRefusedAtLast(Answer answer) {
        return answer.message().contains(ErrorCode.STORE_FULL.name()) && answer.invoked() - fullUntil < 0;
    }

    /** Returns whether a code says something of the namespace. */
    private static boolean isAnswer(ErrorCode code) {
        return code.number() < ErrorCode.UNAUTHENTICATED.number() && code != ErrorCode.UNSUPPORTED;
    }

    private End end(Request request, Answer answer) {
        ErrorCode code = answer.code();
        if (answer.lost()) {
            return request.isWrite() ? End.PENDING : End.LOST;
        }
        if (code == null || isAnswer(code)) {
            return End.DONE;
        }
        if (code == ErrorCode.STORE_FULL && request.isWrite() && answer.invoked() - fullUntil < 0) {
            return End.REFUSED;
        }
        boolean open = code.disposition() == Disposition.OUTCOME_UNKNOWN
                || code == ErrorCode.INTERNAL
                || code == ErrorCode.BAD_FRAME;
        return request.isWrite() && open ? End.PENDING : End.FAILED;
    }

    /** A file has the time of the instance that made it. */
    private void noteClock(Request request, Answer answer) {
        long mtime = answer.shown().path("entries").path(0).path("mtime").asLong();
        if (request.kind() == Request.Kind.CREATE && mtime != 0) {
            long now = System.currentTimeMillis();
            long asked = now - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - answer.invoked());
            if (mtime < asked - CLOCK_TOLERANCE_MILLIS || mtime > now + CLOCK_TOLERANCE_MILLIS) {
                clocksOff.add(new ClockOff(answer.completed(), mtime - now, mtime - asked));
            }
        }
    }

    /** Returns whether a file was made, and the answer came after a moment, by a clock that was so far off. */
    boolean sawJump(long millis, long sinceNanos) {
        return clocksOff.stream()
                .anyMatch(each -> each.nanos() - sinceNanos > 0
                        && each.leastMillis() <= millis + CLOCK_TOLERANCE_MILLIS
                        && each.mostMillis() >= millis - CLOCK_TOLERANCE_MILLIS);
    }

    /** Says until when writes may be told that the store is full: of this process's clock. */
    void storeIsFull(long untilNanos) {
        fullUntil = untilNanos;
    }

    /** Returns whether writes may be refused now. */
    boolean isStoreFull() {
        return System.nanoTime() - fullUntil < 0;
    }

    /** Writes that were refused as they may have been. */
    int refused() {
        return refused.get();
    }

    /** Calls whose client was killed under them. */
    int lost() {
        return lost.get();
    }

    static String hash(byte[] content) {
        CRC32C sum = new CRC32C();
        sum.update(content);
        return HexFormat.of().toHexDigits(sum.getValue(), 8);
    }

    private synchronized void write(ObjectNode line) {
        try {
            out.write(json.writeValueAsString(line));
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized void failed(String kind, String message) {
        failures.merge(kind, 1, Integer::sum);
        examples.putIfAbsent(kind, message);
    }

    /** Calls that got no answer of the namespace: how many of each kind and code. */
    synchronized Map<String, Integer> failures() {
        return new TreeMap<>(failures);
    }

    /** The first message of each kind and code of {@link #failures}. */
    synchronized Map<String, String> examples() {
        return new TreeMap<>(examples);
    }

    @Override
    public synchronized void close() throws IOException {
        out.close();
    }
}
