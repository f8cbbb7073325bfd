package io.lambdafs.systemtests.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A table of the effects of losses on clients. Confined to one thread. */
final class LossReport {
    /** How long after a loss a gap in the answers is put down to it. */
    private static final long AFTERMATH_NANOS = TimeUnit.SECONDS.toNanos(3);
    /** Connected clients that are answered at the end of a loss are answered without what is lost. */
    private static final long AT_THE_END_NANOS = Duration.ofSeconds(2).toNanos();

    private final Progress connected;
    private final Progress web;
    private final List<Loss> losses = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();

    /**
     * One part that was lost: nanoseconds of this process's clock.
     *
     * @param before since when nothing else was amiss
     * @param ended when what was lost was let go on, or began to be started anew
     * @param restored when it ran again
     */
    record Loss(String name, long before, long began, long ended, long restored) {}

    /** @param web calls of a client without TCP connections */
    LossReport(Progress connected, Progress web) {
        this.connected = connected;
        this.web = web;
    }

    void add(Loss loss) {
        losses.add(loss);
    }

    void add(String line) {
        lines.add(line);
    }

    /** Calls that connected clients had answered in the last two seconds of a loss. */
    int answeredAtTheEndOf(String name) {
        Loss loss = losses.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        return connected.between(loss.ended() - AT_THE_END_NANOS, loss.ended());
    }

    private String row(Loss loss) {
        long end = loss.restored() + AFTERMATH_NANOS;
        return "| %s | %.1f | %d / %d / %d | %d | %d | %d | %d | %d | %d | %d |"
                .formatted(
                        loss.name(),
                        (loss.restored() - loss.began()) / 1e9,
                        perSecond(loss.before(), loss.began()),
                        perSecond(loss.began(), loss.ended()),
                        answeredAtTheEndOf(loss.name()) / 2,
                        connected.longestMillis(loss.began(), end, Progress.Call::isWrite),
                        connected.longestMillis(loss.began(), end, Progress.Call::isRead),
                        connected.longestGapMillis(loss.began(), end, Progress.Call::isWrite),
                        connected.longestGapMillis(loss.began(), end, Progress.Call::isRead),
                        connected.answeredAfterMillis(loss.ended()),
                        web.longestMillis(loss.began(), end, any -> true),
                        connected.between(loss.began(), end, Progress.Call::isRead));
    }

    private long perSecond(long from, long to) {
        return Math.round(connected.between(from, to) * 1e9 / (to - from));
    }

    @Override
    public String toString() {
        List<String> all = new ArrayList<>();
        all.add(
                "| lost | s | ops/s before / meanwhile / in its last 2 s | longest write, ms | longest read | longest time without"
                        + " a write | without a read | until all that waited at its end were answered | longest call of a client without TCP |"
                        + " reads checked |");
        all.add("|---|---|---|---|---|---|---|---|---|---|");
        losses.forEach(each -> all.add(row(each)));
        all.addAll(lines);
        return String.join("\n", all) + "\n";
    }
}
