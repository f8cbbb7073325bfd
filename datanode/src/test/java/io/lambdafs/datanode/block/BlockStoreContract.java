package io.lambdafs.datanode.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.datanode.block.BlockStore.StoredObject;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.ObjectKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What every block store does; each extends this. */
public abstract class BlockStoreContract {
    /** The store under test, empty at first. */
    protected abstract BlockStore store();

    protected static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    protected void put(String key, byte[] content) {
        try (BlockStore.Upload upload = store().upload(key)) {
            for (int at = 0; at < content.length; at += 100_000) {
                upload.write(content, at, Math.min(100_000, content.length - at));
            }
            upload.commit();
        }
    }

    protected byte[] get(String key, long offset, int length) {
        byte[] bytes = new byte[length + 2];
        int count = store().read(key, offset, bytes, 1, length);
        assertThat(bytes[0]).isZero();
        assertThat(bytes[length + 1]).isZero();
        return Arrays.copyOfRange(bytes, 1, count + 1);
    }

    protected static void assertFails(ErrorCode code, String named, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(named);
    }

    @Test
    void shouldReadBackWhatWasCommitted() {
        String key = ObjectKey.of(1, 1, 1);
        byte[] content = bytes(300_001, 1);

        put(key, content);

        assertThat(store().length(key)).hasValue(content.length);
        assertThat(get(key, 0, content.length)).isEqualTo(content);
    }

    @Test
    void shouldReadRanges() {
        String key = ObjectKey.of(2, 1, 1);
        byte[] content = bytes(100_000, 2);
        put(key, content);

        assertThat(get(key, 0, 1)).isEqualTo(Arrays.copyOf(content, 1));
        assertThat(get(key, 70_000, 30_000)).isEqualTo(Arrays.copyOfRange(content, 70_000, 100_000));
        assertThat(get(key, 99_999, 1)).isEqualTo(Arrays.copyOfRange(content, 99_999, 100_000));
    }

    @Test
    void shouldReadLessOnlyWhereTheObjectEnds() {
        String key = ObjectKey.of(3, 1, 1);
        put(key, bytes(1_000, 3));

        assertThat(get(key, 900, 200)).hasSize(100);
        assertThat(get(key, 1_000, 10)).isEmpty();
        assertThat(get(key, 5_000, 10)).isEmpty();
    }

    @Test
    void shouldKeepAnEmptyObject() {
        String key = ObjectKey.of(4, 1, 1);

        put(key, new byte[0]);

        assertThat(store().length(key)).hasValue(0);
        assertThat(get(key, 0, 10)).isEmpty();
    }

    @Test
    void shouldShowNothingBeforeTheCommit() {
        String key = ObjectKey.of(5, 1, 1);
        try (BlockStore.Upload upload = store().upload(key)) {
            upload.write(bytes(200_000, 5), 0, 200_000);

            assertThat(store().length(key)).isEmpty();
        }

        assertThat(store().length(key)).isEmpty();
        assertThat(store().list("", "", 10)).isEmpty();
        assertFails(ErrorCode.BLOCK_MISSING, key, () -> get(key, 0, 1));
    }

    @Test
    void shouldNotReplaceAnObject() {
        String key = ObjectKey.of(6, 1, 1);
        put(key, bytes(10, 6));

        assertFails(ErrorCode.ALREADY_EXISTS, key, () -> put(key, bytes(20, 7)));

        assertThat(get(key, 0, 100)).isEqualTo(bytes(10, 6));
    }

    @Test
    void shouldLetOneOfManyWritersOfAKeyWin() throws Exception {
        String key = ObjectKey.of(7, 1, 1);
        int writers = 8;
        ExecutorService pool = Executors.newFixedThreadPool(writers);
        try {
            List<Future<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                int seed = i;
                all.add(pool.submit(() -> wins(key, seed)));
            }
            int winners = 0;
            int winner = -1;
            for (int i = 0; i < writers; i++) {
                if (all.get(i).get()) {
                    winners++;
                    winner = i;
                }
            }
            assertThat(winners).isEqualTo(1);
            assertThat(get(key, 0, 10_000)).isEqualTo(bytes(5_000, winner));
        } finally {
            pool.shutdown();
        }
    }

    private boolean wins(String key, int seed) {
        try {
            put(key, bytes(5_000, seed));
            return true;
        } catch (FsException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_EXISTS);
            return false;
        }
    }

    @Test
    void shouldDeleteAndBearASecondDelete() {
        String key = ObjectKey.of(8, 1, 1);
        put(key, bytes(10, 8));

        assertThat(store().delete(key)).isTrue();
        store().delete(key);

        assertThat(store().length(key)).isEmpty();
        assertFails(ErrorCode.BLOCK_MISSING, key, () -> get(key, 0, 1));
    }

    @Test
    void shouldListByPrefixInPages() {
        for (int i = 0; i < 25; i++) {
            put(String.format("blocks/%02d", i), bytes(i, i));
        }
        put("other", bytes(1, 1));

        List<StoredObject> first = store().list("blocks/", "", 10);
        List<StoredObject> rest = store().list("blocks/", first.get(9).key(), 100);

        assertThat(first).hasSize(10);
        assertThat(first.get(3).key()).isEqualTo("blocks/03");
        assertThat(first.get(3).length()).isEqualTo(3);
        assertThat(first.get(3).modifiedMillis()).isBetween(1_600_000_000_000L, 5_000_000_000_000L);
        assertThat(rest)
                .hasSize(15)
                .extracting(StoredObject::key)
                .startsWith("blocks/10")
                .endsWith("blocks/24");
    }

    @Test
    void shouldListUploadsThatHaveNotEndedAndDropThem() {
        String dropped = ObjectKey.of(9, 1, 1);
        String committed = ObjectKey.of(10, 1, 1);
        byte[] content = bytes(6 << 20, 9);
        try (BlockStore.Upload lost = store().upload(dropped);
                BlockStore.Upload going = store().upload(committed)) {
            lost.write(content, 0, content.length);
            going.write(content, 0, content.length);

            List<BlockStore.UnfinishedUpload> all = store().unfinished("blocks/", "", 10);
            assertThat(all).extracting(BlockStore.UnfinishedUpload::key).containsExactlyInAnyOrder(dropped, committed);
            assertThat(store().unfinished("blocks/", all.get(0).key(), 10)).hasSize(1);
            for (BlockStore.UnfinishedUpload each : all) {
                if (each.key().equals(dropped)) {
                    store().drop(each);
                    store().drop(each);
                }
            }

            assertThatThrownBy(lost::commit).isInstanceOf(FsException.class);
            going.commit();
        }
        assertThat(store().length(dropped)).isEmpty();
        assertThat(store().length(committed)).hasValue(content.length);
        assertThat(store().unfinished("blocks/", "", 10)).isEmpty();
    }

    @Test
    void shouldSayWhereItIs() {
        assertThat(store().place()).isNotBlank();
        assertThat(store().space().freeBytes())
                .isLessThanOrEqualTo(store().space().capacityBytes());
    }
}
