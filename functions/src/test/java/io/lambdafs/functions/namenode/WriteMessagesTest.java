package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How many messages to the store a write takes where nobody else caches anything, and its own instance knows the rows. */
class WriteMessagesTest {
    private static final FsPath DIRECTORY = FsPath.of("/d");
    private static final FsPath FILE = DIRECTORY.child("f");
    private static final FsPath OTHER = DIRECTORY.child("g");
    private static final FsPath BELOW = DIRECTORY.child("below");
    private static final FsPath NONE = DIRECTORY.child("none");
    private static final Principal ANN = new Principal("ann", List.of("staff"));

    private final SimulatedCluster cluster = new SimulatedCluster(7, 1);
    private Instance instance;
    private int messages;

    private static FileOperation.Create create(FsPath path, boolean overwrite) {
        return new FileOperation.Create(path, 0644, overwrite, true, 1, 1 << 20, new byte[] {1}, null);
    }

    private static Operation<?> rename(FsPath from, FsPath to, RenameMode mode) {
        return new NamespaceOperation.Rename(from, to, mode);
    }

    @BeforeEach
    void know() {
        cluster.build = store -> new WrappedStore(store, inner -> new CountingTransaction(inner, () -> messages++));
        instance = cluster.start(0);
        instance.call(new NamespaceOperation.Mkdirs(BELOW, 0755, true));
        for (FsPath file : List.of(FILE, OTHER)) {
            instance.call(create(file, true));
            instance.call(new ReadOperation.Open(file));
        }
        instance.call(new ReadOperation.Stat(BELOW.child("none")));
    }

    /**
     * Each with how many messages it takes, and how many it takes to refuse it: one more where a directory is not known, and
     * where nothing may be refused that rests on a presumption.
     */
    static List<Arguments> writes() {
        return List.of(
                Arguments.of("mkdir", 1, 2, new NamespaceOperation.Mkdirs(NONE, 0755, true)),
                Arguments.of("mkdir of two", 2, 2, new NamespaceOperation.Mkdirs(NONE.child("a"), 0755, true)),
                Arguments.of("mkdir of what is there", 1, 2, new NamespaceOperation.Mkdirs(BELOW, 0755, true)),
                Arguments.of("create", 1, 1, create(NONE, false)),
                Arguments.of("create over a file", 1, 1, create(FILE, true)),
                Arguments.of("rename", 1, 1, rename(FILE, NONE, RenameMode.STRICT)),
                Arguments.of("rename over a file", 1, 1, rename(FILE, OTHER, RenameMode.OVERWRITE)),
                Arguments.of("rename out of the directory", 1, 1, rename(FILE, FsPath.of("/f"), RenameMode.STRICT)),
                Arguments.of("delete", 1, 1, new NamespaceOperation.Delete(FILE, false)),
                Arguments.of("chmod", 1, 1, new AttributeOperation.SetPermission(FILE, 0600)),
                Arguments.of("chown", 1, 1, new AttributeOperation.SetOwner(FILE, "ann", "staff")),
                Arguments.of("utimes", 1, 1, new AttributeOperation.SetTimes(FILE, 1, 2)),
                Arguments.of("replication", 1, 1, new AttributeOperation.SetReplication(FILE, 2)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("writes")
    void shouldTakeAsFewMessagesAsItCan(String name, int granted, int refused, Operation<?> write) {
        assertThat(instance.call(new ReadOperation.Stat(FsPath.ROOT))).isInstanceOf(Reply.Status.class);
        messages = 0;
        assertThat(instance.call(write)).isNotInstanceOf(Reply.Failure.class);
        assertThat(messages).isEqualTo(granted);
        cluster.wholeStore();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("writes")
    void shouldRefuseByAsFewMessagesAsItCan(String name, int granted, int refused, Operation<?> write) {
        instance.call(new AttributeOperation.SetPermission(DIRECTORY, 0700));
        instance.call(new ReadOperation.Open(FILE));
        messages = 0;
        assertThat(instance.call(ANN, write)).isInstanceOf(Reply.Failure.class);
        assertThat(messages).isEqualTo(refused);
    }

    /** Numbers are fetched 4,096 at a time: none is left out, or each fetch would be a message for fewer writes. */
    @Test
    void shouldTakeAsManyNumbersAsItMakesINodes() {
        long before = id(FILE.parent());
        instance.call(new NamespaceOperation.Mkdirs(FsPath.of("/e/f/g/h"), 0755, true));
        long first = id(FsPath.of("/e"));
        assertThat(id(FsPath.of("/e/f/g/h"))).isEqualTo(first + 3).isGreaterThan(before);
        instance.call(new NamespaceOperation.Mkdirs(FsPath.of("/e/f/i/j"), 0755, true));
        assertThat(id(FsPath.of("/e/f/i"))).isEqualTo(first + 4);
    }

    private long id(FsPath path) {
        Attributes found = ((Reply.Status) instance.call(new ReadOperation.Stat(path))).attributes();
        return found.id();
    }
}
