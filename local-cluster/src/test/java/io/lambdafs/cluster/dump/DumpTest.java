package io.lambdafs.cluster.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.INode;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.store.ChangeLog;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.embedded.RocksSettings;
import io.lambdafs.store.embedded.RocksStore;
import io.lambdafs.store.engine.StoreLimits;
import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.format.Fsck;
import io.lambdafs.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dumps of stores that serve, and stores filled with them. */
class DumpTest {
    /** So many entries make several segments. */
    private static final int FILES = 120_000;

    private static final Progress SILENT = (what, rows, all) -> {};

    @TempDir
    private Path folder;

    private final SystemScheduler scheduler = new SystemScheduler("dump-test", 2, 1_000);
    private final MemoryStore source = new MemoryStore(scheduler);
    private final List<AutoCloseable> opened = new ArrayList<>(List.of(source));

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        scheduler.close();
    }

    private Path dump() {
        return folder.resolve("dump");
    }

    private RocksStore target(String name) {
        RocksStore store = RocksStore.open(scheduler, StoreLimits.defaults(), RocksSettings.of(folder.resolve(name)));
        opened.add(store);
        return store;
    }

    private static void put(MetadataStore store, List<Row> rows) {
        List<Mutation> puts = rows.stream().<Mutation>map(Mutation.Put::new).toList();
        store.begin(0).commit(puts, Long.MAX_VALUE).toCompletableFuture().join();
    }

    private static INode file(long parent, int number) {
        return INode.directory(parent, "é\0" + number + "-\uD83D\uDE00", 100_000L + number, "root", "users", 0755, 7);
    }

    /** A tree that is whole: directories below the root, and rows of processes, which are not carried. */
    private void makeTree(int files) {
        Formatter.format(source, 4, "root", 1).toCompletableFuture().join();
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            INode node = file(INode.ROOT_ID, i);
            rows.add(Rows.of(node));
            rows.add(Rows.location(node));
        }
        rows.add(new Row(Rows.instanceKey(5), 1L, "an instance", 9L));
        rows.add(new Row(Schema.SLOTS.key("client", 1L), 2L, new byte[] {0, -1, 7}, 3L).withUnknown(new byte[] {1, 2}));
        rows.add(new Row(Schema.CLIENTS.key(0L, "client"), 3L));
        put(source, rows);
        source.begin(0)
                .commit(
                        List.of(
                                Rows.childrenChanged(INode.ROOT_ID, files, 7),
                                Rows.totalsChanged(INode.ROOT_ID, new DirectoryTotals(0, files, 0, 0))),
                        Long.MAX_VALUE)
                .toCompletableFuture()
                .join();
    }

    /** Returns the rows that a dump carries, but for settings and numbers. */
    private static Set<Row> carried(Iterable<Row> rows) {
        List<Row> all = new ArrayList<>();
        rows.forEach(all::add);
        return all.stream()
                .filter(each -> each.key().table().isCarried())
                .filter(each -> !each.key().table().equals(Schema.SETTINGS)
                        && !each.key().table().equals(Schema.SEQUENCES))
                .collect(Collectors.toSet());
    }

    private static long next(MetadataStore store, String sequence) {
        return Snapshot.read(store, rows -> {
            for (Row row : rows) {
                if (row.key().equals(Schema.SEQUENCES.key(sequence))) {
                    return row.int64(0);
                }
            }
            throw new AssertionError("no sequence " + sequence);
        });
    }

    @Test
    @Tag("slow")
    void shouldFillAStoreOfAnotherEngineWithWhatAStoreHadAtOneMoment() {
        makeTree(FILES);
        Set<Row> before = carried(source.rows());
        long inode = next(source, "inode");
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            for (int i = FILES; !ended.get(); i++) {
                put(source, List.of(Rows.of(file(INode.ROOT_ID, i)), Rows.location(file(INode.ROOT_ID, i))));
            }
        });
        Dump.Report dumped = Dump.run(source, dump(), false, SILENT);
        ended.set(true);
        writer.join();
        assertThat(dumped.segments()).isGreaterThan(4);
        long late = dumped.inodes() - 1 - FILES;

        RocksStore target = target("target");
        Load.Report loaded = Load.run(target, dump(), 3, Load.Comparing.WHILE_LOADING, SILENT);

        assertThat(loaded.rows()).isEqualTo(dumped.rows());
        Set<Row> after = Snapshot.read(target, DumpTest::carried);
        assertThat(after).hasSize(before.size() + 2 * (int) late);
        assertThat(after.containsAll(before)).isTrue();
        assertThat(next(target, "inode")).isEqualTo(inode + Load.SKIPPED);
        Fsck.Report fsck = Snapshot.read(target, Fsck::check);
        // The writer above counts no children, and adds to no totals.
        assertThat(fsck.problems())
                .allMatch(each -> each.contains("counts " + FILES + " children")
                        || each.contains("the totals of the directory 1 lack"));
        assertThat(Snapshot.<Boolean>read(target, rows -> {
                    for (Row row : rows) {
                        if (row.equals(FormatLevel.NEWEST.row())) {
                            return true;
                        }
                    }
                    return false;
                }))
                .as("is a file system")
                .isTrue();
    }

    @Test
    @Tag("slow")
    void shouldGoOnBehindTheLastWholeSegment() throws IOException {
        makeTree(FILES);
        List<Long> told = new ArrayList<>();
        assertThatThrownBy(() -> Dump.run(source, dump(), false, (what, rows, all) -> {
                    told.add(rows);
                    if (told.size() == 3) {
                        throw new IllegalStateException("killed");
                    }
                }))
                .hasMessage("killed");
        Set<Row> before = carried(source.rows());
        put(source, List.of(Rows.of(file(INode.ROOT_ID, FILES + 1))));
        Files.writeString(dump().resolve(Manifest.FILE), "{\"file\":\"half a li", StandardOpenOption.APPEND);
        assertThatThrownBy(() -> Load.run(target("early"), dump(), 1, Load.Comparing.WHILE_LOADING, SILENT))
                .hasMessageContaining("--resume");
        assertThatThrownBy(() -> Dump.run(source, dump(), false, SILENT)).hasMessageContaining("--resume");

        Dump.run(source, dump(), true, (what, rows, all) -> assertThat(rows).isGreaterThan(told.get(2)));

        RocksStore target = target("target");
        Load.run(target, dump(), 2, Load.Comparing.AFTERWARDS, SILENT);
        assertThat(Snapshot.<Set<Row>>read(target, DumpTest::carried).equals(before))
                .isTrue();
        assertThatThrownBy(() -> Dump.run(source, dump(), true, SILENT)).hasMessageContaining("whole already");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"dump\":\"half a li"})
    void shouldBeginAgainWhereTheFirstLineIsNotWhole(String manifest) throws IOException {
        makeTree(10);
        Files.createDirectories(dump());
        Files.writeString(dump().resolve(Manifest.FILE), manifest);

        Dump.run(source, dump(), true, SILENT);

        assertThat(Manifest.read(dump()).isWhole()).isTrue();
    }

    @Test
    void shouldGoOnBehindTheLastWholeTable() {
        makeTree(10);
        AtomicInteger told = new AtomicInteger();
        assertThatThrownBy(() -> Dump.run(source, dump(), false, (what, rows, all) -> {
                    if (told.incrementAndGet() == 3) {
                        throw new IllegalStateException("killed");
                    }
                }))
                .hasMessage("killed");
        List<Manifest.Segment> whole = Manifest.read(dump()).segments();

        Dump.Report report = Dump.run(source, dump(), true, SILENT);

        List<Manifest.Segment> all = Manifest.read(dump()).segments();
        assertThat(all).hasSize((int) report.segments()).startsWith(whole.toArray(Manifest.Segment[]::new));
        assertThat(all).extracting(Manifest.Segment::table).doesNotHaveDuplicates();
        RocksStore target = target("target");
        Load.run(target, dump(), 2, Load.Comparing.AFTERWARDS, SILENT);
        assertThat(Snapshot.<Set<Row>>read(target, DumpTest::carried)).isEqualTo(carried(source.rows()));
    }

    @Test
    void shouldCarryNoSettingsOfTheEngine() {
        makeTree(1);
        put(
                source,
                List.of(new Row(Schema.SETTINGS.key("store.epoch"), "7"), new Row(Schema.SETTINGS.key("stored"), "8")));
        Dump.run(source, dump(), false, SILENT);
        assertThat(Load.settings(dump())).containsEntry("stored", "8").doesNotContainKey("store.epoch");
    }

    @Test
    void shouldSayWhenTheMomentOfAnInterruptedDumpHasGone() {
        makeTree(10);
        assertThatThrownBy(() -> Dump.run(source, dump(), false, (what, rows, all) -> {
                    throw new IllegalStateException("killed");
                }))
                .hasMessage("killed");
        source.closeSnapshot(Manifest.read(dump()).header().snapshot());
        assertThatThrownBy(() -> Dump.run(source, dump(), true, SILENT))
                .hasMessageContainingAll("cannot go on", "in another directory");
    }

    @Test
    void shouldLoadIntoAnEmptyStoreOnlyAndRepeatWhatWasInterrupted() {
        makeTree(10);
        Dump.run(source, dump(), false, SILENT);
        RocksStore used = target("used");
        put(used, List.of(new Row(ChangeLog.NEXT, 1L)));
        assertThatThrownBy(() -> Load.run(used, dump(), 1, Load.Comparing.WHILE_LOADING, SILENT))
                .hasMessageContainingAll("empty store only", "sequences has rows");
        RocksStore formatted = target("formatted");
        Formatter.format(formatted, 4, "root", 1).toCompletableFuture().join();
        assertThatThrownBy(() -> Load.run(formatted, dump(), 1, Load.Comparing.WHILE_LOADING, SILENT))
                .hasMessageContaining("empty store only");

        RocksStore target = target("target");
        assertThatThrownBy(() -> Load.run(target, dump(), 1, Load.Comparing.WHILE_LOADING, (what, rows, all) -> {
                    throw new IllegalStateException("killed");
                }))
                .hasMessageContaining("killed");
        assertThatThrownBy(() -> Formatter.format(target, 4, "root", 1)
                        .toCompletableFuture()
                        .join())
                .hasMessageContaining("being filled with the dump");
        Load.run(target, dump(), 1, Load.Comparing.WHILE_LOADING, SILENT);
        assertThat(Snapshot.<Set<Row>>read(target, DumpTest::carried)).isEqualTo(carried(source.rows()));
    }

    @Test
    void shouldPutNothingOfASegmentThatIsDamaged() throws IOException {
        makeTree(10);
        Dump.run(source, dump(), false, SILENT);
        String name = Manifest.read(dump()).segments().stream()
                .filter(each -> each.table().equals("inodes"))
                .findFirst()
                .orElseThrow()
                .file();
        Path segment = dump().resolve(name);
        Files.writeString(segment, Files.readString(segment).replace("users", "Users"));
        RocksStore target = target("target");
        assertThatThrownBy(() -> Load.run(target, dump(), 1, Load.Comparing.WHILE_LOADING, SILENT))
                .hasMessageContainingAll(name, "is damaged: its checksum");
        assertThat(Snapshot.<Set<Row>>read(target, DumpTest::carried))
                .noneMatch(each -> each.key().table().equals(Schema.INODES));

        Path manifest = dump().resolve(Manifest.FILE);
        Files.writeString(manifest, Files.readString(manifest).replace(name, name + "2"));
        assertThatThrownBy(() -> Load.run(target("other"), dump(), 1, Load.Comparing.WHILE_LOADING, SILENT))
                .hasMessageContaining("is damaged");
    }
}
