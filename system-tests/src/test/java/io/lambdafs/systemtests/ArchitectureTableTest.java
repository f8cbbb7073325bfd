package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of modules in docs/ARCHITECTURE.md says what the POMs say: every module, and what it builds on. */
class ArchitectureTableTest {
    @Test
    void shouldListEveryModule() throws IOException {
        assertThat(table().keySet()).containsExactlyInAnyOrderElementsOf(Reactor.folders());
    }

    @Test
    void shouldNameWhatEachModuleBuildsOn() throws IOException {
        Map<String, Set<String>> table = table();

        assertThat(Reactor.folders()).hasSizeGreaterThan(12);
        for (String folder : Reactor.folders()) {
            if (!folder.equals("system-tests")) {
                assertThat(Reactor.reaches(folder, table)).as(folder).isEqualTo(Reactor.reaches(folder));
            }
        }
    }

    @Test
    void shouldHaveARoomForEveryModuleThatShipsCode() {
        Set<String> rooms =
                Arrays.stream(Room.values()).map(Room::folder).collect(Collectors.toCollection(TreeSet::new));

        assertThat(Reactor.folders()).containsAll(rooms);
        assertThat(Reactor.folders().stream().filter(folder -> Code.hasSources(folder) && !folder.equals("examples")))
                .containsExactlyInAnyOrderElementsOf(rooms);
    }

    /** Rows of folder, contents, and the folders that it depends on. */
    private static Map<String, Set<String>> table() throws IOException {
        Map<String, Set<String>> rows = new LinkedHashMap<>();
        for (String line : Files.readAllLines(Path.of("..", "docs", "ARCHITECTURE.md"))) {
            String[] cells = line.split("\\|", -1);
            if (cells.length == 5 && cells[1].strip().matches("`[a-z0-9/-]+`")) {
                Set<String> uses = Arrays.stream(cells[3].strip().split(", "))
                        .filter(name -> !name.equals("–"))
                        .collect(Collectors.toSet());
                rows.put(cells[1].strip().replace("`", ""), uses);
            }
        }
        return rows;
    }
}
