package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.ThreadScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests what a group of commits leaves on disk and in memory. */
class GroupBatchTest {
    private static final Key KEY = Schema.SEQUENCES.key("one");
    private static final Key SETTING = Schema.SETTINGS.key("name");

    @TempDir
    private Path folder;

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private HotRows hot = new HotRows();
    private Database database;

    @BeforeEach
    void open() {
        database = Database.open(scheduler, RocksSettings.of(folder).withFsync(false));
    }

    @AfterEach
    void close() {
        database.close();
        scheduler.close();
    }

    private long write(Mutation... commit) {
        return write(List.of(commit));
    }

    private long write(List<Mutation> commit) {
        try (GroupBatch batch = new GroupBatch(database, hot)) {
            batch.add(EncodedCommit.of(commit));
            return batch.write();
        }
    }

    private static Mutation put(Key key, Object value) {
        return new Mutation.Put(new Row(key, value));
    }

    private static Mutation add(Key key, long operand) {
        return new Mutation.Merge(key, List.of(new Mutation.Delta(0, Mutation.Delta.Kind.ADD, operand)));
    }

    private @Nullable Row stored(Key key) {
        byte[] value = database.get(KeyBytes.of(key));
        return value == null ? null : RowBytes.read(key, value);
    }

    private static List<Mutation> puts(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> put(Schema.SEQUENCES.key("s" + i), (long) i))
                .toList();
    }

    /** A setting of so many bytes. */
    private static Row setting(int bytes) {
        int frame = RowBytes.of(new Row(SETTING, "x".repeat(500))).length - 500;
        Row row = new Row(SETTING, "x".repeat(bytes - frame));
        assertThat(RowBytes.of(row)).hasSize(bytes);
        return row;
    }

    @Test
    void shouldMergeIntoTheGroupSoFarOrMemoryOrTheDisk() {
        write(put(KEY, 5L), add(KEY, 1));
        assertThat(stored(KEY)).isEqualTo(new Row(KEY, 6L));
        write(add(KEY, 10));
        assertThat(stored(KEY)).isEqualTo(new Row(KEY, 16L));

        hot = new HotRows(); // As after a start.
        write(add(KEY, 100));

        assertThat(stored(KEY)).isEqualTo(new Row(KEY, 116L));
        assertThat(hot.get(KEY)).isEqualTo(new Row(KEY, 116L));
    }

    @Test
    void shouldKeepTheLastChangeOfAKey() {
        write(put(KEY, 5L), new Mutation.Delete(KEY), add(KEY, 1));
        assertThat(stored(KEY)).isEqualTo(new Row(KEY, 1L));

        write(add(KEY, 1), new Mutation.Delete(KEY));
        assertThat(stored(KEY)).isNull();
        assertThat(hot.get(KEY)).isNull();
    }

    @Test
    void shouldTellHowManyBytesItWrote() {
        long small = write(put(SETTING, "x".repeat(100)));
        assertThat(small).isGreaterThan(100);
        assertThat(write(put(SETTING, "x".repeat(100)), put(KEY, 1L))).isBetween(small + 8, small + 100);
        assertThat(write(new Mutation.Delete(SETTING))).isPositive();
    }

    /** The database keeps little of them: its tables in memory are small. */
    @EnabledOnOs(OS.LINUX)
    @Test
    void shouldFreeTheMemoryOfAGroup() throws IOException {
        int groups = 100;
        int bytes = 2 << 20;
        database.close();
        database = Database.open(
                scheduler,
                RocksSettings.of(folder)
                        .withFsync(false)
                        .withCacheBytes(1 << 20)
                        .withMemtableBytes(64 << 10));
        EncodedCommit commit = EncodedCommit.of(List.of(put(SETTING, "x".repeat(bytes))));
        long before = 0;
        for (int i = -10; i < groups; i++) {
            before = i == 0 ? residentBytes() : before;
            try (GroupBatch batch = new GroupBatch(database, hot)) {
                batch.add(commit);
                batch.write();
            }
        }
        assertThat(residentBytes() - before).isLessThan((long) groups * bytes / 2);
    }

    /** Returns the resident memory of this process. */
    private static long residentBytes() throws IOException {
        String line = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(each -> each.startsWith("VmRSS:"))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
    }

    @Test
    void shouldReckonWithTheBytesOfACommitBeforeItIsWritten() {
        long one = EncodedCommit.of(List.of(put(SETTING, "x".repeat(100)))).bytes();
        long other = EncodedCommit.of(List.of(new Mutation.Delete(KEY))).bytes();

        assertThat(one).isGreaterThan(100 + KeyBytes.of(SETTING).length);
        assertThat(other).isBetween((long) KeyBytes.of(KEY).length, 100L);
        assertThat(EncodedCommit.of(List.of(put(SETTING, "x".repeat(100)), new Mutation.Delete(KEY)))
                        .bytes())
                .isEqualTo(one + other);
    }

    @Test
    void shouldKeepSmallRowsInMemory() {
        Row most = setting(HotRows.MAX_BYTES);
        write(new Mutation.Put(most));
        assertThat(hot.get(SETTING)).isEqualTo(most);

        Row more = setting(HotRows.MAX_BYTES + 1);
        write(new Mutation.Put(more));
        assertThat(hot.get(SETTING)).isNull();
        assertThat(stored(SETTING)).isEqualTo(more);
    }

    @Test
    void shouldKeepInMemoryRowsOfGroupsThatAreNotOfABulkLoad() {
        Key last = Schema.SEQUENCES.key("s" + (HotRows.MAX_GROUP - 1));
        write(puts(HotRows.MAX_GROUP));
        assertThat(hot.get(last)).isNotNull();

        hot = new HotRows();
        write(puts(HotRows.MAX_GROUP + 1));
        assertThat(hot.get(last)).isNull();
        assertThat(stored(last)).isEqualTo(new Row(last, HotRows.MAX_GROUP - 1L));
    }
}
