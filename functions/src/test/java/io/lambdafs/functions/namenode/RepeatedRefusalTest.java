package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A client that has not heard the answer sends its request again, to any instance: it is refused again, although what it
 * was refused for is no more. Otherwise a request would take effect after its answer.
 */
class RepeatedRefusalTest {
    private static final Principal ANN = new Principal("ann", List.of("staff"));
    private static final FsPath CLOSED = FsPath.of("/closed");
    private static final FsPath FILE = CLOSED.child("file");
    private static final FsPath DIRECTORY = CLOSED.child("directory");
    private static final FsPath NONE = CLOSED.child("none");

    private final SimulatedCluster cluster = new SimulatedCluster(7, 1);

    /** Requests of ann's, all of which root would be granted. */
    static List<Operation<?>> requests() {
        OpenFile file = new OpenFile(1_000_000, 1_000_000);
        return List.of(
                new NamespaceOperation.Mkdirs(NONE, 0755, true),
                new NamespaceOperation.Mkdirs(NONE.child("a").child("b"), 0755, true),
                new NamespaceOperation.Delete(FILE, false),
                new NamespaceOperation.Delete(DIRECTORY, true),
                new NamespaceOperation.Rename(FILE, NONE, RenameMode.STRICT),
                new NamespaceOperation.Rename(DIRECTORY, NONE, RenameMode.STRICT),
                new NamespaceOperation.Rename(FILE, DIRECTORY, RenameMode.INTO),
                create(NONE),
                create(FILE),
                new FileOperation.Complete(FILE, file, new byte[] {1}),
                new BlockOperation.Truncate(FILE, 1),
                new BlockOperation.Concat(FILE, List.of(CLOSED.child("other"))),
                new BlockOperation.TakeLease(FILE, false),
                new BlockOperation.RenewLease(FILE, file, 1),
                new BlockOperation.Abandon(FILE, file, 1),
                new AttributeOperation.SetPermission(FILE, 0600),
                new AttributeOperation.SetPermission(DIRECTORY, 0700),
                new AttributeOperation.SetTimes(FILE, 1, 1),
                new AttributeOperation.SetTimes(DIRECTORY, 1, 1),
                new AttributeOperation.SetReplication(FILE, 2),
                new AttributeOperation.SetXattr(FILE, "user.a", new byte[] {1}, true, true),
                new AttributeOperation.SetXattr(DIRECTORY, "user.a", new byte[] {1}, true, true),
                new AttributeOperation.SetStoragePolicy(DIRECTORY, "COLD"),
                new AttributeOperation.SetQuota(DIRECTORY, 1, 1),
                new AttributeOperation.ChangeSnapshots(
                        DIRECTORY, AttributeOperation.ChangeSnapshots.Action.CREATE, "s", ""),
                new AttributeOperation.SetSafeMode(FsPath.ROOT, false));
    }

    private static FileOperation.Create create(FsPath path) {
        return new FileOperation.Create(path, 0644, true, true, 1, 1 << 20, new byte[] {1}, null);
    }

    private void root(Operation<?> operation) {
        assertThat(cluster.call(operation)).as("%s", operation).isNotInstanceOf(Reply.Failure.class);
    }

    @ParameterizedTest
    @MethodSource("requests")
    void shouldGetTheSameAnswerAlthoughItsCauseIsGone(Operation<?> request) {
        Instance first = cluster.start(0);
        Instance second = cluster.start(0);
        root(new NamespaceOperation.Mkdirs(DIRECTORY.child("below"), 0755, true));
        root(create(FILE));
        root(new AttributeOperation.SetPermission(CLOSED, 0700));
        RequestId id = cluster.nextId();
        List<Reply> replies = new ArrayList<>();
        replies.add(send(first, id, request));
        root(new AttributeOperation.SetPermission(CLOSED, 0777));
        root(new AttributeOperation.SetOwner(FILE, ANN.user(), null));
        root(new AttributeOperation.SetOwner(DIRECTORY, ANN.user(), null));
        replies.add(send(first, id, request));
        replies.add(send(second, id, request));

        assertThat(replies.get(0)).isInstanceOf(Reply.Failure.class);
        assertThat(replies).containsOnly(replies.get(0));
    }

    private Reply send(Instance instance, RequestId id, Operation<?> request) {
        return cluster.await(instance.send(ANN, id, request)).reply();
    }
}
