package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.engine.StoreLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a store on directories that are in use, torn, corrupt or of another version. */
class RecoveryTest {
    private static final int ROWS = 200;

    @TempDir
    private Path folder;

    private final ThreadScheduler scheduler = new ThreadScheduler();

    @AfterEach
    void close() {
        scheduler.close();
    }

    private RocksStore open(Path directory) {
        return RocksStore.open(scheduler, StoreLimits.defaults(), RocksSettings.of(directory));
    }

    private static Key key(int i) {
        return Schema.SEQUENCES.key("row-" + i);
    }

    private static void write(MetadataStore store) {
        for (int i = 0; i < ROWS; i++) {
            store.begin(0)
                    .commit(List.of(new Mutation.Put(new Row(key(i), (long) i))), Long.MAX_VALUE)
                    .toCompletableFuture()
                    .join();
        }
    }

    private static void assertComplete(MetadataStore store) {
        for (int i = 0; i < ROWS; i++) {
            StoreTransaction transaction = store.begin(0);
            assertThat(transaction
                            .read(List.of(Read.unlocked(key(i))), 0)
                            .toCompletableFuture()
                            .join())
                    .containsExactly(new Row(key(i), (long) i));
            transaction.abort();
        }
    }

    /** A copy of the directory of a store that is running: what a kill would leave. */
    private Path crashImage() throws IOException {
        Path running = folder.resolve("running");
        Path image = Files.createDirectory(folder.resolve("image"));
        try (RocksStore store = open(running)) {
            write(store);
            copyFiles(running, image);
        }
        return image;
    }

    private static void copyFiles(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    private static Path log(Path image, WalWatermark.Position position) throws IOException {
        return WalFiles.list(image).get(position.wal());
    }

    private static void overwrite(Path log, long at, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes), at);
        }
    }

    private static void assertFails(ThrowingCallable body, ErrorCode code, String... words) {
        assertThatThrownBy(body)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContainingAll(words);
    }

    @Test
    void shouldRecoverEverythingFromACrash() throws IOException {
        Path image = crashImage();
        try (RocksStore store = open(image)) {
            assertComplete(store);
        }
        try (RocksStore store = open(image)) {
            assertComplete(store);
        }
    }

    @Test
    void shouldKnowTheEndOfTheLogExactly() throws IOException {
        Path image = crashImage();
        WalWatermark.Position position = WalWatermark.read(image).orElseThrow();
        long zeros = WalFiles.bytesAfter(image, position);
        byte[] bytes = Files.readAllBytes(log(image, position));
        byte[] behind = Arrays.copyOfRange(bytes, (int) position.length(), bytes.length);
        assertThat(behind).isEqualTo(new byte[(int) zeros]);
        // A log that is opened without them is the same log.
        assertThat(WalWatermark.cutBack(image)).isEqualTo(zeros);
        assertThat(position.length()).isEqualTo(Files.size(log(image, position)));
        assertThat(WalFiles.bytesAfter(image, position)).isZero();
        assertThat(WalWatermark.cutBack(image)).isZero();
        try (RocksStore store = open(image)) {
            assertComplete(store);
        }
    }

    @Test
    void shouldPassOverATailThatWasNeverAcknowledged() throws IOException {
        Path image = crashImage();
        WalWatermark.Position position = WalWatermark.read(image).orElseThrow();
        Path log = log(image, position);
        byte[] torn = new byte[1_000];
        Arrays.fill(torn, (byte) 0x5a);
        // Over the zeros, and behind them.
        overwrite(log, position.length(), torn);
        Files.write(log, torn, StandardOpenOption.APPEND);
        Files.write(image.resolve(String.format("%06d.log", position.wal() + 1)), torn);
        try (RocksStore store = open(image)) {
            assertComplete(store);
        }
    }

    /** A record of which the file has only the first part, and zeros where the rest was to be. */
    @Test
    void shouldPassOverHalfARecordAmongTheZeros() throws IOException {
        Path image = crashImage();
        WalWatermark.Position position = WalWatermark.read(image).orElseThrow();
        Path log = log(image, position);
        overwrite(log, position.length(), Arrays.copyOf(Files.readAllBytes(log), 20));
        try (RocksStore store = open(image)) {
            assertComplete(store);
        }
    }

    @Test
    void shouldCutBackLaterFilesAndTheRestOfTheNewest() throws IOException {
        Path image = crashImage();
        WalWatermark.Position position = WalWatermark.read(image).orElseThrow();
        Path log = log(image, position);
        long zeros = WalFiles.bytesAfter(image, position);
        Files.write(log, new byte[77], StandardOpenOption.APPEND);
        Files.write(image.resolve(String.format("%06d.log", position.wal() + 1)), new byte[23]);
        assertThat(WalWatermark.cutBack(image)).isEqualTo(zeros + 100);
        assertThat(Files.size(log)).isEqualTo(position.length());
        assertThat(WalFiles.list(image)).hasSize(1);
    }

    @Test
    void shouldRefuseALogThatLostAcknowledgedCommitsAndLeaveItAsItIs() throws IOException {
        Path image = crashImage();
        WalWatermark.Position position = WalWatermark.read(image).orElseThrow();
        Path log = log(image, position);
        byte[] bytes = Files.readAllBytes(log);
        int middle = (int) position.length() / 2;
        bytes[middle] ^= 0x10;
        Files.write(log, bytes);
        assertFails(
                () -> open(image),
                ErrorCode.INTERNAL,
                "corrupt",
                image.getFileName().toString());
        assertThat(Files.readAllBytes(log)).isEqualTo(bytes);
        bytes[middle] ^= 0x10;
        Files.write(log, bytes);
        try (RocksStore store = open(image)) {
            assertComplete(store);
        }
    }

    private void assertCorrupt(Path image) {
        assertFails(
                () -> open(image),
                ErrorCode.INTERNAL,
                "corrupt",
                image.getFileName().toString());
    }

    @Test
    void shouldRefuseALogThatLacksExactlyTheLastChange() throws IOException {
        Path image = crashImage();
        WalWatermark.Position end = WalWatermark.read(image).orElseThrow();
        Path log = log(image, end);
        byte[] bytes = Files.readAllBytes(log);
        // The last record is as long as the one before it, of a row whose key has as many digits.
        int record = Math.toIntExact(end.length()) - lastRecord(bytes, Math.toIntExact(end.length()));
        Files.write(log, Arrays.copyOf(bytes, Math.toIntExact(end.length()) - record));
        assertCorrupt(image);
        Files.write(log, bytes);
        try (RocksStore store = open(image)) {
            assertComplete(store);
        }
    }

    /** Where the last of the records begins that end at a place; all of them lie within one block. */
    private static int lastRecord(byte[] log, int end) {
        int at = 0;
        while (true) {
            int length = (log[at + 4] & 0xff) | (log[at + 5] & 0xff) << 8;
            int next = at + 7 + length;
            if (next >= end) {
                assertThat(next).isEqualTo(end);
                return at;
            }
            at = next;
        }
    }

    @Test
    void shouldRefuseALogThatIsEmptyOrMissing() throws IOException {
        Path image = crashImage();
        Path log = log(image, WalWatermark.read(image).orElseThrow());
        byte[] bytes = Files.readAllBytes(log);
        Files.write(log, new byte[0]);
        assertCorrupt(image);
        assertThat(log).isEmptyFile();
        Files.delete(log);
        assertCorrupt(image);
        Files.write(log, new byte[bytes.length]);
        assertCorrupt(image);
        Files.write(log, bytes);
        try (RocksStore store = open(image)) {
            assertComplete(store);
        }
    }

    @Test
    void shouldRefuseADirectoryThatLostItsDatabaseButNotItsWatermark() throws IOException {
        Path image = crashImage();
        Path current = image.resolve("CURRENT");
        byte[] bytes = Files.readAllBytes(current);
        Files.delete(current);
        assertCorrupt(image);
        assertThat(current).doesNotExist();
        Files.write(current, bytes);
        try (RocksStore store = open(image)) {
            assertComplete(store);
        }
    }

    /** A copy of a database whose rows lie in three logs, for none of its tables in memory has gone to the disk. */
    private Path imageOfThreeLogs() throws Exception {
        Path running = Files.createDirectory(folder.resolve("running"));
        Path image = Files.createDirectory(folder.resolve("image"));
        NativeLibrary.load(running);
        RocksSettings settings = RocksSettings.of(running).withMemtableBytes(64 << 10);
        try (RocksHandle handle = RocksHandle.open(settings, running, false)) {
            handle.db.pauseBackgroundWork();
            for (int i = 0; i < ROWS; i++) {
                handle.db.put(handle.writes, KeyBytes.of(key(i)), RowBytes.of(new Row(key(i), (long) i)));
                if (i == ROWS / 3 || i == 2 * ROWS / 3) {
                    int logs = WalFiles.list(running).size();
                    while (WalFiles.list(running).size() == logs) {
                        handle.db.put(handle.writes, new byte[] {127, 1}, new byte[10_000]);
                    }
                }
            }
            assertThat(WalFiles.list(running)).hasSize(3);
            long newest = WalFiles.list(running).lastKey();
            WalWatermark.open(running)
                    .advance(new WalWatermark.Position(
                            newest,
                            Files.size(WalFiles.list(running).get(newest)),
                            handle.db.getLatestSequenceNumber()));
            copyFiles(running, image);
            handle.db.continueBackgroundWork();
        }
        return image;
    }

    @Test
    void shouldRefuseWhereAnOlderLogIsMissingOrShorter() throws Exception {
        Path image = imageOfThreeLogs();
        for (Path log : List.copyOf(WalFiles.list(image).values())) {
            byte[] bytes = Files.readAllBytes(log);
            Files.delete(log);
            assertCorrupt(image);
            Files.write(log, new byte[0]);
            assertCorrupt(image);
            Files.write(log, Arrays.copyOf(bytes, bytes.length / 2));
            assertCorrupt(image);
            Files.write(log, bytes);
        }
        try (RocksStore store = open(image)) {
            assertComplete(store);
        }
    }

    @Test
    void shouldSayThatADatabaseIsCorrupt() throws IOException {
        Path directory = folder.resolve("store");
        try (RocksStore store = open(directory)) {
            write(store);
        }
        Files.writeString(directory.resolve("CURRENT"), "nonsense");
        assertFails(() -> open(directory), ErrorCode.INTERNAL, "corrupt", "store", "backup");
    }

    @Test
    void shouldRefuseADirectoryInUseAndNameIt() {
        Path directory = folder.resolve("store");
        try (RocksStore store = open(directory)) {
            write(store);
            assertFails(() -> open(directory), ErrorCode.UNAVAILABLE, "another process", "store");
            assertComplete(store);
        }
        try (RocksStore store = open(directory)) {
            assertComplete(store);
        }
    }

    @Test
    void shouldRefuseAFileForADirectory() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertFails(() -> open(file), ErrorCode.UNAVAILABLE, "file");
    }

    @Test
    void shouldRefuseAnotherFormat() {
        Path directory = folder.resolve("store");
        try (RocksStore store = open(directory)) {
            Row other = new Row(Schema.SETTINGS.key("store.format"), "2");
            store.begin(0)
                    .commit(List.of(new Mutation.Put(other)), Long.MAX_VALUE)
                    .toCompletableFuture()
                    .join();
        }
        assertFails(() -> open(directory), ErrorCode.INTERNAL, "format 2");
    }

    @Test
    void shouldBelieveTheWholeOneOfTwoSlots() throws IOException {
        WalWatermark written = WalWatermark.open(folder);
        WalWatermark.Position first = new WalWatermark.Position(3, 100, 10);
        WalWatermark.Position second = new WalWatermark.Position(4, 50, 20);
        assertThat(WalWatermark.read(folder)).isEmpty();
        written.advance(first);
        assertThat(WalWatermark.read(folder)).contains(first);
        written.advance(second);
        assertThat(WalWatermark.read(folder)).contains(second);
        byte[] bytes = Files.readAllBytes(folder.resolve(WalWatermark.FILE));
        bytes[64 + 20] ^= 1; // in the second position, which went to the first slot
        Files.write(folder.resolve(WalWatermark.FILE), bytes);
        assertThat(WalWatermark.read(folder)).contains(first);
    }
}
