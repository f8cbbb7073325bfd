package io.lambdafs.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.BlockStoreCheck;
import io.lambdafs.datanode.block.ForwardingBlockStore;
import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.store.Row;
import io.lambdafs.store.block.StoredBlock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OrphansTest {
    private static final String STORE = "s3";
    private static final String CLUSTER = "a-cluster";

    private final Random random = new Random(1);
    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final Map<String, BlockStore.Upload> writing = new LinkedHashMap<>();
    private final MemoryBlockStore blocks = new MemoryBlockStore();
    private int attempts;

    /** Between any two steps of the collector, others take some of theirs. */
    private final BlockStore busy = new ForwardingBlockStore(blocks) {
        @Override
        public List<StoredObject> list(String prefix, String after, int limit) {
            someSteps();
            List<StoredObject> page = super.list(prefix, after, limit);
            someSteps();
            return page;
        }

        @Override
        public List<UnfinishedUpload> unfinished(String prefix, String after, int limit) {
            someSteps();
            List<UnfinishedUpload> page = super.unfinished(prefix, after, limit);
            someSteps();
            return page;
        }

        @Override
        public boolean delete(String key) {
            someSteps();
            assertThat(rows).as("a row names %s, whose object is deleted", key).doesNotContainKey(key);
            return super.delete(key);
        }
    };

    @BeforeEach
    void claim() {
        put(BlockStoreCheck.MARKER, CLUSTER.getBytes(StandardCharsets.UTF_8));
    }

    private void put(String key, byte[] content) {
        try (BlockStore.Upload upload = blocks.upload(key)) {
            upload.write(content, 0, content.length);
            upload.commit();
        }
    }

    private static StoredBlock row(int number, String key) {
        return new StoredBlock(number, 0, new Block(number, 1, 10, 0), STORE, key, StoredBlock.State.ALLOCATED);
    }

    private void someSteps() {
        for (int i = random.nextInt(12); i > 0; i--) {
            step();
        }
    }

    /** A writer allocates a block, sends a part of it, or ends it; a block is given up; a datanode deletes one that is invalid. */
    private void step() {
        switch (random.nextInt(6)) {
            case 0 -> {
                String key = ObjectKey.of(++attempts, 1, random.nextLong());
                rows.put(key, row(attempts, key).row());
            }
            case 1 ->
                any(rows.keySet(), key -> {
                    if (blocks.length(key).isEmpty() && isBlock(key) && !writing.containsKey(key)) {
                        BlockStore.Upload upload = blocks.upload(key);
                        upload.write(new byte[] {1}, 0, 1);
                        writing.put(key, upload);
                    }
                });
            case 2, 3 ->
                any(writing.keySet(), key -> {
                    // A datanode that was frozen may do so long after its row has gone; then the upload may have been
                    // dropped.
                    try (BlockStore.Upload upload = writing.remove(key)) {
                        upload.commit();
                    } catch (FsException dropped) {
                        assertThat(rows).doesNotContainKey(key);
                    }
                });
            case 4 ->
                any(rows.keySet(), key -> {
                    if (isBlock(key) && random.nextInt(3) == 0) {
                        rows.put(key, row(1, key).invalid(0));
                    }
                });
            default ->
                any(rows.keySet(), key -> {
                    if (!isBlock(key)) {
                        blocks.delete(key);
                        rows.remove(key);
                    }
                });
        }
    }

    private boolean isBlock(String key) {
        return rows.get(key).key().table().name().equals("blocks");
    }

    private void any(Set<String> keys, Consumer<String> step) {
        if (!keys.isEmpty()) {
            step.accept(List.copyOf(keys).get(random.nextInt(keys.size())));
        }
    }

    private Set<String> now(Set<String> keys) {
        someSteps();
        return Orphans.named(rows.values(), STORE, keys);
    }

    private void run(UnaryOperator<Set<String>> named) {
        for (int round = 0; round < 100; round++) {
            Orphans.collect(busy, CLUSTER, named, false, 50);
        }
    }

    @Test
    void shouldDeleteNothingThatIsWrittenMeanwhileAndEverythingThatNothingNames() {
        run(this::now);

        assertThat(attempts).isGreaterThan(200);
        writing.values().forEach(BlockStore.Upload::close);
        writing.clear();
        Orphans.collect(blocks, CLUSTER, keys -> Orphans.named(rows.values(), STORE, keys), false);
        assertThat(blocks.list(ObjectKey.BLOCKS, "", 100_000))
                .allSatisfy(each -> assertThat(rows).containsKey(each.key()));
    }

    /** Plays a collector that reads the rows first, and then lists. */
    @Test
    void shouldNoticeACollectorThatTakesRowsOfAnEarlierMoment() {
        List<Row> earlier = new ArrayList<>();
        assertThatThrownBy(() -> run(keys -> {
                    Set<String> named = Orphans.named(earlier, STORE, keys);
                    earlier.clear();
                    earlier.addAll(rows.values());
                    return named;
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("whose object is deleted");
    }

    @Test
    void shouldOnlyTellInADryRun() {
        put(ObjectKey.of(1, 1, 1), new byte[7]);
        BlockStore.Upload left = blocks.upload(ObjectKey.of(2, 1, 1));

        Orphans.Report report = Orphans.collect(blocks, CLUSTER, keys -> Set.of(), true);

        assertThat(report).isEqualTo(new Orphans.Report(1, 7, 1, 7, 1, 0));
        assertThat(blocks.list(ObjectKey.BLOCKS, "", 10)).hasSize(1);
        assertThat(Orphans.collect(blocks, CLUSTER, keys -> Set.of(), false)).isEqualTo(report);
        assertThat(blocks.list(ObjectKey.BLOCKS, "", 10)).isEmpty();
        assertThat(blocks.unfinished(ObjectKey.BLOCKS, "", 10)).isEmpty();
        left.close();
    }

    @Test
    void shouldRefuseAStoreOfAnotherClusterAndOneOfNobody() {
        put(ObjectKey.of(1, 1, 1), new byte[7]);
        assertThatThrownBy(() -> Orphans.collect(blocks, "another", keys -> Set.of(), false))
                .hasMessageContaining("belongs to the cluster " + CLUSTER);
        blocks.delete(BlockStoreCheck.MARKER);
        assertThatThrownBy(() -> Orphans.collect(blocks, CLUSTER, keys -> Set.of(), false))
                .hasMessageContaining("belongs to no cluster");
        assertThat(blocks.list(ObjectKey.BLOCKS, "", 10)).hasSize(1);
    }

    @Test
    void shouldAddUpTheReportsOfSeveralStores() {
        assertThat(new Orphans.Report(1, 20, 300, 4_000, 50_000, 600_000)
                        .plus(new Orphans.Report(2, 10, 400, 3_000, 60_000, 500_000)))
                .isEqualTo(new Orphans.Report(3, 30, 700, 7_000, 110_000, 1_100_000));
    }
}
