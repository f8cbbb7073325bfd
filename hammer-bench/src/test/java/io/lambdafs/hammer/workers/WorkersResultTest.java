package io.lambdafs.hammer.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.SampleResult;
import io.lambdafs.hammer.workload.Workload;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class WorkersResultTest {
    private static final Share DONE = new Share("worker-1", "host:1, process 2", 1_500, 250, 4_000, 4_000, 3, null);
    private static final Share LOST =
            new Share("worker-2", "host:3, process 4", -2_000, 50, 5_000, 1_200, 0, "at 3.0 s, it ended");

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Console console() {
        return new Console(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                0);
    }

    @Test
    void shouldTellOfEachShareInALine() {
        assertThat(DONE.line())
                .isEqualTo(
                        "worker-1 (host:1, process 2, clock +1.500 ms ± 0.250): 4,000 of 4,000 operations done, 3 failed");
        assertThat(LOST.line())
                .isEqualTo(
                        "worker-2 (host:3, process 4, clock -2.000 ms ± 0.050): LOST at 3.0 s, it ended: 1,200 of 5,000"
                                + " operations done; the other 3,800 of its share are not in the figures");
    }

    @Test
    void shouldFailWhereAWorkerWasLost() throws Exception {
        WorkersResult result = new WorkersResult(SampleResult.whole(), List.of(DONE, LOST));
        assertThat(result.lost()).isOne();
        assertThat(result.show(console(), folder, true)).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("1 of 2 workers were lost");
        JsonNode json = new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));
        assertThat(json.path("operations").asLong()).isEqualTo(9_000);
        assertThat(json.path("workers").get(0))
                .hasToString("{\"worker\":\"worker-1\",\"process\":\"host:1, process 2\",\"clockMicros\":1500,"
                        + "\"clockErrorMicros\":250,\"meant\":4000,\"done\":4000,\"failed\":3,\"lost\":null}");
        assertThat(json.path("workers").get(1).path("lost").asText()).isEqualTo("at 3.0 s, it ended");
        assertThat(Files.exists(folder.resolve("report.html"))).isTrue();
    }

    @Test
    void shouldBeASuccessWhereAllHaveEnded() {
        WorkersResult result = new WorkersResult(SampleResult.whole(), List.of(DONE));
        assertThat(result.show(console(), folder, false)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).startsWith(DONE.line()).contains("9,000 operations in 30.1 s");
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        ReplayResult failed = SampleResult.with(2, List.of("stat /a: late"));
        assertThat(new WorkersResult(failed, List.of(DONE)).show(console(), folder, true))
                .isEqualTo(1);
        assertThat(new WorkersResult(failed, List.of(DONE)).show(console(), folder, false))
                .isEqualTo(1);
    }

    @CommandLine.Command
    private static final class Host {
        @CommandLine.Mixin
        private final WorkersOptions options = new WorkersOptions();
    }

    private static boolean any(String... words) {
        Host host = new Host();
        new CommandLine(host).parseArgs(words);
        return host.options.any();
    }

    private static void share(double baseOps, String... words) {
        Host host = new Host();
        new CommandLine(host).parseArgs(words);
        host.options.check(Workload.spotify(Duration.ofSeconds(10), baseOps, 1));
    }

    @Test
    void shouldRefuseALoadThatIsTooSmallToShare() {
        share(16, "--workers", "16");
        share(1);
        share(1_024, "--workers", "24", "--await-workers", "1000");
        assertThatThrownBy(() -> share(10, "--workers", "16"))
                .hasMessageContaining("10 operations per second is less than 1 for each of 16 workers");
        assertThatThrownBy(() -> share(1e6, "--workers", "25", "--await-workers", "1000"))
                .hasMessageContaining("are 1024 together at most, not 1025");
    }

    @Test
    void shouldTakeWorkersOfThisMachineAndOfOthers() {
        assertThat(any()).isFalse();
        assertThat(any("--workers", "1")).isTrue();
        assertThat(any("--await-workers", "2")).isTrue();
        assertThat(any("--workers", "64", "--await-workers", "1000", "--await-seconds", "86400"))
                .isTrue();
        assertThatThrownBy(() -> any("--workers", "65")).hasMessageContaining("--workers is 0..64");
        assertThatThrownBy(() -> any("--workers", "-1")).hasMessageContaining("--workers is 0..64");
        assertThatThrownBy(() -> any("--await-workers", "1001")).hasMessageContaining("--await-workers is 0..1000");
        assertThatThrownBy(() -> any("--await-seconds", "0")).hasMessageContaining("--await-seconds is 1..86400");
        assertThatThrownBy(() -> any("--listen", "here")).hasMessageContaining("--listen is HOST:PORT");
    }
}
