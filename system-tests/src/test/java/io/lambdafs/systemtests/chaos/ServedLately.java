package io.lambdafs.systemtests.chaos;

import io.lambdafs.functions.metrics.FunctionMetrics;
import io.lambdafs.platform.MetricsPage;
import io.lambdafs.systemtests.ClusterUnderTest;
import io.lambdafs.systemtests.ClusterUnderTest.LiveInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Which instances have served within the last second: those that counted a billed millisecond in it. Confined to one thread. */
final class ServedLately {
    private static final int ATTEMPTS = 5;
    private static final Duration LONGEST_SAMPLE = Duration.ofMillis(600);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final InstancePages pages = new InstancePages(SECOND);
    private final ClusterUnderTest cluster;
    private long longestMillis;

    ServedLately(ClusterUnderTest cluster) {
        this.cluster = cluster;
    }

    /** Empty where none did, or none can be asked in time: then it is tried again for a while. */
    List<LiveInstance> find() {
        List<LiveInstance> served = new ArrayList<>();
        for (int i = 0; i < ATTEMPTS && served.isEmpty(); i++) {
            served = sample();
        }
        return served;
    }

    /** Looks until all have served, or some time is over: then those that have. */
    private List<LiveInstance> sample() {
        long began = System.nanoTime();
        Map<LiveInstance, MetricsPage> before = pages.read(cluster.instances());
        AtomicReference<List<LiveInstance>> served = new AtomicReference<>(new ArrayList<>());
        try {
            Awaitility.await()
                    .atMost(LONGEST_SAMPLE)
                    .pollDelay(POLL)
                    .pollInterval(POLL)
                    .until(() -> {
                        served.set(grown(before));
                        return served.get().size() == before.size();
                    });
        } catch (ConditionTimeoutException notAll) {
            // Whoever has not served is not hit.
        }
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        if (took > SECOND.toMillis()) {
            return new ArrayList<>();
        }
        longestMillis = Math.max(longestMillis, took);
        return served.get();
    }

    private List<LiveInstance> grown(Map<LiveInstance, MetricsPage> before) {
        List<LiveInstance> grown = new ArrayList<>();
        pages.read(List.copyOf(before.keySet())).forEach((instance, page) -> {
            if (billed(page) > billed(before.getOrDefault(instance, page))) {
                grown.add(instance);
            }
        });
        return grown;
    }

    private static double billed(MetricsPage page) {
        return page.sum(FunctionMetrics.BILLED);
    }

    /** The longest time before a choice in which the chosen had served. */
    long longestMillis() {
        return longestMillis;
    }
}
