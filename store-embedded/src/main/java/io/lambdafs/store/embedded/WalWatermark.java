package io.lambdafs.store.embedded;

import io.lambdafs.model.disk.DirectorySync;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * Records how much of the write-ahead log is known to be on disk, in the file {@value #FILE} next to it. Written to
 * mapped memory after each fsync and before the commits it made durable are acknowledged, so it survives the death of
 * the process. Two slots with checksums are written alternately, so that one is always intact. One writer.
 */
public final class WalWatermark {
    public static final String FILE = "wal.synced";

    private static final long MAGIC = 0x4c46_5357_414c_0001L; // "LFSWAL", format 1
    private static final int SIZE = 192;
    private static final int SLOT = 64;
    private static final int SLOT_BYTES = 40;

    /**
     * A position in the log.
     *
     * @param wal number of the newest log file
     * @param length of that file, bytes
     * @param sequence number of the last change in it
     */
    public record Position(long wal, long length, long sequence) {}

    private record Slot(long count, Position position) {}

    private final MappedByteBuffer file;
    private long count;

    private WalWatermark(MappedByteBuffer file, long count) {
        this.file = file;
        this.count = count;
    }

    /** Reads the last process's watermark; empty if there is no valid file. */
    public static Optional<Position> read(Path directory) throws IOException {
        try {
            return newest(ByteBuffer.wrap(Files.readAllBytes(directory.resolve(FILE))))
                    .map(Slot::position);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /**
     * Simulates the worst power failure on a closed database: cuts the log back to the watermark and removes later log
     * files.
     *
     * @return bytes cut off
     */
    public static long cutBack(Path directory) throws IOException {
        Optional<Position> position = read(directory);
        return position.isEmpty() ? 0 : WalFiles.cutBack(directory, position.get());
    }

    /** Opens the file for writing; creates it fully allocated if missing. */
    static WalWatermark open(Path directory) throws IOException {
        Path path = directory.resolve(FILE);
        try (FileChannel channel =
                FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            if (channel.size() != SIZE) {
                ByteBuffer blank = ByteBuffer.allocate(SIZE).putLong(0, MAGIC);
                channel.truncate(0);
                while (blank.hasRemaining()) {
                    channel.write(blank, blank.position());
                }
                channel.force(true);
                DirectorySync.sync(directory);
            }
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE);
            return new WalWatermark(mapped, newest(mapped).map(Slot::count).orElse(0L));
        }
    }

    void advance(Position position) {
        count++;
        write(file, (int) (1 + (count & 1)) * SLOT, new Slot(count, position));
    }

    private static void write(ByteBuffer to, int at, Slot slot) {
        to.putLong(at, slot.count());
        to.putLong(at + 8, slot.position().wal());
        to.putLong(at + 16, slot.position().length());
        to.putLong(at + 24, slot.position().sequence());
        to.putLong(at + 32, checksum(to, at));
    }

    private static Optional<Slot> newest(ByteBuffer from) {
        if (from.capacity() != SIZE || from.getLong(0) != MAGIC) {
            return Optional.empty();
        }
        Slot newest = null;
        for (int at = SLOT; at + SLOT_BYTES <= SIZE; at += SLOT) {
            long count = from.getLong(at);
            if (count > 0
                    && from.getLong(at + 32) == checksum(from, at)
                    && (newest == null || count > newest.count())) {
                newest = new Slot(
                        count, new Position(from.getLong(at + 8), from.getLong(at + 16), from.getLong(at + 24)));
            }
        }
        return Optional.ofNullable(newest);
    }

    private static long checksum(ByteBuffer slot, int at) {
        CRC32 crc = new CRC32();
        for (int i = at; i < at + 32; i++) {
            crc.update(slot.get(i));
        }
        return crc.getValue();
    }
}
