package io.lambdafs.hammer.scale;

import io.lambdafs.simulation.Agenda;
import java.util.Arrays;

/** Processors that do pieces of work whole, first come, first served. Not thread-safe. */
final class Processors {
    /** What is longer takes turns with other work, as the system's scheduler has it. */
    private static final long SLICE_NANOS = 1_000_000;

    private final Agenda agenda;
    private final long[] freeAt;
    private long usedNanos;

    Processors(Agenda agenda, int count) {
        this.agenda = agenda;
        this.freeAt = new long[count];
        Arrays.fill(freeAt, agenda.now());
    }

    int count() {
        return freeAt.length;
    }

    /** Processor time given away so far. */
    long usedNanos() {
        return usedNanos;
    }

    /** Takes the next processor that is free, from then or now on; answers when the work will be done. */
    long reserve(long nanos) {
        return reserve(agenda.now(), nanos);
    }

    /** The same for work that comes at a time from now on; work is served in the order of these calls. */
    long reserve(long comes, long nanos) {
        int first = 0;
        for (int i = 1; i < freeAt.length; i++) {
            if (freeAt[i] < freeAt[first]) {
                first = i;
            }
        }
        long done = Math.max(comes, freeAt[first]) + nanos;
        freeAt[first] = done;
        usedNanos += nanos;
        return done;
    }

    /** Lets other programs take a share of the processors from now on, in slices that come at random. */
    void disturb(double share, long sliceNanos) {
        if (share > 0 && sliceNanos > 0) {
            double apart = sliceNanos / (share * freeAt.length);
            long next = (long) (-Math.log(1 - agenda.random().nextDouble()) * apart);
            agenda.after(next, () -> {
                reserve(sliceNanos);
                disturb(share, sliceNanos);
            });
        }
    }

    /** Does a piece of work, and then something. */
    void work(long nanos, Runnable then) {
        agenda.at(reserve(nanos), then);
    }

    /** Does a long piece of work in slices between which others have their turn. */
    void slices(long nanos, Runnable then) {
        if (nanos <= SLICE_NANOS) {
            work(nanos, then);
        } else {
            work(SLICE_NANOS, () -> slices(nanos - SLICE_NANOS, then));
        }
    }
}
