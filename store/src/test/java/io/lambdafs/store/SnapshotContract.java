package io.lambdafs.store;

import static io.lambdafs.store.StoreContract.assertCode;
import static io.lambdafs.store.StoreContract.await;
import static io.lambdafs.store.StoreContract.number;
import static io.lambdafs.store.StoreContract.operation;
import static io.lambdafs.store.StoreContract.put;
import static io.lambdafs.store.StoreContract.sequence;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.store.engine.RowDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** All rows of one moment, beside writers. */
interface SnapshotContract extends StoreContract {
    int BOOKS = 500;
    long BALANCE = 100;

    private List<Row> all(String snapshot, Table table) {
        List<Row> all = new ArrayList<>();
        Key after = null;
        while (true) {
            List<Row> page = page(snapshot, table, after);
            if (page.isEmpty()) {
                return all;
            }
            all.addAll(page);
            after = page.get(page.size() - 1).key();
        }
    }

    private List<Row> page(String snapshot, Table table, @Nullable Key after) {
        return await(store().scanSnapshot(new SnapshotScan(snapshot, table, after)));
    }

    @Test
    default void shouldShowASnapshotAsItWasWhateverIsCommittedLater() {
        Row kept = operation("/kept", 1);
        Row removed = operation("/removed", 2);
        commit(put("n", 1), new Mutation.Put(kept), new Mutation.Put(removed));
        String snapshot = await(store().openSnapshot());

        commit(put("n", 2), put("m", 1), new Mutation.Delete(removed.key()), new Mutation.Put(operation("/new", 3)));

        assertThat(all(snapshot, Schema.SEQUENCES)).contains(number("n", 1)).doesNotContain(number("m", 1));
        assertThat(all(snapshot, Schema.SUBTREE_OPERATIONS)).containsExactly(kept, removed);
        String later = await(store().openSnapshot());
        assertThat(all(later, Schema.SUBTREE_OPERATIONS)).containsExactly(kept, operation("/new", 3));
        await(store().closeSnapshot(later));
        assertThat(all(snapshot, Schema.SUBTREE_OPERATIONS)).containsExactly(kept, removed);
        await(store().closeSnapshot(snapshot));
    }

    @Test
    default void shouldReadATableOfASnapshotByPagesInTheOrderOfItsKeys() {
        List<Row> rows = new ArrayList<>();
        for (String client : List.of("", "a", "a\0", "b\1", "é", "\uFFFD", "\uD83D\uDE00")) {
            for (long slot : new long[] {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE}) {
                rows.add(new Row(Schema.SLOTS.key(client, slot), slot, new byte[200_000], 0L)
                        .withUnknown(new byte[] {1, 0, -1}));
            }
        }
        for (Row row : rows) {
            commit(new Mutation.Put(row));
        }
        commit(new Mutation.Put(new Row(Schema.INSTANCES.key(1L), 0L, "before the slots", 0L)));
        commit(new Mutation.Put(operation("/after the slots", 1)));
        String snapshot = await(store().openSnapshot());

        List<Row> first = page(snapshot, Schema.SLOTS, null);
        assertThat(first).hasSizeBetween(2, rows.size() - 1).isEqualTo(rows.subList(0, first.size()));
        assertThat(page(snapshot, Schema.SLOTS, null)).as("the page again").isEqualTo(first);
        assertThat(all(snapshot, Schema.SLOTS)).isEqualTo(rows);
        assertThat(page(snapshot, Schema.SLOTS, Schema.SLOTS.key("a", 7L)))
                .as("after a key that has no row")
                .first()
                .isEqualTo(rows.get(7));
        assertThat(all(snapshot, Schema.XATTRS)).isEmpty();
        Key border = first.get(first.size() - 1).key();
        List<Row> second = page(snapshot, Schema.SLOTS, border);
        assertThat(page(snapshot, Schema.SLOTS, border))
                .as("a page whose answer was lost")
                .isEqualTo(second);
        assertThat(page(snapshot, Schema.SUBTREE_OPERATIONS, null)).hasSize(1);
        assertThat(page(snapshot, Schema.SLOTS, second.get(second.size() - 1).key()))
                .as("behind the second one, after a look at another table")
                .first()
                .isEqualTo(rows.get(first.size() + second.size()));
        await(store().closeSnapshot(snapshot));
    }

    private static RowSum sum(List<Row> rows) {
        RowDigest digest = new RowDigest();
        rows.forEach(digest::add);
        return digest.sum();
    }

    @Test
    default void shouldSumUpTheRowsOfASnapshotWhereverPagesEnd() {
        List<Row> rows = new ArrayList<>();
        for (long slot = 0; slot < 20; slot++) {
            rows.add(new Row(Schema.SLOTS.key("é\uD83D\uDE00", slot), -slot, new byte[150_000 + (int) slot], 0L)
                    .withUnknown(new byte[] {1, 0, -1}));
            commit(new Mutation.Put(rows.get(rows.size() - 1)));
        }
        String snapshot = await(store().openSnapshot());
        for (int most : new int[] {1, 3, 7, 8, 19, 20, 21, RowSnapshot.MAX_SUMMED}) {
            Key after = null;
            for (int from = 0; from < rows.size(); from += most) {
                RowSum sum = await(store().sumSnapshot(new SnapshotScan(snapshot, Schema.SLOTS, after), most));
                assertThat(sum).isEqualTo(sum(rows.subList(from, (int) Math.min(rows.size(), (long) from + most))));
                after = sum.last();
            }
            SnapshotScan end = new SnapshotScan(snapshot, Schema.SLOTS, after);
            assertThat(await(store().sumSnapshot(end, most)))
                    .as("behind the last one")
                    .isEqualTo(sum(List.of()));
            assertThat(page(snapshot, Schema.SLOTS, rows.get(4).key()))
                    .as("a page after sums")
                    .first()
                    .isEqualTo(rows.get(5));
        }
        SnapshotScan first = new SnapshotScan(snapshot, Schema.SLOTS, null);
        for (int wrong : new int[] {-1, 0, RowSnapshot.MAX_SUMMED + 1}) {
            assertThatThrownBy(() -> await(store().sumSnapshot(first, wrong))).hasMessageContaining("sum of");
        }
        await(store().closeSnapshot(snapshot));
        assertCode(store().sumSnapshot(first, 1), ErrorCode.NOT_FOUND);
    }

    @Test
    default void shouldSeeEachCommitAsAWholeInASnapshotBesideWriters() {
        commit(IntStream.range(0, BOOKS)
                .mapToObj(i -> put("book-" + i, BALANCE))
                .toArray(Mutation[]::new));
        AtomicBoolean ended = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            Random random = new Random(3);
            while (!ended.get()) {
                long amount = random.nextInt(50);
                commit(
                        StoreContract.add("book-" + random.nextInt(BOOKS), amount),
                        StoreContract.add("book-" + random.nextInt(BOOKS), -amount),
                        StoreContract.add("commits", 1));
                answered.incrementAndGet();
            }
        });
        for (int i = 0; i < 10; i++) {
            int before = answered.get();
            String snapshot = await(store().openSnapshot());
            List<Row> rows = all(snapshot, Schema.SEQUENCES);
            await(store().closeSnapshot(snapshot));

            long commits = rows.stream()
                    .filter(row -> row.key().equals(sequence("commits")))
                    .mapToLong(row -> row.int64(0))
                    .sum();
            long total = rows.stream()
                    .filter(row -> row.key().string(0).startsWith("book-"))
                    .mapToLong(row -> row.int64(0))
                    .sum();
            assertThat(total).isEqualTo(BOOKS * BALANCE);
            assertThat(commits).as("what was answered before").isGreaterThanOrEqualTo(before);
        }
        ended.set(true);
        writer.join();
        assertThat(answered.get()).isPositive();
    }

    @Test
    default void shouldRefuseSnapshotsThatAreClosedOrTooMany() {
        List<String> open = new ArrayList<>();
        for (int i = 0; i < RowSnapshot.MAX_OPEN; i++) {
            open.add(await(store().openSnapshot()));
        }
        assertCode(store().openSnapshot(), ErrorCode.UNAVAILABLE);
        await(store().closeSnapshot(open.get(0)));
        await(store().closeSnapshot(open.get(0)));
        assertCode(store().scanSnapshot(new SnapshotScan(open.get(0), Schema.INODES, null)), ErrorCode.NOT_FOUND);
        open.add(await(store().openSnapshot()));
        assertThat(open).doesNotHaveDuplicates();
        open.forEach(each -> await(store().closeSnapshot(each)));
        assertThatThrownBy(() -> new SnapshotScan("x", Schema.LISTINGS, null)).hasMessageContaining("no rows");
        assertThatThrownBy(() -> new SnapshotScan("x", Schema.INODES, sequence("n")))
                .hasMessageContaining("not a key of inodes");
    }
}
