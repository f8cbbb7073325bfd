package io.lambdafs.systemtests.chaos;

import io.lambdafs.systemtests.ClusterUnderTest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does faults to a cluster, one after the other and now and then two at once, by a seed. Confined to one thread, but for {@link #stop}. */
final class Faults {
    private static final Logger LOG = LoggerFactory.getLogger(Faults.class);
    private static final long SAMPLE_MILLIS = 700;
    private static final int MIN_REST_MILLIS = 500;
    private static final int MAX_REST_MILLIS = 2_500;
    private static final int ONE_OF_HOW_MANY_IS_DOUBLE = 6;

    private final ClusterUnderTest cluster;
    private final SplittableRandom random;
    private final List<Episode> episodes = new ArrayList<>();
    private final CountDownLatch stopped = new CountDownLatch(1);

    /**
     * What was done, and when: nanoseconds of this process's clock.
     *
     * @param restored when every process ran again
     */
    record Episode(List<Fault> faults, Duration duration, long began, long ended, long restored) {
        String name() {
            return String.join(
                    " + ",
                    faults.stream()
                            .map(each -> each.name().toLowerCase(Locale.ROOT))
                            .toList());
        }
    }

    private record Victim(Fault fault, ProcessHandle process) {}

    Faults(ClusterUnderTest cluster, long seed) {
        this.cluster = cluster;
        this.random = new SplittableRandom(seed);
    }

    /** Goes on until it is stopped; whatever is paused or gone then runs again. */
    void run() throws Exception {
        while (rest(random.nextInt(MIN_REST_MILLIS, MAX_REST_MILLIS + 1))) {
            List<Fault> faults = new ArrayList<>(List.of(Fault.random(random)));
            if (random.nextInt(ONE_OF_HOW_MANY_IS_DOUBLE) == 0) {
                Fault second = Fault.random(random);
                if (second.isInstance() || !second.victim().equals(faults.get(0).victim())) {
                    faults.add(second);
                }
            }
            happen(faults, faults.get(0).duration(random));
        }
    }

    /** False once it is to end. */
    private boolean rest(long millis) throws InterruptedException {
        return !stopped.await(millis, TimeUnit.MILLISECONDS);
    }

    void stop() {
        stopped.countDown();
    }

    /** Does these at once, and undoes them after a time. */
    void happen(List<Fault> faults, Duration duration) throws Exception {
        List<Victim> victims = victims(faults);
        if (victims.size() < faults.size()) {
            return;
        }
        Episode planned = new Episode(faults, duration, System.nanoTime(), 0, 0);
        LOG.info("{} for {} ms: {}", planned.name(), duration.toMillis(), victims);
        try {
            for (Victim each : victims) {
                if (each.fault().kills()) {
                    each.process().destroyForcibly();
                } else {
                    signal("STOP", each.process());
                }
            }
            rest(duration.toMillis());
        } finally {
            for (Victim each : victims) {
                if (!each.fault().kills()) {
                    signal("CONT", each.process());
                }
            }
        }
        long ended = System.nanoTime();
        if (faults.stream().anyMatch(each -> each.kills() && !each.isInstance())) {
            for (Victim each : victims) {
                if (each.fault().kills()) {
                    each.process().onExit().get(10, TimeUnit.SECONDS);
                }
            }
            cluster.start();
        }
        episodes.add(new Episode(faults, duration, planned.began(), ended, System.nanoTime()));
    }

    private List<Victim> victims(List<Fault> faults) throws IOException, InterruptedException {
        List<Victim> victims = new ArrayList<>();
        List<ProcessHandle> serving = faults.stream().anyMatch(Fault::isInstance) ? servedLately() : new ArrayList<>();
        for (Fault each : faults) {
            Optional<ProcessHandle> process = !each.isInstance()
                    ? cluster.service(each.victim())
                    : serving.isEmpty()
                            ? Optional.empty()
                            : Optional.of(serving.remove(random.nextInt(serving.size())));
            process.ifPresent(found -> victims.add(new Victim(each, found)));
        }
        return victims;
    }

    /** Instances that used more processor time within the last second than the chores of an idle one do: the busier half. */
    private List<ProcessHandle> servedLately() throws InterruptedException {
        List<ProcessHandle> instances = cluster.instances();
        Map<ProcessHandle, Long> before = new HashMap<>();
        instances.forEach(each -> before.put(each, processorNanos(each)));
        rest(SAMPLE_MILLIS);
        List<ProcessHandle> byUse = new ArrayList<>(instances);
        byUse.sort(Comparator.comparingLong(each -> before.getOrDefault(each, 0L) - processorNanos(each)));
        return new ArrayList<>(byUse.subList(0, (byUse.size() + 1) / 2));
    }

    private static long processorNanos(ProcessHandle process) {
        return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
    }

    private static void signal(String name, ProcessHandle process) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    /** The first time that a fault came alone. */
    Episode first(Fault fault) {
        return episodes.stream()
                .filter(each -> each.faults().equals(List.of(fault)))
                .findFirst()
                .orElseThrow();
    }

    List<Episode> episodes() {
        return List.copyOf(episodes);
    }
}
