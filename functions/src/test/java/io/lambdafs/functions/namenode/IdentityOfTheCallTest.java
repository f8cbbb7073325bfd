package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.AclChange;
import io.lambdafs.model.inode.AclEntry;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.rpc.message.OperationReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One user with other groups in each call, to the same instance: what he may do follows from the groups of that call, whoever asked before him, or asks at
 * the same time, and whatever is cached by then.
 */
class IdentityOfTheCallTest {
    private static final FsPath DIRECTORY = FsPath.of("/team");
    private static final FsPath FILE = DIRECTORY.child("f");
    private static final int TURNS = 400;

    /** The user of all calls, and whether these groups let him in. */
    private static final Map<List<String>, Boolean> GROUPS = new LinkedHashMap<>();

    static {
        GROUPS.put(List.of("team"), true);
        GROUPS.put(List.of("others"), false);
        GROUPS.put(List.of("others", "team"), true);
        GROUPS.put(List.of(), false);
        GROUPS.put(List.of(Principal.SUPERGROUP), true);
        GROUPS.put(List.of("named"), true);
        GROUPS.put(List.of("named", "excluded"), true);
        GROUPS.put(List.of("excluded"), false);
    }

    private static final List<IntFunction<Operation<?>>> OPERATIONS = List.of(
            number -> new ReadOperation.Stat(FILE),
            number -> new ReadOperation.Stat(DIRECTORY.child("none")),
            number -> new ReadOperation.Open(FILE),
            number -> new ReadOperation.ListPage(DIRECTORY, "", 10),
            number -> new ReadOperation.Access(FILE, Access.READ),
            number -> new ReadOperation.GetAcl(FILE),
            number -> new ReadOperation.GetXattrs(FILE, true),
            number -> new AttributeOperation.SetTimes(FILE, number, number),
            number -> new AttributeOperation.SetXattr(FILE, "user.a", new byte[] {1}, true, true),
            number -> new NamespaceOperation.Mkdirs(DIRECTORY.child("d" + number), 0700, false),
            number -> new FileOperation.Create(
                    DIRECTORY.child("n" + number), 0600, false, false, 1, 1 << 20, new byte[] {1}, null),
            number -> new NamespaceOperation.Delete(DIRECTORY.child("gone"), false),
            number -> new BlockOperation.Truncate(FILE, 1));

    private final SimulatedCluster cluster = new SimulatedCluster(5, 1);

    static Stream<Arguments> caching() {
        return Stream.of(
                Arguments.of("warm", 16 << 20, 1),
                Arguments.of("none", 0, 1),
                Arguments.of("warm, under way at once", 16 << 20, 20),
                Arguments.of("none, under way at once", 0, 20));
    }

    private void root(Operation<?> operation) {
        assertThat(cluster.call(operation)).as("%s", operation).isNotInstanceOf(Reply.Failure.class);
    }

    private static List<AclEntry> entries() {
        return List.of(
                new AclEntry(false, AclEntry.Type.USER, "", 7),
                new AclEntry(false, AclEntry.Type.GROUP, "", 7),
                new AclEntry(false, AclEntry.Type.GROUP, "named", 7),
                new AclEntry(false, AclEntry.Type.GROUP, "excluded", 0),
                new AclEntry(false, AclEntry.Type.MASK, "", 7),
                new AclEntry(false, AclEntry.Type.OTHER, "", 0));
    }

    private void make() {
        root(new NamespaceOperation.Mkdirs(DIRECTORY, 0755, true));
        root(new FileOperation.Create(FILE, 0644, true, true, 1, 1 << 20, new byte[] {1}, null));
        for (FsPath each : List.of(DIRECTORY, FILE)) {
            root(new AttributeOperation.SetOwner(each, "root", "team"));
            root(new AttributeOperation.ChangeAcl(each, AclChange.SET, entries()));
        }
    }

    private static boolean isDenied(Reply reply) {
        return reply instanceof Reply.Failure failure && failure.code() == ErrorCode.PERMISSION_DENIED;
    }

    /** @param atOnce how many are under way at the same time */
    @ParameterizedTest(name = "{0}")
    @MethodSource("caching")
    void shouldFollowTheGroupsOfTheCall(String name, long cacheBytes, int atOnce) {
        cluster.cacheBytes = cacheBytes;
        Instance instance = cluster.start(0);
        make();
        cluster.setLatency(Duration.ofMillis(atOnce - 1));
        List<List<String>> groups = List.copyOf(GROUPS.keySet());
        Random random = new Random(atOnce);
        List<String> wrong = new ArrayList<>();
        int granted = 0;
        for (int turn = 0; turn < TURNS; turn += atOnce) {
            Map<CompletableFuture<OperationReply>, List<String>> asked = new LinkedHashMap<>();
            for (int number = turn; number < turn + atOnce; number++) {
                List<String> whose = groups.get(random.nextInt(groups.size()));
                Operation<?> operation =
                        OPERATIONS.get(random.nextInt(OPERATIONS.size())).apply(number);
                asked.put(instance.send(new Principal("ann", whose), cluster.nextId(), operation), whose);
            }
            for (Map.Entry<CompletableFuture<OperationReply>, List<String>> each : asked.entrySet()) {
                Reply reply = cluster.await(each.getKey()).reply();
                boolean mayCome = Boolean.TRUE.equals(GROUPS.get(each.getValue()));
                granted += isDenied(reply) ? 0 : 1;
                if (isDenied(reply) == mayCome) {
                    wrong.add(each.getValue() + ": " + reply);
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(granted).isBetween(TURNS / 3, TURNS * 3 / 4);
    }
}
