package io.lambdafs.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Seeds that nobody has tried yet, for {@code -Dlambdafs.simulate.fresh.seconds} (20 by default). What they find is reported, with
 * the command that replays it, in {@code target/simulation}, and does not fail the build: it would fail somebody else's change.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class FreshSeedsTest {
    @Test
    void shouldReportWhatFreshSeedsFind() throws IOException {
        long seconds = Long.getLong("lambdafs.simulate.fresh.seconds", 20);
        assumeThat(seconds).as("switched off").isPositive();
        long first = new SplittableRandom().nextLong(1L << 40);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        Simulation.Statistics all = Simulation.Statistics.NONE;
        List<String> lines = new ArrayList<>();
        long seed = first;
        do {
            Simulation.Outcome outcome = Simulation.run(seed++);
            all = all.plus(outcome.statistics());
            if (outcome.violation() != null) {
                lines.add(SimulationMain.report(outcome));
            }
        } while (System.nanoTime() < end);
        lines.add("seeds " + first + " to " + (seed - 1) + ": " + all);
        lines.forEach(System.out::println);
        Path report = Path.of("target", "simulation", "fresh-seeds.txt");
        Files.createDirectories(report.getParent());
        Files.write(report, lines);
        assertThat(all.operations()).isPositive();
    }
}
