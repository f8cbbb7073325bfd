package io.lambdafs.cli.micro;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The end of a process's log, for the message that says how it ended. Stateless. */
final class LogTail {
    private static final int LINES = 5;

    private LogTail() {}

    /** What follows a message: nothing where there is nothing to say. */
    static String of(Path log) {
        try {
            List<String> lines = new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("\tat "))
                    .toList();
            return lines.isEmpty()
                    ? ""
                    : "; it said:\n    "
                            + String.join("\n    ", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
        } catch (IOException e) {
            return "";
        }
    }
}
