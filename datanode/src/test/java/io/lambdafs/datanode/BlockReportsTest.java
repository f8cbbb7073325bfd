package io.lambdafs.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lambdafs.datanode.block.BlockSink;
import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.ForwardingBlockStore;
import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.rpc.block.Seal;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import io.lambdafs.store.block.BlockFault;
import io.lambdafs.store.block.BlockReport;
import io.lambdafs.store.block.BlockReport.Contents;
import io.lambdafs.store.block.StoredBlock;
import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BlockReportsTest {
    private static final String STORE = "s";
    private static final Duration PERIOD = Duration.ofHours(6);
    private static final int LENGTH = 10;
    private static final byte[] CONTENT = {1, 2, 3, 4, 5, 6, 7, 8, 9, 0};

    private final Random random = new Random(3);
    private final ManualScheduler scheduler = new ManualScheduler();
    private final MemoryStore metadata = new MemoryStore(scheduler);
    private final MemoryBlockStore objects = new MemoryBlockStore();
    private final BlockReports reports = reports("dn-1", objects);
    private final List<StoredBlock> written = new ArrayList<>();
    private long blocks;

    @BeforeEach
    void format() {
        commit(new Mutation.Put(FormatLevel.REPORTS.row()));
    }

    @AfterEach
    void close() {
        metadata.close();
    }

    private BlockReports reports(String datanode, BlockStore store) {
        return new BlockReports(metadata, store, new BlockReports.Self(datanode, STORE, PERIOD, 0), scheduler);
    }

    private static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private void commit(Mutation... mutations) {
        done(metadata.begin(0).commit(List.of(mutations), Long.MAX_VALUE));
    }

    private void object(String key, int length) {
        try (BlockStore.Upload upload = objects.upload(key)) {
            upload.write(new byte[length], 0, length);
            upload.commit();
        }
    }

    /** The object of a block, whole. */
    private void object(StoredBlock block) {
        try (BlockSink sink = new BlockSink(block.block(), objects.upload(block.key()))) {
            sink.add(CONTENT);
            sink.finish(LENGTH, block.block().crc32c());
        }
    }

    private StoredBlock allocate(String store) {
        long id = ++blocks;
        String key = ObjectKey.of(id, 1, random.nextLong());
        StoredBlock block = new StoredBlock(
                1_000 + id,
                0,
                new Block(id, 1, LENGTH, Seal.crc(CONTENT, 0, LENGTH)),
                store,
                key,
                StoredBlock.State.ALLOCATED);
        commit(new Mutation.Put(block.row()));
        return block;
    }

    private void finish(StoredBlock allocated) {
        object(allocated);
        StoredBlock whole = allocated.written(allocated.block());
        commit(new Mutation.Put(whole.row()));
        written.add(whole);
    }

    private StoredBlock write() {
        finish(allocate(STORE));
        return written.get(written.size() - 1);
    }

    private void remove(StoredBlock block, long notBeforeMillis) {
        written.remove(block);
        commit(new Mutation.Delete(block.row().key()), new Mutation.Put(block.invalid(notBeforeMillis)));
    }

    /** Looks until nothing is due. */
    private int round(BlockReports of) {
        int all = 0;
        int now = done(of.run());
        while (now > 0) {
            all += now;
            now = done(of.run());
        }
        return all;
    }

    private List<BlockReport> all() {
        return done(BlockReport.list(metadata, STORE));
    }

    private List<BlockFault> faults() {
        return rows(Schema.BLOCK_FAULTS).stream().map(BlockFault::of).toList();
    }

    private List<Row> rows(Table table) {
        return metadata.rows().stream()
                .filter(row -> row.key().table().equals(table))
                .toList();
    }

    private void nextPeriod() {
        scheduler.advance(PERIOD.plusMinutes(1));
    }

    @Test
    void shouldStoreNothingThatBuildsBeforeDoNotRead() {
        commit(new Mutation.Put(FormatLevel.GENERATIONS.row()));
        write();

        assertThat(round(reports)).isZero();

        assertThat(all()).isEmpty();
    }

    @Test
    void shouldReportOnEachBucketOnceInAPeriod() {
        for (int i = 0; i < 500; i++) {
            write();
        }
        allocate("another");

        assertThat(done(reports.run())).isEqualTo(BlockReports.BUCKETS_PER_ROUND);
        assertThat(round(reports)).isEqualTo(ObjectKey.BUCKETS - BlockReports.BUCKETS_PER_ROUND);
        assertThat(round(reports)).isZero();

        assertThat(all()).hasSize(ObjectKey.BUCKETS).allSatisfy(each -> {
            assertThat(each.faults() + each.orphans()).isZero();
            assertThat(each.datanode()).isEqualTo("dn-1");
            assertThat(each.endedMillis()).isEqualTo(scheduler.currentTimeMillis());
        });
        assertThat(all().stream().mapToLong(each -> each.found().objects()).sum())
                .isEqualTo(500);
        nextPeriod();
        assertThat(round(reports)).isEqualTo(ObjectKey.BUCKETS);
    }

    @Test
    void shouldNameBlocksWithoutAWholeObjectUntilTheyHaveOneOrAreGone() {
        for (int i = 0; i < 50; i++) {
            write();
        }
        StoredBlock lost = written.get(3);
        StoredBlock cut = written.get(30);
        StoredBlock deleted = written.get(40);
        objects.delete(lost.key());
        objects.delete(cut.key());
        object(cut.key(), 5);
        objects.delete(deleted.key());

        round(reports);

        assertThat(faults())
                .extracting(BlockFault::key, BlockFault::inodeId)
                .containsExactlyInAnyOrder(
                        tuple(lost.key(), lost.inodeId()),
                        tuple(cut.key(), cut.inodeId()),
                        tuple(deleted.key(), deleted.inodeId()));
        assertThat(all().stream().mapToLong(BlockReport::faults).sum()).isEqualTo(3);

        object(lost);
        remove(deleted, 0);
        nextPeriod();
        round(reports);

        assertThat(faults()).extracting(BlockFault::key).containsExactly(cut.key());
        assertThat(all().stream().mapToLong(BlockReport::faults).sum()).isEqualTo(1);
    }

    @Test
    void shouldDeleteWhatNothingNamesAndNothingElse() {
        StoredBlock kept = write();
        StoredBlock underWay = allocate(STORE);
        object(underWay.key(), 7);
        StoredBlock invalid = write();
        remove(invalid, Long.MAX_VALUE);
        String orphan = ObjectKey.of(9_999, 1, 1);
        object(orphan, 7);
        BlockStore.Upload left = objects.upload(ObjectKey.of(9_998, 1, 1));
        left.write(new byte[1], 0, 1);
        BlockStore.Upload going = objects.upload(allocate(STORE).key());
        going.write(new byte[1], 0, 1);

        round(reports);

        assertThat(objects.list(ObjectKey.BLOCKS, "", 10))
                .extracting(BlockStore.StoredObject::key)
                .containsExactlyInAnyOrder(kept.key(), underWay.key(), invalid.key());
        assertThat(all().stream().mapToLong(BlockReport::orphans).sum()).isEqualTo(1);
        assertThat(objects.unfinished(ObjectKey.BLOCKS, "", 10)).hasSize(1);
        going.commit();
        left.close();
    }

    /** Two blocks of a bucket at each look; then from the first on again. */
    @Test
    void shouldReadSomeBlocksAtEachLookAndRememberThoseThatAreDamaged() {
        Set<String> read = new HashSet<>();
        BlockStore watched = new ForwardingBlockStore(objects) {
            @Override
            public int read(String key, long offset, byte[] into, int at, int length) {
                read.add(key);
                return super.read(key, offset, into, at, length);
            }
        };
        BlockReports scanning = new BlockReports(
                metadata, watched, new BlockReports.Self("dn-1", STORE, PERIOD, 2 * LENGTH), scheduler);
        for (int i = 0; i < 5; i++) {
            String key = ObjectKey.of(1, 1, i);
            StoredBlock block = new StoredBlock(
                    i, 0, new Block(1, 1, LENGTH, Seal.crc(CONTENT, 0, LENGTH)), STORE, key, StoredBlock.State.WRITTEN);
            commit(new Mutation.Put(block.row()));
            if (i == 1) {
                object(key, LENGTH + Seal.size(LENGTH));
            } else {
                object(block);
            }
        }
        List<Integer> seen = new ArrayList<>();
        for (int look = 0; look < 4; look++) {
            read.clear();
            round(scanning);
            seen.add(read.size());
            assertThat(faults())
                    .as("damaged bytes are remembered")
                    .extracting(BlockFault::key)
                    .containsExactly(ObjectKey.of(1, 1, 1));
            nextPeriod();
        }
        assertThat(seen).as("two, and the damaged one").containsExactly(2, 3, 2, 2);
        commit(new Mutation.Delete(StoredBlock.key(1, 0)));
        round(scanning);
        assertThat(faults()).isEmpty();
    }

    @Test
    void shouldBoundTheFaultsThatAreNamed() {
        for (int i = 0; i < 200; i++) {
            // One bucket: the attempt, not the block, tells these apart.
            String key = ObjectKey.of(1, 1, i);
            Block block = new Block(1, 1, LENGTH, 0);
            commit(new Mutation.Put(new StoredBlock(i, 0, block, STORE, key, StoredBlock.State.WRITTEN).row()));
        }
        round(reports);

        assertThat(faults()).hasSize(BlockFault.MOST_OF_A_BUCKET);
        assertThat(all().stream().mapToLong(BlockReport::faults).sum()).isEqualTo(200);
    }

    @Test
    void shouldLeaveToOthersWhatTheyAreAtAndTakeItOverWhenTheyHaveDied() {
        BlockReports breaksOff = reports("dn-2", new ForwardingBlockStore(objects) {
            @Override
            public List<StoredObject> list(String prefix, String after, int limit) {
                throw FsException.unavailable("the power is off");
            }
        });
        write();
        assertThat(breaksOff.run().toCompletableFuture()).isCompletedExceptionally();

        assertThat(round(reports)).isEqualTo(ObjectKey.BUCKETS - BlockReports.BUCKETS_PER_ROUND);
        scheduler.advance(Duration.ofMillis(BlockReports.CLAIM_MILLIS));
        assertThat(round(reports)).isEqualTo(BlockReports.BUCKETS_PER_ROUND);
        assertThat(all()).extracting(BlockReport::datanode).containsOnly("dn-1");
    }

    /** Reports that were written stay, and the next datanode goes on. */
    @Test
    void shouldEndInTheMiddleOnceItIsClosed() {
        int[] lists = {0};
        List<BlockReports> closing = new ArrayList<>();
        closing.add(reports("dn-2", new ForwardingBlockStore(objects) {
            @Override
            public List<StoredObject> list(String prefix, String after, int limit) {
                if (++lists[0] == 5) {
                    closing.get(0).close();
                }
                return super.list(prefix, after, limit);
            }
        }));
        object(ObjectKey.of(9_999, 1, 1), 7);

        assertThat(done(closing.get(0).run())).isEqualTo(5);
        assertThat(lists[0]).isEqualTo(5);

        scheduler.advance(Duration.ofMillis(BlockReports.CLAIM_MILLIS));
        assertThat(round(reports)).isEqualTo(ObjectKey.BUCKETS - 5);
    }

    @Test
    void shouldNeverLookWithoutAPeriod() {
        BlockReports off =
                new BlockReports(metadata, objects, new BlockReports.Self("dn-1", STORE, Duration.ZERO, 0), scheduler);
        off.start();
        scheduler.advance(Duration.ofDays(1));
        assertThat(all()).isEmpty();

        reports.start();
        scheduler.advance(Duration.ofSeconds(90));
        assertThat(all()).hasSize(BlockReports.BUCKETS_PER_ROUND);
        reports.close();
        scheduler.advance(Duration.ofDays(1));
        assertThat(all()).hasSize(BlockReports.BUCKETS_PER_ROUND);
    }

    @Test
    void shouldLookAgainOnceThePeriodIsOverAndNotBefore() {
        round(reports);
        scheduler.advance(PERIOD.minusMillis(1));
        assertThat(round(reports)).isZero();
        scheduler.advance(Duration.ofMillis(1));
        assertThat(round(reports)).isEqualTo(ObjectKey.BUCKETS);
    }

    @Test
    void shouldTellSetsOfObjectsApart() {
        Contents one = Contents.NONE.plus("blocks/00/a", 5).plus("blocks/00/b", 6);

        assertThat(Contents.NONE.plus("blocks/00/b", 6).plus("blocks/00/a", 5)).isEqualTo(one);
        assertThat(Contents.NONE.plus("blocks/00/a", 6).plus("blocks/00/b", 5)).isNotEqualTo(one);
        assertThat(Contents.NONE.plus("blocks/00/a", 5).plus("blocks/00/c", 6)).isNotEqualTo(one);
    }

    /** Over days two datanodes look while files come and go, between any two steps; what a killed writer leaves goes, and nothing else does. */
    @Test
    void shouldLeaveNothingBehindOverDays() {
        Set<String> lost = new HashSet<>();
        BlockStore busy = new ForwardingBlockStore(objects) {
            @Override
            public List<StoredObject> list(String prefix, String after, int limit) {
                someSteps();
                List<StoredObject> page = super.list(prefix, after, limit);
                someSteps();
                return page;
            }

            @Override
            public boolean delete(String key) {
                assertThat(named()).as("what rows name is not deleted").doesNotContain(key);
                return super.delete(key);
            }
        };
        BlockReports first = reports("dn-1", busy);
        BlockReports second = reports("dn-2", busy);
        InvalidBlocks invalid = new InvalidBlocks(metadata, objects, STORE, scheduler);
        first.start();
        second.start();
        invalid.start();
        List<Map<String, Long>> counts = new ArrayList<>();
        for (int day = 0; day < 4; day++) {
            String left = ObjectKey.of(50_000 + day, 1, 1);
            object(left, 3);
            BlockStore.Upload unfinished = objects.upload(ObjectKey.of(60_000 + day, 1, 1));
            unfinished.write(new byte[1], 0, 1);
            StoredBlock victim = write();
            written.remove(victim);
            objects.delete(victim.key());
            lost.add(victim.key());
            scheduler.advance(Duration.ofHours(13));

            assertThat(faults()).extracting(BlockFault::key).containsExactlyElementsOf(lost);
            remove(victim, 0);
            lost.clear();
            new ArrayList<>(written).forEach(each -> remove(each, scheduler.currentTimeMillis()));
            scheduler.advance(Duration.ofHours(13));

            counts.add(metadata.rows().stream()
                    .filter(row -> !row.key().table().equals(Schema.BLOCKS)
                            && !row.key().table().equals(Schema.INVALID_BLOCKS))
                    .collect(Collectors.groupingBy(
                            row -> row.key().table().name(), TreeMap::new, Collectors.counting())));
            assertThat(objects.list(ObjectKey.BLOCKS, "", 100_000))
                    .as("after day %d", day)
                    .allSatisfy(each -> assertThat(named()).contains(each.key()));
            assertThat(objects.length(left)).isEmpty();
            assertThat(objects.unfinished(ObjectKey.BLOCKS, "", 10)).isEmpty();
            unfinished.close();
            assertThat(counts.get(day)).isEqualTo(counts.get(0));
        }
        assertThat(counts.get(0)).isEqualTo(Map.of("block_reports", (long) ObjectKey.BUCKETS, "settings", 1L));
        assertThat(all().stream().map(BlockReport::datanode).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder("dn-1", "dn-2");
        List.of(first, second).forEach(BlockReports::close);
        invalid.close();
    }

    private Set<String> named() {
        Set<String> keys = new HashSet<>();
        for (Row row : metadata.rows()) {
            if (row.key().table().equals(Schema.BLOCKS)) {
                keys.add(row.string(5));
            } else if (row.key().table().equals(Schema.INVALID_BLOCKS)) {
                keys.add(row.key().string(1));
            }
        }
        return keys;
    }

    private void someSteps() {
        if (random.nextInt(8) > 0) {
            return;
        }
        if (written.size() < 100) {
            finish(allocate(STORE));
        } else {
            remove(written.get(random.nextInt(written.size())), scheduler.currentTimeMillis());
        }
    }
}
