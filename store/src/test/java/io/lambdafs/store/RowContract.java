package io.lambdafs.store;

import static io.lambdafs.store.StoreContract.add;
import static io.lambdafs.store.StoreContract.assertCode;
import static io.lambdafs.store.StoreContract.await;
import static io.lambdafs.store.StoreContract.failure;
import static io.lambdafs.store.StoreContract.max;
import static io.lambdafs.store.StoreContract.number;
import static io.lambdafs.store.StoreContract.operation;
import static io.lambdafs.store.StoreContract.put;
import static io.lambdafs.store.StoreContract.secondParts;
import static io.lambdafs.store.StoreContract.sequence;
import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Rows are read as they were written, in every type and order. */
interface RowContract extends StoreContract {
    @Test
    default void shouldReadWhatWasPutInEveryColumnType() {
        Row slot = new Row(Schema.SLOTS.key("client\0\1é\uD83D\uDE00", -7L), Long.MIN_VALUE, new byte[] {0, -1, 5}, 3L);
        Row setting = new Row(Schema.SETTINGS.key(""), "");
        Row instance = new Row(Schema.INSTANCES.key(Long.MAX_VALUE), -1L, "λ", Long.MAX_VALUE);
        commit(new Mutation.Put(slot), new Mutation.Put(setting), new Mutation.Put(instance));
        StoreTransaction transaction = begin();
        assertThat(read(
                        transaction,
                        Read.unlocked(instance.key()),
                        Read.shared(slot.key()),
                        Read.unlocked(sequence("missing")),
                        Read.exclusive(setting.key())))
                .containsExactly(instance, slot, null, setting);
        transaction.abort();
    }

    @Test
    default void shouldLockWhatHasNoRowAndReadTheOthersInTheirPlaces() {
        commit(put("a", 1), put("b", 2));
        StoreTransaction transaction = begin();
        assertThat(read(
                        transaction,
                        Read.shared(Rows.listingKey(1)),
                        Read.unlocked(sequence("a")),
                        Read.exclusive(Rows.listingKey(2)),
                        Read.shared(sequence("b"))))
                .containsExactly(null, number("a", 1), null, number("b", 2));
        assertThat(read(transaction, Read.shared(Rows.listingKey(3)))).containsExactly((Row) null);
        transaction.abort();
    }

    @Test
    default void shouldKeepColumnsThatItDoesNotKnow() {
        byte[] later = {9, 0, -1};
        Row counted = number("a", 1).withUnknown(later);
        Row slot = new Row(Schema.SLOTS.key("client", 1L), 2L, new byte[] {3}, 4L).withUnknown(later);
        commit(new Mutation.Put(counted), new Mutation.Put(slot));

        assertThat(get(counted.key())).isEqualTo(counted);
        assertThat(scan(new Scan(Schema.SLOTS, "client", null, 10))).containsExactly(slot);
        commit(add("a", 4));
        assertThat(get(counted.key())).isEqualTo(number("a", 5).withUnknown(later));
        commit(new Mutation.Put(number("a", 6)));
        assertThat(get(counted.key())).isEqualTo(number("a", 6));
    }

    @Test
    default void shouldOverwriteAndDelete() {
        commit(put("a", 1));
        commit(put("a", 2), put("b", 5));
        assertThat(get(sequence("a"))).isEqualTo(number("a", 2));
        commit(new Mutation.Delete(sequence("a")), new Mutation.Delete(sequence("never there")));
        assertThat(get(sequence("a"))).isNull();
        assertThat(get(sequence("b"))).isEqualTo(number("b", 5));
    }

    @Test
    default void shouldApplyTheMutationsOfACommitInTheirOrder() {
        commit(put("a", 1), add("a", 2), max("a", 10), add("a", 1));
        assertThat(get(sequence("a"))).isEqualTo(number("a", 11));
        commit(add("a", 5), put("a", 1));
        assertThat(get(sequence("a"))).isEqualTo(number("a", 1));
        commit(new Mutation.Delete(sequence("a")), add("a", 3));
        assertThat(get(sequence("a"))).isEqualTo(number("a", 3));
        commit(add("a", 3), new Mutation.Delete(sequence("a")));
        assertThat(get(sequence("a"))).isNull();
    }

    @Test
    default void shouldMergeFromZerosAndEmptyStrings() {
        Key key = Schema.INSTANCES.key(7L);
        commit(new Mutation.Merge(
                key,
                List.of(
                        new Mutation.Delta(0, Mutation.Delta.Kind.ADD, -4),
                        new Mutation.Delta(2, Mutation.Delta.Kind.MAX, 9))));
        assertThat(get(key)).isEqualTo(new Row(key, -4L, "", 9L));
    }

    @Test
    default void shouldRefuseDeltasOfWhatIsNoNumber() {
        Key key = Schema.INSTANCES.key(7L);
        assertThat(failure(begin().commit(
                                List.of(new Mutation.Merge(
                                        key, List.of(new Mutation.Delta(1, Mutation.Delta.Kind.ADD, 1)))),
                                Long.MAX_VALUE)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(get(key)).isNull();
    }

    @Test
    default void shouldAddUpConcurrentMergesExactly() {
        List<CompletionStage<Void>> commits = new ArrayList<>();
        for (int i = 1; i <= 2_000; i++) {
            commits.add(begin().commit(List.of(add("sum", i), max("top", i)), Long.MAX_VALUE));
        }
        commits.forEach(StoreContract::await);
        assertThat(get(sequence("sum"))).isEqualTo(number("sum", 2_000L * 2_001 / 2));
        assertThat(get(sequence("top"))).isEqualTo(number("top", 2_000));
    }

    @Test
    default void shouldMergeWithoutWaitingForALock() {
        commit(put("a", 1));
        StoreTransaction holder = begin();
        read(holder, Read.exclusive(sequence("a")));
        commit(add("a", 1));
        assertThat(get(sequence("a"))).isEqualTo(number("a", 2));
        holder.abort();
    }

    @Test
    default void shouldScanAPartitionInTheOrderOfUtf8Bytes() {
        // By UTF-16 units the supplementary character would come before U+FFFD.
        List<String> sorted = List.of("", "/", "/a", "/a/", "/a/b", "/b", "é", "\uFFFD", "\uD83D\uDE00");
        List<Mutation> puts = new ArrayList<>();
        for (int i = sorted.size() - 1; i >= 0; i--) {
            puts.add(new Mutation.Put(operation(sorted.get(i), i)));
        }
        puts.add(new Mutation.Put(new Row(Schema.SUBTREE_OPERATIONS.key(-1L, "/x"), 0L, 0L, "", 0L, "")));
        puts.add(new Mutation.Put(new Row(Schema.SUBTREE_OPERATIONS.key(1L, "/x"), 0L, 0L, "", 0L, "")));
        commit(puts.toArray(Mutation[]::new));
        assertThat(secondParts(scan(new Scan(Schema.SUBTREE_OPERATIONS, 0L, null, 100))))
                .isEqualTo(sorted);
        assertThat(secondParts(scan(new Scan(Schema.SUBTREE_OPERATIONS, 0L, "/a/", 2))))
                .containsExactly("/a/b", "/b");
        assertThat(secondParts(scan(new Scan(Schema.SUBTREE_OPERATIONS, 0L, "/a/a", 1))))
                .containsExactly("/a/b");
        assertThat(scan(new Scan(Schema.SUBTREE_OPERATIONS, 5L, null, 10))).isEmpty();
    }

    @Test
    default void shouldScanNumbersAndPartitionsThatAreStrings() {
        List<Mutation> puts = new ArrayList<>();
        for (String client : List.of("a", "a\0", "b")) {
            for (long slot : new long[] {3, -1, 0, Long.MIN_VALUE, Long.MAX_VALUE}) {
                puts.add(new Mutation.Put(new Row(Schema.SLOTS.key(client, slot), slot, new byte[0], 0L)));
            }
        }
        commit(puts.toArray(Mutation[]::new));
        assertThat(scan(new Scan(Schema.SLOTS, "a", null, 10)))
                .extracting(row -> row.key().int64(1))
                .containsExactly(Long.MIN_VALUE, -1L, 0L, 3L, Long.MAX_VALUE);
        assertThat(scan(new Scan(Schema.SLOTS, "a\0", 0L, 10)))
                .extracting(row -> row.key().int64(1))
                .containsExactly(3L, Long.MAX_VALUE);
    }

    @Test
    default void shouldPageThroughALargePartition() {
        int count = 12_000;
        List<Mutation> puts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            puts.add(new Mutation.Put(operation(String.format("/%05d", i), i)));
            if (puts.size() == 1_000) {
                commit(puts.toArray(Mutation[]::new));
                puts.clear();
            }
        }
        List<Row> all = new ArrayList<>();
        List<Row> page = scan(new Scan(Schema.SUBTREE_OPERATIONS, 0L, null, Scan.MAX_LIMIT));
        assertThat(page).hasSize(Scan.MAX_LIMIT);
        while (!page.isEmpty()) {
            all.addAll(page);
            String last = all.get(all.size() - 1).key().string(1);
            page = scan(new Scan(Schema.SUBTREE_OPERATIONS, 0L, last, Scan.MAX_LIMIT));
        }
        assertThat(all).extracting(row -> row.int64(0)).hasSize(count).isSorted();
    }

    @Test
    default void shouldAnswerReadsAndScansLargerThanAFrame() {
        List<Read> reads = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            byte[] content = new byte[65_536];
            content[i] = (byte) i;
            Row row = new Row(Schema.SMALL_FILES.key(1L, (long) i), content);
            commit(new Mutation.Put(row));
            reads.add(Read.unlocked(row.key()));
        }
        StoreTransaction transaction = begin();
        List<Row> read = await(transaction.read(reads, 0));
        List<Row> scanned = await(transaction.scan(new Scan(Schema.SMALL_FILES, 1L, null, 1_000)));
        assertThat(read).hasSize(100).isEqualTo(scanned);
        assertThat(read.get(42).bytes(0)[42]).isEqualTo((byte) 42);
        assertThat(await(transaction.read(List.of(reads.get(3)), 0))).hasSize(1);
        transaction.abort();
    }

    @Test
    default void shouldRefuseACommitAfterItsDeadline() {
        assertCode(begin().commit(List.of(put("a", 1)), 1), ErrorCode.DEADLINE_EXCEEDED);
        assertThat(get(sequence("a"))).isNull();
        await(begin().commit(List.of(put("a", 1)), System.currentTimeMillis() + 3_600_000));
        assertThat(get(sequence("a"))).isEqualTo(number("a", 1));
    }
}
