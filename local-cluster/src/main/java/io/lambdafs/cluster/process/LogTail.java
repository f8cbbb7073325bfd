package io.lambdafs.cluster.process;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Returns the end of a process's log, for messages about its failure. Stateless. */
public final class LogTail {
    private static final int MOST_BYTES = 8 << 10;
    private static final int LINES = 5;

    private LogTail() {}

    /** Returns text to append to a message; empty if the log is. */
    public static String of(Path log) {
        try {
            String lines = lines(log);
            return lines.isEmpty() ? "" : "; it said:\n    " + lines;
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns its last lines, without blank ones and stack traces. */
    static String lines(Path log) throws IOException {
        List<String> lines = new String(end(log), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("\tat "))
                .toList();
        return String.join("\n    ", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    }

    private static byte[] end(Path log) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(log)) {
            channel.position(Math.max(0, channel.size() - MOST_BYTES));
            return Channels.newInputStream(channel).readNBytes(MOST_BYTES);
        }
    }
}
