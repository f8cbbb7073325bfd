package io.lambdafs.benchmarks.memory;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Counts the bytes of all live objects, one by one in the JVM ({@code jcmd GC.class_histogram}), whatever its
 * collector.
 */
final class LiveHeap {
    /** The most by which an idle heap changes between two counts. */
    private static final long QUIET_BYTES = 16 << 10;

    private static final int LOOKS = 20;

    private LiveHeap() {}

    /** Collects the whole heap and counts its bytes until other activity in this JVM no longer changes the count. */
    static long bytes() {
        long before = count();
        for (int look = 1; look < LOOKS; look++) {
            long now = count();
            if (Math.abs(now - before) <= QUIET_BYTES) {
                return now;
            }
            before = now;
        }
        return before;
    }

    private static long count() {
        String histogram;
        try {
            histogram = (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new IllegalStateException("this JVM does not count its objects", e);
        }
        // The last line: Total, instances, bytes.
        String[] total =
                histogram.substring(histogram.lastIndexOf("Total")).trim().split("\\s+");
        return Long.parseLong(total[2]);
    }
}
