package io.lambdafs.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The examples, small, on a cluster of real processes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class ExamplesTest {
    @TempDir
    static Path directory;

    private LocalCluster cluster;

    @BeforeAll
    void start() {
        cluster = new LocalCluster(new ClusterDirectory(directory.resolve("cluster")), Console.ofProcess());
        cluster.start(LocalCluster.StartOptions.none());
    }

    @AfterAll
    void stop() {
        cluster.stop();
    }

    private int run(String... arguments) {
        String[] all = new String[arguments.length + 2];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "--dir";
        all[arguments.length + 1] = directory.resolve("cluster").toString();
        return Main.run(all);
    }

    @Test
    void shouldSortAndValidate() {
        // Blocks of 1 MB: input and output have several.
        assertThat(run("terasort", "--megabytes", "5", "--block-size", "1048576"))
                .isZero();
    }

    @Test
    void shouldLoseNoCommitOfWritersAtOnce() {
        assertThat(run("iceberg", "--writers", "4", "--commits", "3")).isZero();
    }

    @Test
    void shouldAddUpWithSpark() {
        assertThat(run("spark", "--rows", "20000")).isZero();
    }

    @Test
    void shouldWriteAndReadInParallel() {
        assertThat(run("dfsio", "--files", "2", "--megabytes", "2")).isZero();
    }

    @Test
    void shouldCopyATree() throws IOException {
        Path tree = Files.createDirectories(directory.resolve("tree/a/b"));
        Files.write(tree.resolve("long"), new byte[300_000]);
        Files.write(tree.resolve("short"), new byte[300]);
        Files.createFile(tree.resolve("empty"));
        assertThat(run("distcp", directory.resolve("tree").toUri().toString())).isZero();
    }

    private static Set<Path> scratch() throws IOException {
        try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return all.filter(each -> each.getFileName().toString().startsWith("lambdafs-example-"))
                    .collect(Collectors.toSet());
        }
    }

    /** Three minutes of both processors: {@code ./lambdafs test --experiments}. */
    @EnabledIfSystemProperty(named = "lambdafs.experiments", matches = "true")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    @Test
    void shouldCompareJobsWithS3a() throws IOException {
        Path report = directory.resolve("report");
        String[] small = {"--megabytes", "2", "--files", "2", "--file-megabytes", "1", "--rounds", "1"};
        String[] all = Arrays.copyOf(small, small.length + 2);
        all[small.length] = "--report";
        all[small.length + 1] = report.toString();
        Set<Path> before = scratch();
        assertThat(JobsCommand.run(all)).isZero();
        assertThat(scratch()).isEqualTo(before);
        JsonNode rows = new ObjectMapper()
                .readTree(report.resolve("jobs.json").toFile())
                .path("results");
        assertThat(rows)
                .hasSize(5 * 3)
                .allSatisfy(row ->
                        assertThat(row.path("megabytesPerSecond").asDouble()).isPositive());
        assertThat(JobsCommand.run("--rounds", "0")).isEqualTo(2);
    }

    @Test
    void shouldTellWrongUsage() {
        assertThat(Main.run()).isEqualTo(2);
        assertThat(Main.run("terasort", "--megabytes", "many")).isEqualTo(2);
        assertThat(run("distcp", directory.resolve("missing").toUri().toString()))
                .isEqualTo(1);
    }
}
