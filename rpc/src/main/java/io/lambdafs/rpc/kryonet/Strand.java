package io.lambdafs.rpc.kryonet;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loop without a thread of its own: one thread at a time is inside, and does what others leave it before it goes. Who only wants
 * something done never waits for it. Thread-safe.
 */
final class Strand {
    private static final Logger LOG = LoggerFactory.getLogger(Strand.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** Returns whether the caller is inside. */
    boolean isHeld() {
        return lock.isHeldByCurrentThread();
    }

    /** Waits until nobody is inside, then runs a task and what was left meanwhile. Not from inside. */
    void enter(Runnable task) {
        lock.lock();
        try {
            run(task);
            runTasks();
        } finally {
            lock.unlock();
        }
        help();
    }

    /** Runs a task now if no thread is inside; otherwise the thread inside runs it before it leaves. Never waits. */
    void execute(Runnable task) {
        tasks.add(task);
        if (!isHeld()) {
            help();
        }
    }

    /** Picks up a task that was left after the thread inside had looked for the last time. */
    private void help() {
        while (!tasks.isEmpty() && lock.tryLock()) {
            try {
                runTasks();
            } finally {
                lock.unlock();
            }
        }
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            run(task);
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("a task of a connection failed", e);
        }
    }
}
