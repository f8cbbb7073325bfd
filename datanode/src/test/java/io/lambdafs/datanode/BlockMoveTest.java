package io.lambdafs.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.datanode.block.BlockSink;
import io.lambdafs.datanode.block.BlockSource;
import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.ForwardingBlockStore;
import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.block.Seal;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.block.StoredBlock;
import io.lambdafs.store.memory.MemoryStore;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockMoveTest {
    private static final long FILE = 1_000;
    private static final long KEPT = 60_000;
    private static final int LENGTH = (2 << 20) + 77;

    private final SystemScheduler scheduler = new SystemScheduler("test", 4, 1_000);
    private long passedNanos;
    private final Scheduler clock = new Scheduler() {
        @Override
        public long nanoTime() {
            return scheduler.nanoTime() + passedNanos;
        }

        @Override
        public long currentTimeMillis() {
            return scheduler.currentTimeMillis() + TimeUnit.NANOSECONDS.toMillis(passedNanos);
        }

        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            return scheduler.schedule(delayNanos, task);
        }

        @Override
        public RandomGenerator random() {
            return scheduler.random();
        }

        @Override
        public void execute(Runnable task) {
            scheduler.execute(task);
        }
    };
    private final MemoryStore metadata = new MemoryStore(scheduler);
    private final MemoryBlockStore here = new MemoryBlockStore();
    private final MemoryBlockStore there = new MemoryBlockStore();

    @AfterEach
    void stop() {
        metadata.close();
        scheduler.close();
    }

    private static byte[] content(int index) {
        byte[] bytes = new byte[LENGTH];
        new Random(index).nextBytes(bytes);
        return bytes;
    }

    private void put(Row row) {
        commit(new Mutation.Put(row));
    }

    private void commit(Mutation mutation) {
        BlockMove.await(metadata.begin(0).commit(List.of(mutation), Long.MAX_VALUE));
    }

    /** A block of the file, and its object here. */
    private StoredBlock block(int index) {
        byte[] bytes = content(index);
        Block block = new Block(10 + index, 1, LENGTH, Seal.crc(bytes, 0, LENGTH));
        String key = ObjectKey.of(block.id(), 1, 7);
        try (BlockSink sink = new BlockSink(block, here.upload(key))) {
            sink.add(bytes);
            sink.finish(LENGTH, block.crc32c());
        }
        StoredBlock stored = new StoredBlock(FILE, index, block, "here", key, StoredBlock.State.WRITTEN);
        put(stored.row());
        return stored;
    }

    private BlockMove move(BlockStore from, BlockStore to) {
        return new BlockMove(metadata, Map.of("here", from, "there", to), clock, KEPT);
    }

    private static BlockMove.Report run(BlockMove move) {
        move.file(FILE, "there", false);
        return move.report();
    }

    private List<StoredBlock> blocks() {
        return metadata.rows().stream()
                .filter(row -> row.key().table().equals(Schema.BLOCKS))
                .map(StoredBlock::of)
                .toList();
    }

    private Set<String> invalid(String store) {
        Set<String> keys = new HashSet<>();
        for (Row row : metadata.rows()) {
            if (row.key().table().equals(Schema.INVALID_BLOCKS)
                    && row.key().string(0).equals(store)) {
                keys.add(row.key().string(1));
            }
        }
        return keys;
    }

    private void assertReadable() {
        for (StoredBlock each : blocks()) {
            BlockStore at = each.store().equals("here") ? here : there;
            byte[] read = new BlockSource(at).read(each.key(), each.block(), 0, LENGTH);
            assertThat(read).isEqualTo(content(each.index()));
        }
        // Nothing may lie about that no row names.
        Set<String> named = invalid("there");
        blocks().forEach(each -> named.add(each.key()));
        assertThat(there.list("", "", 100))
                .extracting(BlockStore.StoredObject::key)
                .allSatisfy(key -> assertThat(named).contains(key));
    }

    @Test
    void shouldMoveBlocksAndListTheirOldObjectsAsInvalid() {
        StoredBlock first = block(0);
        block(1);
        put(new StoredBlock(FILE, 2, new Block(12, 1, 99, 0), "here", "allocated", StoredBlock.State.ALLOCATED).row());
        long before = System.currentTimeMillis();

        assertThat(run(move(here, there))).isEqualTo(new BlockMove.Report(2, 2L * LENGTH, 0, 0));

        assertThat(blocks()).extracting(StoredBlock::store).containsExactly("there", "there", "here");
        assertThat(blocks().get(0).block()).isEqualTo(first.block());
        assertThat(invalid("here")).contains(first.key()).hasSize(2);
        assertThat(metadata.rows())
                .filteredOn(row -> row.key().table().equals(Schema.INVALID_BLOCKS))
                .allSatisfy(
                        row -> assertThat(row.int64(0)).isBetween(before + KEPT, System.currentTimeMillis() + KEPT));
        commit(new Mutation.Delete(StoredBlock.key(FILE, 2)));
        assertReadable();
        assertThat(run(move(here, there))).isEqualTo(new BlockMove.Report(0, 0, 0, 0));
    }

    @Test
    void shouldOnlyCountInADryRun() {
        block(0);
        BlockMove move = move(here, there);
        move.file(FILE, "there", true);

        assertThat(move.report()).isEqualTo(new BlockMove.Report(1, LENGTH, 0, 0));
        assertThat(blocks()).extracting(StoredBlock::store).containsExactly("here");
        assertThat(there.list("", "", 10)).isEmpty();
    }

    /** Fails at its n-th use. */
    private static final class Failing extends ForwardingBlockStore {
        private int left;

        Failing(BlockStore behind, int left) {
            super(behind);
            this.left = left;
        }

        private void use() {
            if (left-- == 0) {
                throw FsException.unavailable("it is gone");
            }
        }

        @Override
        public Upload upload(String key) {
            use();
            return super.upload(key);
        }

        @Override
        public int read(String key, long offset, byte[] into, int at, int length) {
            use();
            int count = super.read(key, offset, into, at, length);
            use();
            return count;
        }
    }

    @Test
    void shouldGoOnWhereverItWasInterrupted() {
        block(0);
        IntStream.range(0, 5).forEach(step -> {
            assertThat(run(move(here, new Failing(there, step))).failed()).isEqualTo(1);
            assertThat(run(move(new Failing(here, step), there)).failed()).isEqualTo(1);
            assertThat(blocks()).extracting(StoredBlock::store).containsExactly("here");
            assertReadable();
        });

        assertThat(run(move(here, there))).isEqualTo(new BlockMove.Report(1, LENGTH, 0, 0));
        assertReadable();
    }

    /** Does something at the first look at the copy, when the bytes are there. */
    private BlockMove meanwhile(Runnable step) {
        return move(here, new ForwardingBlockStore(there) {
            private boolean done;

            @Override
            public int read(String key, long offset, byte[] into, int at, int length) {
                if (!done) {
                    done = true;
                    step.run();
                }
                return super.read(key, offset, into, at, length);
            }
        });
    }

    @Test
    void shouldKeepWhatHappensToABlockMeanwhile() {
        StoredBlock block = block(0);

        assertThat(run(meanwhile(() -> put(block.cut(5).row()))).moved()).isEqualTo(1);

        assertThat(blocks().get(0).shown()).isEqualTo(5);
        assertThat(blocks().get(0).store()).isEqualTo("there");
    }

    @Test
    void shouldLeaveABlockAloneThatWentMeanwhile() {
        StoredBlock block = block(0);
        Row detached = new Row(Schema.DETACHED_FILES.key(0L, FILE), 1L);

        BlockMove.Report gone =
                run(meanwhile(() -> commit(new Mutation.Delete(block.row().key()))));
        put(block.row());
        BlockMove.Report deleted = run(meanwhile(() -> put(detached)));
        commit(new Mutation.Delete(detached.key()));
        StoredBlock moved = block.at("here", "elsewhere");
        BlockMove.Report other = run(meanwhile(() -> put(moved.row())));

        assertThat(List.of(gone, deleted, other)).containsOnly(new BlockMove.Report(0, 0, 1, 0));
        assertThat(blocks()).containsExactly(moved);
        assertThat(invalid("here")).isEmpty();
        assertThat(invalid("there")).hasSize(3);
    }

    @Test
    void shouldNotTakeACopyWhoseNameHasGone() {
        block(0);

        BlockMove.Report report = run(meanwhile(() ->
                invalid("there").forEach(key -> commit(new Mutation.Delete(Schema.INVALID_BLOCKS.key("there", key))))));

        assertThat(report.changed()).isEqualTo(1);
        assertThat(blocks()).extracting(StoredBlock::store).containsExactly("here");
    }

    /** The copy's name is far in the future, for clocks differ; whoever deletes it then must find nobody who takes the copy. */
    @Test
    void shouldNotTakeACopyThatTookTooLong() {
        block(0);
        long before = System.currentTimeMillis();

        BlockMove.Report report = run(meanwhile(() -> {
            assertThat(metadata.rows())
                    .filteredOn(row -> row.key().table().equals(Schema.INVALID_BLOCKS))
                    .singleElement()
                    .satisfies(row -> assertThat(row.int64(0))
                            .isBetween(
                                    before + BlockMove.CLAIM_MILLIS,
                                    System.currentTimeMillis() + BlockMove.CLAIM_MILLIS));
            passedNanos += BlockMove.LONGEST_COPY_NANOS;
        }));

        assertThat(report).isEqualTo(new BlockMove.Report(0, 0, 1, 0));
        assertThat(blocks()).extracting(StoredBlock::store).containsExactly("here");
        assertThat(invalid("there")).hasSize(1);
        assertThat(TimeUnit.NANOSECONDS.toMillis(BlockMove.LONGEST_COPY_NANOS))
                .isLessThanOrEqualTo(BlockMove.CLAIM_MILLIS / 10);
        assertThat(run(meanwhile(() -> passedNanos += BlockMove.LONGEST_COPY_NANOS / 2))
                        .moved())
                .isEqualTo(1);
    }

    @Test
    void shouldNotMoveADamagedObject() {
        StoredBlock block = block(0);
        BlockStore damaged = new ForwardingBlockStore(here) {
            @Override
            public int read(String key, long offset, byte[] into, int at, int length) {
                int count = super.read(key, offset, into, at, length);
                if (offset == 1 << 20) {
                    into[at] ^= 1;
                }
                return count;
            }
        };

        assertThat(run(move(damaged, there))).isEqualTo(new BlockMove.Report(0, 0, 0, 1));
        assertThat(blocks()).containsExactly(block);
    }

    @Test
    void shouldNotTrustACopyThatComesBackDamaged() {
        StoredBlock block = block(0);
        BlockStore damaged = new ForwardingBlockStore(there) {
            @Override
            public int read(String key, long offset, byte[] into, int at, int length) {
                int count = super.read(key, offset, into, at, length);
                into[at] ^= 1;
                return count;
            }
        };

        assertThat(run(move(here, damaged))).isEqualTo(new BlockMove.Report(0, 0, 0, 1));
        assertThat(blocks()).containsExactly(block);
    }
}
