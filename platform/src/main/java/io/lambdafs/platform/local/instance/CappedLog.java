package io.lambdafs.platform.local.instance;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The log file to which a child process appends its output. The child holds it open, so it cannot be renamed: beyond
 * the limit it is copied to {@code NAME.1} and truncated, and the child goes on at its start. Thread-safe.
 */
final class CappedLog implements InstanceLog {
    private final Path file;
    private final long maxBytes;
    private long cutBytes;

    CappedLog(Path file, long maxBytes) {
        this.file = file;
        this.maxBytes = maxBytes;
    }

    Path file() {
        return file;
    }

    private Path previous() {
        return file.resolveSibling(file.getFileName() + ".1");
    }

    @Override
    public synchronized long position() {
        return cutBytes + size();
    }

    private long size() {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0; // Removed with other old logs: nothing is left to read.
        }
    }

    /** Rotates the file once it exceeds half the limit, so that both parts together stay within the limit. */
    synchronized void cap() throws IOException {
        long size = size();
        if (size > maxBytes / 2) {
            Files.copy(file, previous(), StandardCopyOption.REPLACE_EXISTING);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(0);
            }
            cutBytes += size;
        }
    }

    @Override
    public synchronized List<String> lines(long from, long to, int maxRead) throws IOException {
        long begin = Math.max(0, from - cutBytes);
        long length = Math.min(Math.min(to - cutBytes, size()) - begin, maxRead);
        if (length <= 0) {
            return List.of();
        }
        ByteBuffer buffer = ByteBuffer.allocate((int) length);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            while (buffer.hasRemaining() && channel.read(buffer, begin + buffer.position()) >= 0) {
                // Reads until the part is whole or the file ends.
            }
        }
        return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }
}
