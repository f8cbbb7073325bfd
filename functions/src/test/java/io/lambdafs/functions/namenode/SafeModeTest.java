package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Safe mode: nothing changes anywhere from the moment when it is entered until it is left. */
class SafeModeTest {
    private static final FsPath DIRECTORY = FsPath.of("/d");
    private static final FsPath FILE = FsPath.of("/d/f");

    private final SimulatedCluster cluster = new SimulatedCluster(3, 1);

    private static FileOperation.Create create(FsPath path) {
        return new FileOperation.Create(path, 0644, true, true, 1, 1 << 20, new byte[] {1}, null);
    }

    private static AttributeOperation.SetSafeMode safeMode(boolean on) {
        return new AttributeOperation.SetSafeMode(FsPath.ROOT, on);
    }

    private static void refused(ErrorCode code, Reply reply) {
        assertThat(reply)
                .isInstanceOfSatisfying(
                        Reply.Failure.class,
                        failure -> assertThat(failure.code()).isEqualTo(code));
    }

    @Test
    void shouldRefuseEveryChangeAtEveryInstanceUntilItIsLeft() {
        Instance first = cluster.start(0);
        Instance second = cluster.start(0);
        first.call(new NamespaceOperation.Mkdirs(DIRECTORY, 0755, true));
        first.call(create(FILE));
        assertThat(first.call(safeMode(true))).isEqualTo(Reply.Done.YES);
        assertThat(second.call(new ReadOperation.GetSafeMode(FsPath.ROOT))).isEqualTo(Reply.Done.YES);

        for (Instance each : List.of(first, second)) {
            for (Operation<?> change : List.of(
                    create(FILE),
                    create(FsPath.of("/d/g")),
                    new NamespaceOperation.Mkdirs(FsPath.of("/e"), 0755, true),
                    new NamespaceOperation.Rename(DIRECTORY, FsPath.of("/m"), RenameMode.STRICT),
                    new NamespaceOperation.Delete(FILE, false),
                    new NamespaceOperation.Delete(DIRECTORY, true),
                    new AttributeOperation.SetPermission(FILE, 0600),
                    new AttributeOperation.SetPermission(DIRECTORY, 0700))) {
                refused(ErrorCode.SAFE_MODE, each.call(change));
            }
            assertThat(each.call(new ReadOperation.Open(FILE))).isInstanceOf(Reply.Opened.class);
            assertThat(each.call(new NamespaceOperation.Mkdirs(DIRECTORY, 0755, true)))
                    .isEqualTo(Reply.Done.YES);
        }

        assertThat(second.call(safeMode(false))).isEqualTo(Reply.Done.YES);
        assertThat(first.call(new ReadOperation.GetSafeMode(FsPath.ROOT))).isEqualTo(Reply.Done.NO);
        assertThat(first.call(create(FILE))).isInstanceOf(Reply.Status.class);
        assertThat(second.call(new NamespaceOperation.Delete(DIRECTORY, true))).isEqualTo(Reply.Done.YES);
        cluster.wholeStore();
    }

    @Test
    void shouldBeForSuperusers() {
        Instance instance = cluster.start(0);
        refused(ErrorCode.PERMISSION_DENIED, instance.call(new Principal("u1", List.of("users")), safeMode(true)));
        assertThat(instance.call(new ReadOperation.GetSafeMode(FsPath.ROOT))).isEqualTo(Reply.Done.NO);
    }
}
