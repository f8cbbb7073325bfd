package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Modules that have drawn in what is not theirs before keep to a size. */
class ModuleSizeTest {
    /** The command line has commands; what they command has a module of its own. */
    private static final long MOST_LINES_OF_CLI = 2_500;

    @Test
    void shouldKeepTheCommandLineToItsCommands() throws IOException {
        assertThat(lines(Room.CLI)).isBetween(1L, MOST_LINES_OF_CLI);
    }

    private static long lines(Room room) throws IOException {
        Path sources = Path.of("..", room.folder(), "src", "main", "java");
        long lines = 0;
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                try (Stream<String> each = Files.lines(file)) {
                    lines += each.count();
                }
            }
        }
        return lines;
    }
}
