package io.lambdafs.systemtests.chaos;

import io.lambdafs.systemtests.ClusterUnderTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does faults to a cluster, one after the other and now and then two at once, by a seed. Confined to one thread, but for {@link #stop}. */
final class Faults {
    private static final Logger LOG = LoggerFactory.getLogger(Faults.class);
    private static final int MIN_REST_MILLIS = 500;
    private static final int MAX_REST_MILLIS = 2_500;
    private static final int ONE_OF_HOW_MANY_IS_DOUBLE = 6;

    private final ClusterUnderTest cluster;
    private final Victims victims;
    private final Set<Fault> possible;
    private final SplittableRandom random;
    private final List<Episode> episodes = new ArrayList<>();
    private final CountDownLatch stopped = new CountDownLatch(1);

    /**
     * Faults and their times, in nanoseconds of this process's clock.
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

    Faults(ClusterUnderTest cluster, Victims victims, long seed) {
        this.cluster = cluster;
        this.victims = victims;
        this.possible = victims.possible();
        this.random = new SplittableRandom(seed);
    }

    /** Goes on until it is stopped; whatever is paused or gone then runs again. */
    void run() throws Exception {
        while (rest(random.nextInt(MIN_REST_MILLIS, MAX_REST_MILLIS + 1))) {
            List<Fault> faults = new ArrayList<>(List.of(Fault.random(possible, random)));
            if (random.nextInt(ONE_OF_HOW_MANY_IS_DOUBLE) == 0) {
                Fault second = Fault.random(possible, random);
                if (second.mayMeet(faults.get(0))) {
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

    /**
     * Does these at once, and undoes them after a time.
     *
     * @return false where one finds no victim, and nothing was done, or one could not be seen to happen
     */
    boolean happen(List<Fault> faults, Duration duration) throws Exception {
        List<Hit> hits = victims.find(faults, random);
        if (hits.size() < faults.size()) {
            return false;
        }
        long began = System.nanoTime();
        long ended;
        boolean happened = true;
        LOG.info("{} for {} ms", hits, duration.toMillis());
        try {
            for (Hit each : hits) {
                each.begin();
            }
            rest(duration.toMillis());
            ended = System.nanoTime();
            // What is paused goes on first: an instance is not gone before its gateway has noticed.
            List<Hit> pausedFirst = new ArrayList<>(hits);
            pausedFirst.sort(Comparator.comparing(Hit::isForGood));
            for (Hit each : pausedFirst) {
                happened &= each.end();
            }
        } finally {
            for (Hit each : hits) {
                each.cleanUp();
            }
        }
        if (hits.stream().anyMatch(Hit::leavesServiceToStart)) {
            cluster.start();
        }
        if (happened) {
            episodes.add(new Episode(faults, duration, began, ended, System.nanoTime()));
        }
        return happened;
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
