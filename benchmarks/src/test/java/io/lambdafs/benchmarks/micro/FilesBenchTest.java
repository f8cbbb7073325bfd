package io.lambdafs.benchmarks.micro;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.benchmarks.peers.Target;
import io.lambdafs.benchmarks.peers.Targets;
import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.cluster.terminal.Console;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilesBenchTest {
    @TempDir
    private Path folder;

    @Test
    void shouldWriteAndReadSmallFilesOfEachSize() throws Exception {
        Path there = Files.createDirectory(folder.resolve("there"));
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        FilesBench.Settings settings = new FilesBench.Settings(1, 8, List.of(1, 64, 2_048), 2, 1, 0);
        Target target = Targets.other(there.toUri(), null, List.of());
        Map<String, Map<String, List<Double>>> rates =
                new FilesBench(settings, new Console(nowhere, nowhere, 0)).run(List.of(target), folder);
        assertThat(rates)
                .containsOnlyKeys(
                        "write",
                        "read",
                        "reread",
                        "create-1k",
                        "open-1k",
                        "create-64k",
                        "open-64k",
                        "create-2048k",
                        "open-2048k");
        assertThat(rates.values())
                .allSatisfy(each -> assertThat(each.values())
                        .allSatisfy(rate -> assertThat(rate)
                                .hasSize(1)
                                .allSatisfy(one -> assertThat(one).isPositive())));
        JsonNode json = FilesCommand.json(settings, 0, rates);
        assertThat(json.path("create-64k").path(target.name()).path("median").asDouble())
                .isPositive();
        try (Stream<Path> left = Files.list(there)) {
            assertThat(left).as("what it made is gone").isEmpty();
        }
    }

    @Test
    void shouldWriteFewerFilesWhereAllWouldTakeTooLong() throws Exception {
        Path there = Files.createDirectory(folder.resolve("there"));
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        FilesBench.Settings settings = new FilesBench.Settings(1, 10_000, List.of(1), 2, 1, 1);
        new FilesBench(settings, new Console(nowhere, nowhere, 0))
                .run(List.of(Targets.other(there.toUri(), null, List.of())), folder);
        assertThat(Files.readAllLines(folder.resolve("files-0-0.log.out")))
                .filteredOn(line -> line.startsWith("create-1k"))
                .singleElement()
                .satisfies(line ->
                        assertThat(Integer.parseInt(line.split(" ", -1)[1])).isBetween(2, 9_999));
    }

    @Test
    void shouldRefuseSizesThatNoPatternFills() {
        CommandRun run = CommandRun.ofCommand(FilesCommand::new, "--size", "4,8193");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("--size is 1..8192 KB, not 8193");
    }
}
