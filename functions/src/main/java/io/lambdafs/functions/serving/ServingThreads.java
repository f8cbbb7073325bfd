package io.lambdafs.functions.serving;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Measures the CPU time of threads with certain names. Looks for new threads at every {@value #LOOK_EVERY}th reading. A
 * reading takes one system call per thread. Thread-safe.
 */
public final class ServingThreads implements LongSupplier {
    private static final int LOOK_EVERY = 100;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final List<String> namePrefixes;
    private final Map<Long, Long> used = new HashMap<>();
    private int readings;

    public ServingThreads(List<String> namePrefixes) {
        this.namePrefixes = List.copyOf(namePrefixes);
    }

    /** Returns nanoseconds so far, including threads that have ended. */
    @Override
    public synchronized long getAsLong() {
        if (readings++ % LOOK_EVERY == 0) {
            look();
        }
        long sum = 0;
        for (Map.Entry<Long, Long> thread : used.entrySet()) {
            long now = threads.getThreadCpuTime(thread.getKey());
            if (now > thread.getValue()) {
                thread.setValue(now);
            }
            sum += thread.getValue();
        }
        return sum;
    }

    private void look() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        Thread[] all = new Thread[group.activeCount() * 2 + 16];
        int count = group.enumerate(all);
        for (int i = 0; i < count; i++) {
            Thread thread = all[i];
            if (namePrefixes.stream().anyMatch(thread.getName()::startsWith)) {
                used.putIfAbsent(thread.getId(), 0L);
            }
        }
    }
}
