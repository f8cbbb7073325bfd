package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
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
        cluster.build = store -> new WrappedStore(store, inner -> new CountingTransaction(inner, () -> messages++));
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
}
