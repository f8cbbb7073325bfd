package io.lambdafs.cli.memory;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** The bytes of all objects that are alive, counted by the JVM one by one ({@code jcmd GC.class_histogram}), whatever its collector. */
final class LiveHeap {
    private LiveHeap() {}

    /** Collects the whole heap and counts. */
    static long bytes() {
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
