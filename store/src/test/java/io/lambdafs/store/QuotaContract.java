package io.lambdafs.store;

import static io.lambdafs.store.StoreContract.assertCode;
import static io.lambdafs.store.StoreContract.number;
import static io.lambdafs.store.StoreContract.put;
import static io.lambdafs.store.StoreContract.sequence;
import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.Quota;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Contract for limited merges (PROTOCOL: Q1): judged by the row as it is when the commit is made. */
interface QuotaContract extends StoreContract {
    long DIRECTORY = 77;

    private static Mutation charge(long files, long space) {
        return Rows.totalsChanged(DIRECTORY, new DirectoryTotals(files, 0, space, space), true);
    }

    private DirectoryTotals charged() {
        return Rows.totals(get(Rows.totalsKey(DIRECTORY)));
    }

    private void limit(Quota before, Quota after) {
        commit(Rows.quotaChanged(DIRECTORY, before, after));
        assertThat(Rows.quota(get(Rows.totalsKey(DIRECTORY)))).isEqualTo(after);
    }

    @Test
    default void shouldMakeNothingOfACommitThatAQuotaDoesNotAdmit() {
        commit(charge(4, 40), put("a", 1));
        Quota quota = new Quota(6, 100);
        limit(Quota.UNLIMITED, quota);
        commit(charge(1, 50));
        assertCode(
                begin().commit(List.of(put("a", 2), charge(1, 0), put("b", 2)), Long.MAX_VALUE), ErrorCode.OVER_QUOTA);
        assertCode(begin().commit(List.of(charge(0, 11)), Long.MAX_VALUE), ErrorCode.OVER_QUOTA);
        assertThat(charged()).isEqualTo(new DirectoryTotals(5, 0, 90, 90));
        assertThat(get(sequence("a"))).isEqualTo(number("a", 1));
        assertThat(get(sequence("b"))).isNull();
        commit(charge(-1, 10), put("a", 3));
        limit(quota, new Quota(2, 1));
        commit(charge(-1, -1));
        commit(Rows.totalsChanged(DIRECTORY, new DirectoryTotals(9, 9, 9, 9)));
        assertCode(begin().commit(List.of(charge(1, -50)), Long.MAX_VALUE), ErrorCode.OVER_QUOTA);
        limit(new Quota(2, 1), Quota.UNLIMITED);
        commit(charge(1, 1_000));
        assertThat(charged()).isEqualTo(new DirectoryTotals(13, 9, 1_108, 1_108));
    }

    /** Also where some of a group of commits are refused and others are not. */
    @Test
    default void shouldNeverAdmitMoreThanALimitOfManyAtOnce() {
        limit(Quota.UNLIMITED, new Quota(101, Quota.NONE));
        List<CompletableFuture<Void>> commits = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            commits.add(begin().commit(List.of(charge(1, 1), put("n" + i, 1)), Long.MAX_VALUE)
                    .toCompletableFuture());
        }
        int made = 0;
        for (int i = 0; i < commits.size(); i++) {
            boolean done;
            try {
                StoreContract.await(commits.get(i));
                done = true;
            } catch (FsException refused) {
                assertThat(refused.code()).isEqualTo(ErrorCode.OVER_QUOTA);
                done = false;
            }
            made += done ? 1 : 0;
            assertThat(get(sequence("n" + i)) != null).as("commit %d", i).isEqualTo(done);
        }
        assertThat(made).isEqualTo(100);
        assertThat(charged()).isEqualTo(new DirectoryTotals(100, 0, 100, 100));
    }
}
