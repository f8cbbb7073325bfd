package io.lambdafs.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The gate: fixed seeds, which must pass, and pass the same way everywhere. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SimulationTest {
    private static final long FIRST_SEED = 1_001;

    @Test
    void shouldExplainWhateverClientsAreAnsweredUnderFaults() {
        Simulation.Statistics all = Simulation.Statistics.NONE;
        Simulation.Statistics caching = Simulation.Statistics.NONE;
        long seeds = Long.getLong("lambdafs.simulate.seeds", 12);
        for (long seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
            Simulation.Outcome outcome = Simulation.run(seed);
            assertThat(outcome.violation())
                    .as(() -> SimulationMain.report(outcome))
                    .isNull();
            all = all.plus(outcome.statistics());
            boolean caches =
                    outcome.statistics().cacheless() + outcome.statistics().pauses() == 0;
            caching = caches ? caching.plus(outcome.statistics()) : caching;
        }
        System.out.println(all);
        assertThat(all.writes()).as("a third of it writes").isGreaterThan(all.operations() * 3 / 10);
        assertThat(all.denied()).as("refused for want of a right").isGreaterThan(all.writes() / 20);
        assertThat(all.awaiting())
                .as("two of five writes that are not denied await others")
                .isGreaterThan((all.writes() - all.denied()) * 2 / 5);
        assertThat(all.unknown()).as("operations with an unknown outcome").isLessThan(all.operations() / 500);
        assertThat(all.subtrees()).as("directories as a whole").isGreaterThan(all.operations() / 20);
        assertThat(caching.hits()).as("reads answered by caches").isGreaterThan(caching.reads() / 2);
        assertThat(Workload.paths()).hasSizeLessThanOrEqualTo(50);
        assertThat(all.faults()).isGreaterThan(10 * seeds);
        assertThat(all.twins()).isGreaterThan(seeds);
        assertThat(all.stragglers()).as("sent elsewhere while under way").isGreaterThan(10 * seeds);
        assertThat(all.strays()).as("sent to other deployments").isGreaterThan(10 * seeds);
        assertThat(all.cacheless()).as("instances that cache nothing").isGreaterThan(seeds);
        assertThat(all.resizes()).as("changes of the number of deployments").isGreaterThan(seeds / 2);
        assertThat(all.pauses()).as("instances paused between calls").isGreaterThan(50 * seeds);
        assertThat(all.givenUp())
                .as("runs that could not be checked to their end")
                .isLessThanOrEqualTo((int) (seeds / 20));
    }

    @Test
    void shouldRunTheSameSeedTheSameWayInEveryProcess() throws IOException, InterruptedException {
        Simulation.Outcome first = Simulation.run(FIRST_SEED);
        Simulation.Outcome again = Simulation.run(FIRST_SEED);
        assertThat(again).isEqualTo(first);
        assertThat(inAnotherProcess(FIRST_SEED)).contains("history " + Long.toHexString(first.hash()) + ":");
    }

    private static String inAnotherProcess(long seed) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        SimulationMain.class.getName(),
                        "--seed",
                        Long.toString(seed))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
