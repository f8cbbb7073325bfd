package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.AttributeOperation;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.NamespaceOperation;
import io.lambdafs.model.Operation;
import io.lambdafs.model.ReadOperation;
import io.lambdafs.model.Reply;
import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.StoreTransaction;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How many messages to the store a change of a directory takes: two less where the cache knows that it is one. */
class SubtreeMessagesTest {
    private static final FsPath DIRECTORY = FsPath.of("/d/s");
    /** Lock, scan and mark; lock and read, commit. */
    private static final int KNOWN = 5;
    /** The lock that finds out, and its end. */
    private static final int FINDING_OUT = 2;

    private int messages;

    enum Kind {
        RENAME(new NamespaceOperation.Rename(DIRECTORY, FsPath.of("/d/t"), Operation.RenameMode.STRICT)),
        DELETE(new NamespaceOperation.Delete(DIRECTORY, true)),
        CHMOD(new AttributeOperation.SetPermission(DIRECTORY, 0700)),
        CHOWN(new AttributeOperation.SetOwner(DIRECTORY, "u", "g")),
        UTIMES(new AttributeOperation.SetTimes(DIRECTORY, 1, 2));

        @SuppressWarnings("ImmutableEnumChecker") // Operations are records.
        private final Operation<?> operation;

        Kind(Operation<?> operation) {
            this.operation = operation;
        }

        /** After a delete the instance looks for detached trees, and for what is left of files: a scan each, and its end. */
        private int chores() {
            return this == DELETE ? 4 : 0;
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldAskTheCacheForTheKindFirst(Kind kind) {
        assertThat(messagesOf(kind, true)).isEqualTo(KNOWN + kind.chores());
        assertThat(messagesOf(kind, false)).isEqualTo(KNOWN + FINDING_OUT + kind.chores());
    }

    private int messagesOf(Kind kind, boolean isKindCached) {
        SimulatedCluster cluster = new SimulatedCluster(7, 1);
        cluster.build = store -> new WrappedStore(store, CountingTransaction::new);
        Instance instance = cluster.start(0);
        instance.call(new NamespaceOperation.Mkdirs(DIRECTORY, 0755, true));
        // Takes numbers for operations, and has the directory dropped from the cache.
        instance.call(new AttributeOperation.SetPermission(DIRECTORY, 0755));
        if (isKindCached) {
            instance.call(new ReadOperation.Stat(DIRECTORY.child("none")));
        }
        messages = 0;
        assertThat(instance.call(kind.operation)).isEqualTo(Reply.Done.YES);
        int taken = messages;
        cluster.leave(instance);
        cluster.wholeStore();
        return taken;
    }

    private final class CountingTransaction implements StoreTransaction {
        private final StoreTransaction inner;
        /** Whether its end is a message. */
        private boolean isOpen;

        CountingTransaction(StoreTransaction inner) {
            this.inner = inner;
        }

        private void count(boolean staysOpen) {
            messages++;
            isOpen = staysOpen;
        }

        @Override
        public CompletionStage<List<@Nullable Row>> read(List<Read> reads, long lockWaitNanos) {
            count(true);
            return inner.read(reads, lockWaitNanos);
        }

        @Override
        public CompletionStage<List<@Nullable Row>> readAndEnd(List<Read> reads, long lockWaitNanos) {
            count(false);
            return inner.readAndEnd(reads, lockWaitNanos);
        }

        @Override
        public CompletionStage<List<Row>> scan(Scan scan) {
            count(true);
            return inner.scan(scan);
        }

        @Override
        public CompletionStage<Void> commit(List<Mutation> mutations, long deadlineMillis) {
            count(false);
            return inner.commit(mutations, deadlineMillis);
        }

        @Override
        public CompletionStage<Optional<List<@Nullable Row>>> commitIf(GuardedCommit guarded) {
            count(false);
            return inner.commitIf(guarded);
        }

        @Override
        public void abort() {
            if (isOpen) {
                count(false);
            }
            inner.abort();
        }
    }
}
