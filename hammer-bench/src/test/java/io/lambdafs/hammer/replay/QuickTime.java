package io.lambdafs.hammer.replay;

import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;

/**
 * Time that passes at once where somebody waits, and a microsecond where somebody looks: a load takes as long as its operations.
 * Tasks run on the thread that waits or looks. Confined to one thread.
 */
public final class QuickTime implements Time {
    private static final long LOOK_NANOS = 1_000;

    private record Due(long nanos, Runnable task) {}

    private final PriorityQueue<Due> tasks = new PriorityQueue<>((a, b) -> Long.compare(a.nanos, b.nanos));
    private long now;
    private boolean running;

    @Override
    public long nanos() {
        now += LOOK_NANOS;
        runDue();
        return now;
    }

    @Override
    public void pause(long nanos) {
        Due next = tasks.peek();
        now = next == null ? now + nanos : Math.max(now, Math.min(now + nanos, next.nanos));
        runDue();
    }

    @Override
    public void after(long nanos, Runnable task) {
        tasks.add(new Due(now + nanos, task));
    }

    @Override
    public boolean await(CompletableFuture<?> end, long untilNanos) {
        while (!end.isDone()) {
            Due next = tasks.peek();
            if (next == null) {
                throw new IllegalStateException("nothing is left that could end it");
            }
            if (next.nanos > untilNanos) {
                now = Math.max(now, untilNanos);
                return false;
            }
            now = Math.max(now, next.nanos);
            runDue();
        }
        end.join();
        return true;
    }

    private void runDue() {
        if (running) {
            return;
        }
        running = true;
        for (Due next = tasks.peek(); next != null && next.nanos <= now; next = tasks.peek()) {
            tasks.remove();
            next.task.run();
        }
        running = false;
    }
}
