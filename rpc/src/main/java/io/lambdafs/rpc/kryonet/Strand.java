package io.lambdafs.rpc.kryonet;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A serial executor without a thread (as in Boost.Asio): one thread at a time is inside, and runs the tasks left by
 * others before it leaves. Submitting a task never waits. Thread-safe.
 */
final class Strand {
    private static final Logger LOG = LoggerFactory.getLogger(Strand.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** Returns whether the caller is inside. */
    boolean isHeld() {
        return lock.isHeldByCurrentThread();
    }

    /** Waits until no thread is inside, then runs a task and those left meanwhile. Must not be called from inside. */
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

    /** Picks up a task left after the thread inside had checked for the last time. */
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
