package io.lambdafs.coordinator.session;

import io.lambdafs.model.time.Scheduler;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A serial executor on a scheduler: runs tasks one at a time, in order. Thread-safe. The queue is bounded by its users:
 * one task per pending call or timer.
 */
final class Serial implements Executor {
    private static final Logger log = LoggerFactory.getLogger(Serial.class);

    private final Scheduler scheduler;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean running;

    Serial(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public void execute(Runnable task) {
        synchronized (this) {
            waiting.add(task);
            if (running) {
                return;
            }
            running = true;
        }
        try {
            scheduler.execute(this::drain);
        } catch (RuntimeException full) {
            // A session step must not be lost to a full queue: timed tasks are offered again until accepted.
            Scheduler.Essential later = this::drain;
            scheduler.schedule(0, later);
        }
    }

    private void drain() {
        while (true) {
            Runnable task;
            synchronized (this) {
                task = waiting.poll();
                if (task == null) {
                    running = false;
                    return;
                }
            }
            try {
                task.run();
            } catch (RuntimeException e) {
                log.error("A step of the instance session failed; this is a defect", e);
            }
        }
    }
}
