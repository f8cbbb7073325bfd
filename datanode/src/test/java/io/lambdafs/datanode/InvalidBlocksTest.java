package io.lambdafs.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.ForwardingBlockStore;
import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InvalidBlocksTest {
    private static final String STORE = "local";

    private final SystemScheduler scheduler = new SystemScheduler("test", 4, 1_000);
    private final MemoryStore metadata = new MemoryStore(scheduler);
    private final MemoryBlockStore blocks = new MemoryBlockStore();
    private final InvalidBlocks invalid = new InvalidBlocks(metadata, blocks, STORE, scheduler);

    @AfterEach
    void stop() {
        invalid.close();
        metadata.close();
        scheduler.close();
    }

    private static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static String key(int number) {
        return ObjectKey.of(number, 1, 1);
    }

    private void object(int number) {
        try (BlockStore.Upload upload = blocks.upload(key(number))) {
            upload.write(new byte[] {1}, 0, 1);
            upload.commit();
        }
    }

    private void list(String store, int from, int to, long notBeforeMillis) {
        List<Mutation> rows = new ArrayList<>();
        for (int i = from; i < to; i++) {
            rows.add(new Mutation.Put(new Row(Schema.INVALID_BLOCKS.key(store, key(i)), notBeforeMillis)));
        }
        done(metadata.begin(0).commit(rows, Long.MAX_VALUE));
    }

    private List<String> listed() {
        return metadata.rows().stream()
                .filter(row -> row.key().table().equals(Schema.INVALID_BLOCKS))
                .map(row -> row.key().string(1))
                .toList();
    }

    @Test
    void shouldDeleteObjectsWhoseTimeHasComeAndThenTheirRows() {
        long now = System.currentTimeMillis();
        for (int i = 0; i < 4; i++) {
            object(i);
        }
        list(STORE, 0, 1, now - 1);
        list(STORE, 1, 2, now + 60_000);
        list("another", 2, 3, 0);

        assertThat(done(invalid.run())).isEqualTo(1);

        assertThat(blocks.length(key(0))).isEmpty();
        assertThat(blocks.list("", "", 10)).hasSize(3);
        assertThat(listed()).containsExactlyInAnyOrder(key(1), key(2));
    }

    @Test
    void shouldForgetObjectsThatAreGoneAlready() {
        list(STORE, 0, 10, 0);

        assertThat(done(invalid.run())).isEqualTo(10);

        assertThat(listed()).isEmpty();
        assertThat(done(invalid.run())).isZero();
    }

    @Test
    void shouldGoThroughMoreThanAPageWithSeveralAtOnce() {
        for (int i = 0; i < 2_500; i++) {
            object(i);
        }
        list(STORE, 0, 2_500, 0);
        InvalidBlocks other = new InvalidBlocks(metadata, blocks, STORE, scheduler);

        CompletionStage<Integer> first = invalid.run();
        CompletionStage<Integer> second = other.run();
        done(first);
        done(second);

        assertThat(listed()).isEmpty();
        assertThat(blocks.list("", "", 10)).isEmpty();
    }

    @Test
    void shouldKeepTheRowsOfWhatCannotBeDeletedNow() {
        object(0);
        object(1);
        list(STORE, 0, 2, 0);
        InvalidBlocks failing = new InvalidBlocks(metadata, new Refusing(blocks, key(0)), STORE, scheduler);

        assertThat(done(failing.run())).isEqualTo(1);
        assertThat(listed()).containsExactly(key(0));

        assertThat(done(invalid.run())).isEqualTo(1);
        assertThat(listed()).isEmpty();
    }

    @Test
    void shouldDeleteWhatIsDueAtThisVeryMoment() {
        ManualScheduler still = new ManualScheduler();
        list(STORE, 0, 1, still.currentTimeMillis());
        list(STORE, 1, 2, still.currentTimeMillis() + 1);

        assertThat(done(new InvalidBlocks(metadata, blocks, STORE, still).run()))
                .isEqualTo(1);

        assertThat(listed()).containsExactly(key(1));
    }

    @Test
    void shouldCountEveryPageOfWhatItDeletes() {
        for (int pages : new int[] {1_000, 1_001, 2_000}) {
            list(STORE, 0, pages, 0);
            assertThat(done(invalid.run())).isEqualTo(pages);
            assertThat(listed()).isEmpty();
        }
    }

    /** Between two batches. */
    @Test
    void shouldDeleteNothingMoreOnceItIsClosed() {
        list(STORE, 0, 200, 0);
        List<InvalidBlocks> closing = new ArrayList<>();
        closing.add(new InvalidBlocks(
                metadata,
                new ForwardingBlockStore(blocks) {
                    @Override
                    public boolean delete(String key) {
                        closing.get(0).close();
                        return super.delete(key);
                    }
                },
                STORE,
                scheduler));

        int deleted = done(closing.get(0).run());

        assertThat(deleted).isEqualTo(64);
        assertThat(listed()).hasSize(200 - 64);
        assertThat(done(closing.get(0).run())).isZero();
    }

    @Test
    void shouldLookEveryFiveSecondsAndABit() {
        ManualScheduler still = new ManualScheduler();
        try (InvalidBlocks chore = new InvalidBlocks(metadata, blocks, STORE, still)) {
            chore.start();
            for (int i = 0; i < 3; i++) {
                list(STORE, i, i + 1, 0);
                still.advance(Duration.ofMillis(7_500));
                assertThat(listed()).isEmpty();
            }
            list(STORE, 0, 1, 0);
            still.advance(Duration.ofNanos(1));
        }
        still.advance(Duration.ofMinutes(1));
        assertThat(listed()).hasSize(1);
    }

    /** A store in which one object cannot be deleted. */
    private static final class Refusing extends ForwardingBlockStore {
        private final String key;

        Refusing(BlockStore behind, String key) {
            super(behind);
            this.key = key;
        }

        @Override
        public boolean delete(String wanted) {
            if (wanted.equals(key)) {
                throw FsException.unavailable("not now");
            }
            return super.delete(wanted);
        }
    }
}
