package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.housekeeping.Reclaimer;
import io.lambdafs.functions.metrics.Telemetry;
import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.time.Times;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Rows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** All instances reclaim a removed directory, whatever happens to the one that removed it. */
class ReclaimTest {
    private static final int DIRECTORIES = 40;
    private static final int FILES = 9;
    private static final int BATCH = 4;
    /** Each directory has a row of its own and one of its statistics. */
    private static final int ROWS = DIRECTORIES * (FILES + 2) + 2 * 2;
    /** Two periods of those who look for detached trees. */
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(12);

    private final SimulatedCluster cluster = new SimulatedCluster(5, 3);

    @BeforeEach
    void makeTree() {
        cluster.settings = new NameNodeSettings(
                "root", Times.DEFAULT, 64 << 10, 20_000, new NameNodeSettings.Reclaim(BATCH, 2), 0);
        for (int i = 0; i < 3; i++) {
            cluster.start(i);
        }
        for (int i = 0; i < DIRECTORIES; i++) {
            FsPath directory = FsPath.of("/tree/in/d" + i);
            cluster.call(new NamespaceOperation.Mkdirs(directory, 0755, true));
            for (int j = 0; j < FILES; j++) {
                cluster.call(new FileOperation.Create(
                        directory.child("f" + j), 0644, false, false, 1, 1 << 20, new byte[0], null));
            }
        }
        cluster.setLatency(Duration.ofMillis(1));
    }

    private Instance remove() {
        Operation<?> operation = new NamespaceOperation.Delete(FsPath.of("/tree"), true);
        Instance leader = cluster.owner(operation);
        assertThat(leader.call(operation)).isEqualTo(Reply.Done.YES);
        return leader;
    }

    private int reclaimed() {
        return cluster.instances.stream().mapToInt(each -> each.reclaimed).sum();
    }

    @Test
    void shouldBeDoneByAllInstances() {
        // The others look every five seconds: just before they do.
        cluster.advance(Duration.ofMillis(4_900));
        remove();
        cluster.advance(LONG_ENOUGH);

        cluster.wholeStore();
        assertThat(reclaimed()).isEqualTo(ROWS);
        assertThat(cluster.instances)
                .allSatisfy(each -> assertThat(each.reclaimed)
                        .as("rows of %d", each.deployment)
                        .isGreaterThanOrEqualTo(FILES));
    }

    /** A directory of many batches is looked for once, and then cleared to its end: three messages a batch. */
    @Test
    void shouldClearALargeDirectoryInOneGo() {
        cluster.setLatency(Duration.ZERO);
        int batches = 10;
        INode large = INode.directory(INode.ROOT_ID, "large", 1_000_000, "u1", "users", 0755, 1);
        INode.Traits empty = new INode.Traits(INode.Kind.FILE, "u1", "users", 0644, 1, 1 << 20, INode.Content.NONE);
        List<Mutation> rows = new ArrayList<>(List.of(new Mutation.Put(Rows.detached(large))));
        for (int i = 0; i < batches * BATCH; i++) {
            rows.add(new Mutation.Put(Rows.of(new INode(large.id(), "f" + i, 2_000_000 + i, empty, 0, 1, 1, 0))));
        }
        cluster.await(cluster.engine.begin(0).commit(rows, Long.MAX_VALUE));
        int[] messages = {0};
        MetadataStore counted =
                new WrappedStore(cluster.store, inner -> new CountingTransaction(inner, () -> messages[0]++));
        long epoch = cluster.instances.get(0).nameNode.epoch();
        cluster.await(new Reclaimer(
                        counted, cluster.scheduler, () -> epoch, new NameNodeSettings.Reclaim(BATCH, 2), Telemetry.NONE)
                .run());
        assertThat(cluster.inspect().unfinished()).isEmpty();
        assertThat(messages[0]).isLessThan(3 * (batches + 1) + batches);
    }

    @Test
    void shouldBeEndedByOthersWhereTheOneThatRemovedStopsInTheMiddle() {
        Instance leader = remove();
        while (leader.reclaimed < ROWS / 3) {
            cluster.advance(Duration.ofMillis(1));
        }
        leader.process.freeze();
        leader.channel.isolate();
        leader.coordinator.partition();
        leader.failpoint.closeConnections();
        assertThat(cluster.inspect().unfinished()).isNotEmpty();
        cluster.advance(LONG_ENOUGH);

        cluster.wholeStore();
    }
}
