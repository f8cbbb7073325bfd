package io.lambdafs.store;

import static io.lambdafs.store.StoreContract.assertCode;
import static io.lambdafs.store.StoreContract.await;
import static io.lambdafs.store.StoreContract.put;
import static io.lambdafs.store.StoreContract.sequence;
import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Changes that commits append to the change log are read in the order of the commits. */
interface ChangesContract extends StoreContract {
    static Change change(long inode) {
        Change.Event event = new Change.Event(
                Change.Kind.RENAME,
                inode,
                true,
                FsPath.of("/é/" + inode),
                inode % 2 == 0 ? FsPath.of("/to") : null,
                inode % 3);
        return new Change(event, new Change.Origin("λ", -inode, new RequestId(inode, Long.MIN_VALUE, 7, inode)));
    }

    static Mutation append(long inode) {
        return new Mutation.Append(change(inode).row());
    }

    default List<ChangeLog.Entry> changes(long after, int limit) {
        return await(store().changes(after, limit));
    }

    @Test
    default void shouldReadWhatCommitsAppendedInTheirOrder() {
        assertThat(changes(ChangeLog.START, 10)).isEmpty();
        commit(append(5), put("a", 1), append(4));
        commit(append(3));

        assertThat(changes(ChangeLog.START, 10))
                .containsExactly(
                        new ChangeLog.Entry(1, change(5)),
                        new ChangeLog.Entry(2, change(4)),
                        new ChangeLog.Entry(3, change(3)));
        assertThat(changes(ChangeLog.START, 2))
                .extracting(ChangeLog.Entry::position)
                .containsExactly(1L, 2L);
        assertThat(changes(2, 10)).extracting(ChangeLog.Entry::position).containsExactly(3L);
        assertThat(changes(3, 10)).isEmpty();
    }

    @Test
    default void shouldAppendNothingWhereTheCommitDoesNotHappen() {
        assertCode(begin().commit(List.of(append(1), put("a", 1)), 1), ErrorCode.DEADLINE_EXCEEDED);
        StoreTransaction aborted = begin();
        read(aborted, Read.exclusive(sequence("a")));
        aborted.abort();
        commit(append(2));

        assertThat(changes(ChangeLog.START, 10)).containsExactly(new ChangeLog.Entry(1, change(2)));
    }

    @Test
    default void shouldAppendWithACommitInOneMessage() {
        Read read = Read.exclusive(sequence("a"));
        StoreTransaction refused = begin();
        assertThat(await(refused.commitIf(new GuardedCommit(
                        List.of(read), List.of(new Guard.Present()), List.of(append(1)), Long.MAX_VALUE))))
                .isPresent();
        refused.abort();
        await(begin().commitIf(new GuardedCommit(
                List.of(read), List.of(new Guard.Absent()), List.of(append(2), put("a", 1)), Long.MAX_VALUE)));

        assertThat(changes(ChangeLog.START, 10)).containsExactly(new ChangeLog.Entry(1, change(2)));
    }

    /** While commits go on, a reader that asks for what comes after its last position misses nothing. */
    @Test
    default void shouldNeverShowAnEntryBelowAPositionThatHasBeenRead() {
        int count = 3_000;
        List<CompletionStage<Void>> commits = new ArrayList<>();
        List<Long> read = new ArrayList<>();
        long after = ChangeLog.START;
        for (int i = 1; i <= count; i++) {
            // Two in a commit, and the row that says how many there are by now.
            commits.add(begin().commit(List.of(append(i), append(count + i), put("a" + i % 7, i)), Long.MAX_VALUE));
            if (i % 50 == 0) {
                after = collect(after, read);
            }
        }
        CompletableFuture.allOf(commits.stream()
                        .map(CompletionStage::toCompletableFuture)
                        .toArray(CompletableFuture<?>[]::new))
                .join();
        for (long before = -1; before < after; ) {
            before = after;
            after = collect(after, read);
        }

        assertThat(read).hasSize(2 * count).doesNotHaveDuplicates();
        for (int i = 0; i < read.size(); i += 2) {
            assertThat(read.get(i + 1)).isEqualTo(read.get(i) + count);
        }
        assertThat(after).isEqualTo(2L * count);
    }

    private long collect(long after, List<Long> read) {
        long last = after;
        for (ChangeLog.Entry entry : changes(after, 1_000)) {
            assertThat(entry.position()).isGreaterThan(last);
            last = entry.position();
            read.add(entry.change().event().inode());
        }
        return last;
    }

    @Test
    default void shouldSayWhereEntriesHaveBeenRemoved() {
        commit(append(1), append(2), append(3));
        commit(
                new Mutation.Delete(ChangeLog.key(1)),
                new Mutation.Delete(ChangeLog.key(2)),
                new Mutation.Put(new Row(ChangeLog.TRIMMED, 2L)));

        assertCode(store().changes(1, 10), ErrorCode.NOT_FOUND);
        assertThat(changes(2, 10)).extracting(ChangeLog.Entry::position).containsExactly(3L);
        commit(new Mutation.Delete(ChangeLog.key(3)), new Mutation.Put(new Row(ChangeLog.TRIMMED, 3L)));
        commit(append(4));
        assertThat(changes(3, 10)).containsExactly(new ChangeLog.Entry(4, change(4)));
    }
}
