package io.lambdafs.door.mount.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The directories that are mounted, as the kernel lists them. Stateless. */
final class MountTable {
    private static final Path TABLE = Path.of("/proc/self/mounts");
    private static final int OCTAL_DIGITS = 3;

    private MountTable() {}

    /** Returns whether something is mounted at a directory. */
    static boolean has(Path directory) throws IOException {
        return has(Files.readAllLines(TABLE, StandardCharsets.UTF_8), directory);
    }

    static boolean has(List<String> lines, Path directory) {
        return lines.stream()
                .map(line -> line.split(" ", -1))
                .anyMatch(fields -> fields.length > 1 && plain(fields[1]).equals(directory.toString()));
    }

    /** Returns a name as it is: in the table, blanks and backslashes are octal numbers. */
    private static String plain(String field) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < field.length(); at++) {
            char c = field.charAt(at);
            if (c == '\\' && at + OCTAL_DIGITS < field.length()) {
                text.append((char) Integer.parseInt(field.substring(at + 1, at + 1 + OCTAL_DIGITS), 8));
                at += OCTAL_DIGITS;
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }
}
