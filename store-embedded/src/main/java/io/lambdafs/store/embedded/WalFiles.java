package io.lambdafs.store.embedded;

import io.lambdafs.model.disk.DirectorySync;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Finds and cuts the files of the write-ahead log, {@code 000123.log}. Stateless. */
final class WalFiles {
    private WalFiles() {}

    /** Lists log files by number. */
    static NavigableMap<Long, Path> list(Path directory) throws IOException {
        NavigableMap<Long, Path> files = new TreeMap<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, "*.log")) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                String digits = name.substring(0, name.length() - ".log".length());
                if (!digits.isEmpty() && digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
                    files.put(Long.parseLong(digits), entry);
                }
            }
        }
        return files;
    }

    /** Returns the bytes of the log after a position. */
    static long bytesAfter(Path directory, WalWatermark.Position position) throws IOException {
        long bytes = 0;
        for (var entry : list(directory).tailMap(position.wal(), true).entrySet()) {
            long size = Files.size(entry.getValue());
            bytes += entry.getKey() == position.wal() ? Math.max(0, size - position.length()) : size;
        }
        return bytes;
    }

    /** Permanently removes everything after a position from a closed log; returns the bytes removed. */
    static long cutBack(Path directory, WalWatermark.Position position) throws IOException {
        long cut = bytesAfter(directory, position);
        for (var entry : list(directory).tailMap(position.wal(), true).entrySet()) {
            if (entry.getKey() > position.wal()) {
                Files.delete(entry.getValue());
            } else if (Files.size(entry.getValue()) > position.length()) {
                try (FileChannel channel = FileChannel.open(entry.getValue(), StandardOpenOption.WRITE)) {
                    channel.truncate(position.length());
                    channel.force(true);
                }
            }
        }
        DirectorySync.sync(directory);
        return cut;
    }
}
