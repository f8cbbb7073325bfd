package io.lambdafs.hammer.scale;

import io.lambdafs.simulation.Agenda;
import java.util.Arrays;

/** Processors that do whole pieces of work, first come, first served. Not thread-safe. */
final class Processors {
    /** Longer work takes turns with other work, as under the system's scheduler. */
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

    /** Returns the processor time reserved so far. */
    long usedNanos() {
        return usedNanos;
    }

    /** Reserves the next free processor for work that arrives now; returns the time when the work will be done. */
    long reserve(long nanos) {
        return reserve(agenda.now(), nanos);
    }

    /** Reserves a processor for work that arrives now or later; work is served in the order of these calls. */
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

    /** Lets other programs take a share of the processors from now on, in slices at random times. */
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

    /** Does a piece of work, then runs a task. */
    void work(long nanos, Runnable then) {
        agenda.at(reserve(nanos), then);
    }

    /** Does a long piece of work in slices, between which other work takes its turn. */
    void slices(long nanos, Runnable then) {
        if (nanos <= SLICE_NANOS) {
            work(nanos, then);
        } else {
            work(SLICE_NANOS, () -> slices(nanos - SLICE_NANOS, then));
        }
    }
}
