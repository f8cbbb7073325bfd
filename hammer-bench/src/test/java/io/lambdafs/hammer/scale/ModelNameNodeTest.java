package io.lambdafs.hammer.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.simulation.SimulatedProcess;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the time of operations on a simulated instance, to the microsecond. */
final class ModelNameNodeTest {
    private static final long MICRO = 1_000;
    private static final FsPath FILE = FsPath.of("/d1/f2");
    private static final Principal USER = new Principal("u", List.of());

    private final Agenda agenda = new Agenda(1);
    private final List<String> answers = new ArrayList<>();
    private final List<ModelNameNode> nodes = new ArrayList<>();
    private Members members = new Members(agenda, 2, 0);

    /** A network of 100 µs each way; a store that reads in 100 µs, 10 for each further row, and commits in 200, 300 to be safe. */
    private ModelNameNode.Context context(String... changes) {
        List<String> all = new ArrayList<>(List.of(
                "namespace.directories=8",
                "namespace.files-per-directory=4",
                "network.round-trip-us=200",
                "network.jitter-us=0",
                "service.factor=1",
                "service.spread=0",
                "service.cold-factor=1",
                "service.read-us=10",
                "service.stat-us=20",
                "service.list-us=30",
                "service.create-us=40",
                "service.rename-us=50",
                "service.delete-us=60",
                "service.miss-us=5",
                "service.inv-send-us=3",
                "service.inv-take-us=4",
                "store.shards=1",
                "store.processors=4",
                "store.read-us=100",
                "store.row-us=10",
                "store.commit-us=200",
                "store.sync-us=300"));
        all.addAll(List.of(changes));
        ScaleSettings settings = ScaleSettings.of(ScaleFile.read("paper-25k", null, all), 1);
        Wires wires = new Wires(agenda, settings.network());
        return new ModelNameNode.Context(
                settings, wires, new ShardedStore(agenda, wires, settings.store(), null), members);
    }

    private ModelNameNode node(ModelNameNode.Context context, int deployment) {
        int number = nodes.size();
        SimulatedProcess process =
                new SimulatedProcess(agenda, number, "node" + number, SimulatedProcess.ClockError.NONE, 0);
        ModelNameNode node = new ModelNameNode(context, deployment, 7 + number, process, new Processors(agenda, 8));
        nodes.add(node);
        members.join(deployment, node);
        return node;
    }

    private void ask(ModelNameNode node, Operation<?> operation) {
        long asked = agenda.now();
        node.execute(USER, new OperationRequest(0, new RequestId(1, 2, 3, 4), 1, 1, operation, 0), reply -> {
            String answer = reply.reply() instanceof Reply.Failure failure
                    ? failure.code().name()
                    : reply.reply().getClass().getSimpleName();
            answers.add(answer + " " + (reply.cacheHit() ? "hit" : "miss") + " " + (agenda.now() - asked) / MICRO);
            assertThat(reply.epoch()).isEqualTo(node.epoch());
        });
    }

    private List<String> answers() {
        while (agenda.next()) {}
        List<String> all = List.copyOf(answers);
        answers.clear();
        return all;
    }

    private static Operation<?> create(FsPath path) {
        return new FileOperation.Create(path, 0644, false, false, 1, 1 << 20, new byte[0], null);
    }

    @Test
    void shouldReadTheStoreOnceAndThenItsCache() {
        ModelNameNode node = node(context(), 0);
        ask(node, new ReadOperation.Stat(FILE));
        // Its own 20, 100 there, two rows, 100 back, and 5 for the miss.
        assertThat(answers()).containsExactly("Status miss 335");
        ask(node, new ReadOperation.Stat(FILE));
        ask(node, new ReadOperation.Open(FILE));
        assertThat(answers()).containsExactly("Opened hit 10", "Status hit 20");
        ask(node, new ReadOperation.Open(FsPath.of("/d1/f3")));
        assertThat(answers()).containsExactly("Opened miss 325");
        assertThat(node.usedNanos()).isEqualTo((20 + 5 + 20 + 10 + 10 + 5) * MICRO);
        assertThat(node.cache().hits()).isEqualTo(2);
        assertThat(node.cache().misses()).isEqualTo(2);
    }

    @Test
    void shouldReadAListingOnceForAllWhoAskMeanwhile() {
        ModelNameNode node = node(context(), 0);
        Operation<?> list = new ReadOperation.ListPage(FsPath.of("/d1"), "", 1_000);
        ask(node, list);
        ask(node, list);
        // 100 there, four rows, 100 back; then its own 30 and 5, for each.
        assertThat(answers()).containsExactly("Page miss 365", "Page miss 365");
        ask(node, list);
        ask(node, new ReadOperation.Stat(FsPath.of("/d1/f0")));
        assertThat(answers()).containsExactly("Status hit 20", "Page hit 30");
        assertThat(node.usedNanos()).isEqualTo((35 + 35 + 20 + 30) * MICRO);
    }

    @Test
    void shouldCommitAtOnceWhereNobodyElseHasToHear() {
        ModelNameNode.Context context = context();
        ModelNameNode node = node(context, 0);
        node(context, 1);
        // 40, 100 there, 200 and 300, 100 back, 5.
        ask(node, create(FILE));
        assertThat(answers()).containsExactly("Status miss 745");
        ask(node, new ReadOperation.Stat(FILE));
        assertThat(answers()).containsExactly("Status hit 20");
        ask(node, new NamespaceOperation.Rename(FILE, FsPath.of("/d1/f3"), Operation.RenameMode.STRICT));
        assertThat(answers()).containsExactly("Done miss 755");
        ask(node, new NamespaceOperation.Delete(FILE, false));
        assertThat(answers()).containsExactly("Done miss 765");
        assertThat(members.rounds()).isZero();
    }

    @Test
    void shouldTellOthersOfItsDeploymentBeforeItCommits() {
        ModelNameNode.Context context = context();
        ModelNameNode node = node(context, 0);
        ModelNameNode other = node(context, 0);
        ModelNameNode third = node(context, 0);
        ask(other, new ReadOperation.Stat(FILE));
        answers();
        ask(node, create(FILE));
        // 40, locks of 310, two INVs of 3 on two processors, 100, 4, 100, the commit of 700, and 5.
        assertThat(answers()).containsExactly("Status miss 1262");
        assertThat(members.invalidations()).isEqualTo(2);
        assertThat(members.rounds()).isOne();
        assertThat(third.usedNanos()).isEqualTo(4 * MICRO);
        ask(other, new ReadOperation.Stat(FILE));
        assertThat(answers()).containsExactly("Status miss 335");
    }

    @Test
    void shouldGoOnWithoutWhoDoesNotAnswer() {
        ModelNameNode.Context context = context();
        ModelNameNode node = node(context, 0);
        ModelNameNode dead = node(context, 0);
        node(context, 0);
        dead.process().kill();
        ask(node, create(FILE));
        long fence = Times.DEFAULT.ackWait().plus(Times.DEFAULT.lease()).toNanos() / MICRO;
        assertThat(answers()).containsExactly("Status miss " + (40 + 310 + fence + 700 + 5));
    }

    @Test
    void shouldRefuseMoreThanMayWaitForTheStore() {
        ModelNameNode node = node(context("instance.max-in-flight=2"), 0);
        Operation<?> list = new ReadOperation.ListPage(FsPath.of("/d3"), "", 1_000);
        ask(node, new ReadOperation.Stat(FILE));
        ask(node, create(FsPath.of("/d2/f0")));
        ask(node, new ReadOperation.Stat(FsPath.of("/d1/f0")));
        ask(node, list);
        ask(node, create(FsPath.of("/d2/f1")));
        assertThat(answers())
                .containsExactly(
                        "OVERLOADED miss 0",
                        "OVERLOADED miss 0",
                        "OVERLOADED miss 0",
                        "Status miss 335",
                        "Status miss 745");
        ask(node, new ReadOperation.Stat(FILE));
        ask(node, new ReadOperation.Stat(FsPath.of("/d1/f0")));
        ask(node, list);
        assertThat(answers()).containsExactly("Status hit 20", "Status miss 335", "Page miss 365");
    }

    @Test
    void shouldBeSlowWhileItsCodeIsCold() {
        ModelNameNode node = node(context("service.cold-factor=3", "service.cold-ops=10"), 0);
        ask(node, create(FILE));
        answers();
        for (int operations = 2; operations < 6; operations++) {
            ask(node, new ReadOperation.Stat(FILE));
            long micros = (long) (20_000 * (1 + 2 * Math.exp(-operations / 10.0))) / MICRO;
            assertThat(answers()).containsExactly("Status hit " + micros);
        }
    }

    @Test
    void shouldCountWhoIsThere() {
        ModelNameNode.Context context = context();
        ModelNameNode node = node(context, 0);
        ModelNameNode other = node(context, 0);
        ModelNameNode elsewhere = node(context, 1);
        assertThat(members.count()).isEqualTo(3);
        assertThat(members.count(0)).isEqualTo(2);
        assertThat(members.of(1)).containsExactly(elsewhere);
        assertThat(members.others(node, 0)).containsExactly(other);
        members.leave(0, other);
        members.leave(0, other);
        members.leave(1, node);
        assertThat(members.count()).isEqualTo(2);
        members = new Members(agenda, 1, 10);
        members.join(0, node);
        members.join(0, other);
        members.leave(0, node);
        members.renewals(3);
        // To two, three and two, and three renewals of one.
        assertThat(members.coordinator().usedNanos()).isEqualTo((2 + 3 + 2 + 3) * 10);
    }
}
