package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Schema;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.ReadPool;
import io.lambdafs.store.engine.StoreLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Tests that a store releases, when it closes or fails to open, everything it takes: files, threads, native objects,
 * its directory.
 */
class OpenAndCloseTest {
    private static final Key KEY = Schema.SEQUENCES.key("one");

    @TempDir
    private Path folder;

    private final ThreadScheduler scheduler = new ThreadScheduler();

    @AfterEach
    void close() {
        scheduler.close();
    }

    private RocksSettings settings() {
        return RocksSettings.of(folder.resolve("store"));
    }

    private RocksRows rows(RocksSettings settings) {
        return new RocksRows(scheduler, settings, CommitObserver.NONE);
    }

    private static void write(RocksRows rows, long value) {
        rows.apply(List.of(new Mutation.Put(new Row(KEY, value))), Long.MAX_VALUE)
                .toCompletableFuture()
                .join();
    }

    private static long read(RocksRows rows) {
        Row row = rows.read(List.of(KEY)).toCompletableFuture().join().get(0);
        return row == null ? -1 : row.int64(0);
    }

    private static void refused(ThrowingCallable call, ErrorCode code, String text) {
        assertThatThrownBy(call).satisfies(thrown -> {
            FsException typed = FsException.of(thrown);
            assertThat(typed.code()).isEqualTo(code);
            assertThat(typed).hasMessageContaining(text);
        });
    }

    /** Files of the store that this process has open. */
    private List<String> openFiles() throws IOException {
        Path descriptors = Path.of("/proc/self/fd");
        assumeTrue(Files.isDirectory(descriptors), "open files are looked up as on Linux");
        List<String> open = new ArrayList<>();
        try (Stream<Path> all = Files.list(descriptors)) {
            for (Path each : all.toList()) {
                try {
                    String target = Files.readSymbolicLink(each).toString();
                    if (target.startsWith(settings().directory().toRealPath().toString())) {
                        open.add(target);
                    }
                } catch (IOException closedMeanwhile) {
                    // It is not open, then.
                }
            }
        }
        return open;
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("store-"))
                .toList();
    }

    @Test
    void shouldGiveBackFilesThreadsAndItsDirectoryWhenClosed() throws IOException {
        List<Thread> others = threads();
        RocksRows rows = rows(settings());
        write(rows, 7);
        rows.snapshot().toCompletableFuture().join().close(); // By a thread that reads.
        assertThat(openFiles()).isNotEmpty();
        assertThat(threads()).hasSizeGreaterThan(others.size());
        assertThat(rows.trouble()).isEmpty();
        refused(() -> rows(settings()), ErrorCode.UNAVAILABLE, "another process uses the store directory");

        rows.close();
        rows.close();

        assertThat(openFiles()).isEmpty();
        await().until(() -> others.containsAll(threads()));
        assertThat(rows.trouble()).isPresent();
        refused(() -> read(rows), ErrorCode.UNAVAILABLE, "is closed");
        refused(() -> write(rows, 8), ErrorCode.UNAVAILABLE, "");
        RocksRows again = rows(settings());
        assertThat(read(again)).isEqualTo(7);
        again.close();
    }

    @Test
    void shouldFreeWhatIsNative() {
        Database database = Database.open(scheduler, settings());
        RocksHandle handle = database.with(open -> open);
        assertThat(handle.readOnly).isFalse();
        assertThat(handle.writes.isOwningHandle()).isTrue();

        database.close();
        database.close();

        assertThat(handle.writes.isOwningHandle()).isFalse();
        assertThat(handle.anywhere.isOwningHandle()).isFalse();
        assertThat(handle.inMemory.isOwningHandle()).isFalse();
        assertThat(handle.db.isOwningHandle()).isFalse();
        refused(() -> database.get(new byte[1]), ErrorCode.UNAVAILABLE, "is closed or could not be opened");
        assertThat(database.trouble()).hasValueSatisfying(why -> assertThat(why).contains("could not be opened"));
    }

    @Test
    void shouldWaitForTheDiskOnlyWhereItIsToldTo() throws IOException {
        for (boolean fsync : new boolean[] {true, false}) {
            RocksSettings settings =
                    RocksSettings.of(folder.resolve("fsync-" + fsync)).withFsync(fsync);
            Database database = Database.open(scheduler, settings);
            boolean waits = database.with(open -> open.writes.sync());
            assertThat(waits).isEqualTo(fsync);
            database.close();
            RocksRows rows = rows(settings);
            write(rows, 1);
            assertThat(WalWatermark.read(settings.directory()).isPresent())
                    .as("whether it is known how far the disk has the log")
                    .isEqualTo(fsync);
            rows.close();
        }
    }

    private static WriteBatch batch(long value) throws RocksDBException {
        WriteBatch batch = new WriteBatch();
        batch.put(KeyBytes.of(KEY), RowBytes.of(new Row(KEY, value)));
        return batch;
    }

    /** A write that fails when half of it is in the log: the log is opened anew, and what was open of the one before is closed. */
    @Test
    void shouldTakeBackWhatItCouldNotWriteAndHoldNothingOfIt() throws Exception {
        Database database = Database.open(scheduler, settings());
        try (WriteBatch first = batch(1);
                WriteBatch second = batch(2);
                WriteBatch third = batch(3)) {
            database.write(first);
            byte[] half = second.data();
            // A change of a kind that RocksDB does not know.
            half[half.length - 1 - KeyBytes.of(KEY).length - RowBytes.of(new Row(KEY, 2L)).length - 2] = 0x7e;
            try (WriteBatch unreadable = new WriteBatch(half)) {
                refused(() -> database.write(unreadable), ErrorCode.UNAVAILABLE, "the store cannot write");
            }
            assertThat(openFiles()).isNotEmpty().noneMatch(each -> each.endsWith("(deleted)"));
            assertThat(database.trouble()).isEmpty();
            assertThat(database.get(KeyBytes.of(KEY))).isEqualTo(RowBytes.of(new Row(KEY, 1L)));
            database.write(third);
        } finally {
            database.close();
        }
        assertThat(openFiles()).isEmpty();
        RocksRows again = rows(settings());
        assertThat(read(again)).isEqualTo(3);
        again.close();
    }

    @Test
    void shouldReadOnlyWhereItIsToldTo() throws Exception {
        RocksRows rows = rows(settings());
        write(rows, 5);
        rows.close();
        try (RocksHandle open = RocksHandle.open(settings(), settings().directory(), true)) {
            assertThat(open.readOnly).isTrue();
            assertThat(open.db.get(open.anywhere, KeyBytes.of(KEY))).isNotNull();
            assertThatThrownBy(() -> open.db.put(open.writes, new byte[1], new byte[1]))
                    .isInstanceOf(RocksDBException.class);
        }
        assertThat(openFiles()).isEmpty();
    }

    @Test
    void shouldHoldNothingWhereItDoesNotOpen() throws IOException {
        Path directory = settings().directory();
        RocksRows first = rows(settings());
        write(first, 1);
        first.close();
        Path current = directory.resolve("CURRENT");
        byte[] good = Files.readAllBytes(current);
        byte[] watermark = Files.readAllBytes(directory.resolve(WalWatermark.FILE));

        // RocksDB refuses.
        Files.writeString(current, "MANIFEST-999999\n");
        Files.delete(directory.resolve(WalWatermark.FILE));
        refused(() -> rows(settings()), ErrorCode.INTERNAL, "is corrupt");
        assertThat(openFiles()).isEmpty();

        // The disk refuses.
        Files.write(current, good);
        Files.createDirectory(directory.resolve(WalWatermark.FILE));
        refused(() -> rows(settings()), ErrorCode.UNAVAILABLE, "cannot use the store directory");
        assertThat(openFiles()).isEmpty();

        // What was acknowledged is missing.
        Files.delete(directory.resolve(WalWatermark.FILE));
        Files.write(directory.resolve(WalWatermark.FILE), watermark);
        Files.delete(current);
        refused(() -> rows(settings()), ErrorCode.INTERNAL, "CURRENT is missing");
        assertThat(openFiles()).isEmpty();

        Files.write(current, good);
        RocksRows rows = rows(settings());
        assertThat(read(rows)).isEqualTo(1);
        rows.close();
    }

    @Test
    void shouldHoldNothingOfAStoreOfAnotherFormat() throws IOException {
        RocksStore.open(scheduler, StoreLimits.defaults(), settings()).close();
        RocksRows rows = rows(settings());
        rows.apply(List.of(new Mutation.Put(new Row(Schema.SETTINGS.key("store.format"), "2"))), Long.MAX_VALUE)
                .toCompletableFuture()
                .join();
        rows.close();

        refused(() -> RocksStore.open(scheduler, StoreLimits.defaults(), settings()), ErrorCode.INTERNAL, "format 2");

        assertThat(openFiles()).isEmpty();
    }

    @Test
    void shouldReleaseSnapshotsAndKnowThoseOfAnEndedDatabase() throws Exception {
        Database database = Database.open(scheduler, settings());
        ReadPool readers = new ReadPool(1, "the disk");
        try {
            RowSnapshot released = RocksSnapshot.take(database, readers);
            RowSnapshot left = RocksSnapshot.take(database, readers);
            assertThat(snapshots(database)).isEqualTo(2);
            released.close();
            assertThat(snapshots(database)).isEqualTo(1);

            database.close();
            left.close();
            refused(
                    () -> left.page(Schema.SEQUENCES, null)
                            .toCompletableFuture()
                            .join(),
                    ErrorCode.UNAVAILABLE,
                    "is closed");
        } finally {
            readers.close();
            database.close();
        }
    }

    private static long snapshots(Database database) {
        return database.with(open -> open.db.getLongProperty("rocksdb.num-snapshots"));
    }

    @Test
    void shouldMakeANewWatermarkWhereThereIsNoWholeOne() throws IOException {
        Path file = Files.write(folder.resolve(WalWatermark.FILE), new byte[] {1, 2, 3});
        WalWatermark.Position first = new WalWatermark.Position(1, 10, 100);
        WalWatermark.Position second = new WalWatermark.Position(1, 20, 200);
        assertThat(WalWatermark.read(folder)).isEmpty();

        WalWatermark.open(folder).advance(first);
        assertThat(WalWatermark.read(folder)).contains(first);
        assertThat(Files.size(file)).isEqualTo(192);
        WalWatermark again = WalWatermark.open(folder);
        assertThat(WalWatermark.read(folder)).as("left as it was").contains(first);
        again.advance(second);
        assertThat(WalWatermark.read(folder)).contains(second);
    }

    @Test
    void shouldKeepADirectoryToOneAtATime() {
        Path directory = folder.resolve("a").resolve("b");
        DirectoryLock lock = DirectoryLock.of(directory);
        assertThat(directory).isDirectory();
        assertThat(lock.directory()).isEqualTo(directory);
        refused(
                () -> DirectoryLock.of(directory.resolve("..").resolve("b")),
                ErrorCode.UNAVAILABLE,
                directory.toString());

        lock.close();
        DirectoryLock.of(directory).close();
    }
}
