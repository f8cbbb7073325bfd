package io.lambdafs.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.datanode.block.BlockSink;
import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.ForwardingBlockStore;
import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.rpc.block.Seal;
import io.lambdafs.store.Row;
import io.lambdafs.store.block.StoredBlock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class BlockInspectionTest {
    private static final int LENGTH = (1 << 20) + 5;

    private final MemoryBlockStore objects = new MemoryBlockStore();
    private final Map<Long, Row> rows = new LinkedHashMap<>();

    private StoredBlock block(long id, String store) {
        byte[] bytes = new byte[LENGTH];
        new Random(id).nextBytes(bytes);
        Block block = new Block(id, 1, LENGTH, Seal.crc(bytes, 0, LENGTH));
        String key = ObjectKey.of(id, 1, 7);
        try (BlockSink sink = new BlockSink(block, objects.upload(key))) {
            sink.add(bytes);
            sink.finish(LENGTH, block.crc32c());
        }
        StoredBlock stored = new StoredBlock(1_000 + id, 0, block, store, key, StoredBlock.State.WRITTEN);
        rows.put(id, stored.row());
        return stored;
    }

    private BlockInspection.Report run(BlockStore store, boolean deep) {
        return BlockInspection.run(
                store,
                "s",
                new BlockInspection.Rows() {
                    @Override
                    public <T> T read(Function<Iterable<Row>, T> reader) {
                        return reader.apply(new ArrayList<>(rows.values()));
                    }
                },
                deep,
                2);
    }

    private List<StoredBlock> faults(BlockStore store, boolean deep) {
        return run(store, deep).faults().stream()
                .map(BlockInspection.Fault::block)
                .toList();
    }

    @Test
    void shouldFindEveryBlockThatHasNoObjectAndNoOther() {
        for (long id = 1; id <= 9; id++) {
            block(id, "s");
        }
        objects.delete(block(10, "another").key());
        StoredBlock allocated = block(11, "s");
        objects.delete(allocated.key());
        rows.put(
                11L, new StoredBlock(7, 0, allocated.block(), "s", allocated.key(), StoredBlock.State.ALLOCATED).row());
        assertThat(run(objects, true)).isEqualTo(new BlockInspection.Report(9, 9L * LENGTH, List.of()));

        StoredBlock lost = StoredBlock.of(rows.getOrDefault(4L, allocated.row()));
        objects.delete(lost.key());

        assertThat(run(objects, false).faults())
                .containsExactly(new BlockInspection.Fault(lost, "its object is missing"));
    }

    @Test
    void shouldFindAnObjectOfAnotherLength() {
        StoredBlock block = block(1, "s");
        objects.delete(block.key());
        try (BlockStore.Upload upload = objects.upload(block.key())) {
            upload.write(new byte[9], 0, 9);
            upload.commit();
        }

        assertThat(run(objects, false).faults())
                .singleElement()
                .satisfies(fault ->
                        assertThat(fault.why()).contains("9 bytes in place of " + (LENGTH + Seal.size(LENGTH))));
    }

    @Test
    void shouldFindDamagedBytesWhereItReadsThem() {
        StoredBlock block = block(1, "s");
        block(2, "s");
        BlockStore damaged = new ForwardingBlockStore(objects) {
            @Override
            public int read(String key, long offset, byte[] into, int at, int length) {
                int count = super.read(key, offset, into, at, length);
                into[at] ^= (byte) (key.equals(block.key()) && offset == 1 << 20 ? 1 : 0);
                return count;
            }
        };

        assertThat(faults(damaged, false)).isEmpty();
        assertThat(faults(damaged, true)).containsExactly(block);
    }

    @Test
    void shouldNotTakeWhatWasDeletedOrMovedMeanwhileForMissing() {
        StoredBlock deleted = block(1, "s");
        StoredBlock moved = block(2, "s");
        BlockStore busy = new ForwardingBlockStore(objects) {
            @Override
            public List<StoredObject> list(String prefix, String after, int limit) {
                rows.remove(1L);
                rows.put(2L, moved.at("another", "blocks/00/other").row());
                objects.delete(deleted.key());
                objects.delete(moved.key());
                return super.list(prefix, after, limit);
            }
        };

        assertThat(faults(busy, true)).isEmpty();
    }

    @Test
    void shouldAddUpTheReportsOfSeveralStores() {
        BlockInspection.Fault one = new BlockInspection.Fault(block(1, "s"), "missing");
        BlockInspection.Fault other = new BlockInspection.Fault(block(2, "t"), "too short");

        assertThat(new BlockInspection.Report(1, 20, List.of(one))
                        .plus(new BlockInspection.Report(2, 10, List.of(other))))
                .isEqualTo(new BlockInspection.Report(3, 30, List.of(one, other)));
    }
}
