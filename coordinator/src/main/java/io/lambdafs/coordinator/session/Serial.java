package io.lambdafs.coordinator.session;

import io.lambdafs.model.Scheduler;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time, in the order in which they were given, on a scheduler. Thread-safe. What waits is bounded by
 * its users: each gives a task per call or timer that it has under way.
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
            // A step of the session must not be lost to a busy moment: what is timed is offered again until it is
            // taken.
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
