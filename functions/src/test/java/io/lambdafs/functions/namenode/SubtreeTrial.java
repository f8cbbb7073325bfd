package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.functions.namenode.SubtreeCase.Look;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.store.Read;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.format.Fsck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One subtree operation whose leader stops at one of its steps, under two other instances that read and write. Used once. */
final class SubtreeTrial {
    /** How the leader goes. */
    enum Death {
        /** The process ends; the store sees its connections close. */
        CRASH,
        /** It stands still for ever, its connections and transactions open. */
        HANG,
        /** It stands still until all others have done without it, and then goes on where it was. */
        PAUSE
    }

    private static final Duration WATCHED = Duration.ofSeconds(3);
    private static final Duration PAUSED = Duration.ofSeconds(2);
    /** From the death to the answer of whoever is in the way: settling a lost acknowledgement, and the store's limits. */
    private static final Duration LONGEST_REPLY = Duration.ofSeconds(8);

    private static final List<String> FILES =
            List.of("f0", "sub/f1", "sub/f2", "sub/deep/f3", "sub/deep/f4", "sub/deep/f5");
    private static final int FEWEST_LOOKS = 10;
    private static final int TREE_ROWS = FILES.size() + 3;

    private final SubtreeCase script;
    private final SimulatedCluster cluster = new SimulatedCluster(11, 2);
    private final Instance leader;
    private final List<Instance> others;
    private final List<Long> directories = new ArrayList<>();
    private int turn;
    private boolean happened;
    private int definite;

    SubtreeTrial(SubtreeCase script) {
        this.script = script;
        // Small batches, so that removing the tree takes several.
        cluster.settings =
                new NameNodeSettings("root", Times.DEFAULT, 64 << 10, 20_000, new NameNodeSettings.Reclaim(2, 2), 0);
        leader = cluster.start(0);
        others = List.of(cluster.start(0), cluster.start(1));
        makeTree();
        cluster.setLatency(Duration.ofMillis(1));
        for (int i = 0; i < 2 * script.looks().size(); i++) {
            look(script.looks().get(i / 2));
        }
    }

    private void makeTree() {
        call(SubtreeCase.ROOT, new AttributeOperation.SetPermission(FsPath.ROOT, 0777));
        for (String directory : List.of("/a/x/sub/deep", "/b")) {
            call(SubtreeCase.ALICE, new NamespaceOperation.Mkdirs(FsPath.of(directory), 0755, true));
        }
        FILES.forEach(file -> call(SubtreeCase.ALICE, create(file)));
        for (String directory : List.of("/a/x", "/a/x/sub", "/a/x/sub/deep")) {
            directories.add(((Reply.Status) read(directory)).attributes().id());
        }
        if (script.name().contains("over")) {
            call(SubtreeCase.ALICE, new NamespaceOperation.Mkdirs(FsPath.of("/b/y"), 0755, false));
        }
    }

    private static Operation<?> create(String file) {
        return new FileOperation.Create(
                FsPath.of("/a/x/" + file), 0644, false, false, 1, 1 << 20, new byte[] {1}, null);
    }

    private Instance next() {
        return others.get(turn++ % others.size());
    }

    private void call(Principal who, Operation<?> operation) {
        Reply reply =
                cluster.await(leader.send(who, cluster.nextId(), operation)).reply();
        assertThat(reply).as("%s", operation).isNotInstanceOf(Reply.Failure.class);
    }

    /**
     * Runs the trial.
     *
     * @return whether the operation has so many steps that the leader stopped
     */
    boolean run(int step, Failpoint.Side side, Death death) {
        leader.failpoint.arm(step, side, () -> stop(death));
        RequestId id = cluster.nextId();
        RequestId below = cluster.nextId();
        CompletableFuture<OperationReply> first = leader.send(script.who(), id, script.operation());
        CompletableFuture<OperationReply> write = next().send(SubtreeCase.ALICE, below, create("sub/new"));
        watch();
        boolean stopped = leader.failpoint.hasStopped();
        boolean created = SubtreeCase.status(settle(SubtreeCase.ALICE, below, create("sub/new")));
        write.thenAccept(answer -> consistent(answer.reply(), created));
        settle(SubtreeCase.ROOT, cluster.nextId(), new AttributeOperation.SetPermission(FsPath.of("/a"), 0755));
        if (stopped && death != Death.PAUSE) {
            assertThat(cluster.inspect().unfinished())
                    .as("after somebody met the marks")
                    .noneMatch(left -> left.contains("subtree operation"));
        }
        Reply reply = settle(script.who(), id, script.operation());
        assertThat(reply).isEqualTo(Reply.Done.YES);
        if (first.isDone() && isFinal(first.join().reply())) {
            assertThat(first.join().reply()).isEqualTo(reply);
        }
        script.looks().forEach(this::look);
        script.looks().forEach(this::look);
        assertThat(happened).as("the effect of what was answered").isTrue();
        checkTree(created);
        repeat(id, reply);
        return stopped;
    }

    private void stop(Death death) {
        leader.process.freeze();
        if (death == Death.PAUSE) {
            cluster.scheduler.schedule(PAUSED.toNanos(), leader.process::thaw);
            return;
        }
        leader.channel.isolate();
        leader.coordinator.partition();
        if (death == Death.CRASH) {
            leader.failpoint.closeConnections();
        }
    }

    /** Reads one after the other, at first as fast as can be. */
    private void watch() {
        long began = cluster.scheduler.nanoTime();
        long past = 0;
        while (past < WATCHED.toNanos()) {
            script.looks().forEach(this::look);
            cluster.advance(Duration.ofMillis(past < 60_000_000 ? 0 : 150));
            past = cluster.scheduler.nanoTime() - began;
        }
        assertThat(definite).isGreaterThan(FEWEST_LOOKS);
    }

    private void look(Look look) {
        Reply reply = cluster.await(next().send(look.who(), cluster.nextId(), look.read()))
                .reply();
        if (look.after().test(reply)) {
            happened = true;
        } else if (look.before().test(reply)) {
            assertThat(happened)
                    .as("%s shows what was before, later than what is after", look.read())
                    .isFalse();
        } else if (isFinal(reply)) {
            fail(look.read() + " shows neither before nor after: " + reply);
        } else {
            return;
        }
        definite++;
    }

    private static boolean isFinal(Reply reply) {
        return !(reply instanceof Reply.Failure failure) || failure.code().disposition() == Disposition.FINAL;
    }

    private static void consistent(Reply reply, boolean created) {
        if (isFinal(reply)) {
            assertThat(SubtreeCase.status(reply)).isEqualTo(created);
        }
    }

    /** Sends a request, as its client would, until it is decided. */
    private Reply settle(Principal who, RequestId id, Operation<?> operation) {
        long began = cluster.scheduler.nanoTime();
        while (cluster.scheduler.nanoTime() - began < LONGEST_REPLY.toNanos()) {
            Reply reply = cluster.await(next().send(who, id, operation)).reply();
            if (isFinal(reply)) {
                return reply;
            }
            cluster.advance(Duration.ofMillis(20));
        }
        throw new AssertionError(operation + " was not decided within " + LONGEST_REPLY);
    }

    private void checkTree(boolean created) {
        cluster.advance(Duration.ofSeconds(12));
        Fsck.Report fsck = cluster.wholeStore();
        int tree = script.kept() ? TREE_ROWS + (created ? 1 : 0) : 0;
        assertThat(fsck.inodes()).isEqualTo(script.rows() + tree);
        if (script.kept()) {
            String root = script.operation() instanceof NamespaceOperation.Rename ? "/b/y/" : "/a/x/";
            FILES.forEach(file -> assertThat(read(root + file)).matches(SubtreeCase::status));
            assertThat(SubtreeCase.status(read(root + "sub/new"))).isEqualTo(created);
        } else {
            directories.forEach(this::checkNothingLeft);
        }
    }

    private void checkNothingLeft(long directory) {
        StoreTransaction look = cluster.store.begin(0);
        assertThat(cluster.await(look.scan(new Scan(Schema.INODES, directory, null, 100))))
                .as("children of a removed directory")
                .isEmpty();
        assertThat(cluster.await(look.read(List.of(Read.unlocked(Rows.statsKey(directory))), 0)))
                .as("counts of a removed directory")
                .containsOnlyNulls();
        look.abort();
    }

    private Reply read(String path) {
        return settle(SubtreeCase.ROOT, cluster.nextId(), SubtreeCase.stat(path));
    }

    /** A late twin of the request, after its effect was undone, gets the same answer and changes nothing. */
    private void repeat(RequestId id, Reply reply) {
        assertThat(settle(SubtreeCase.ROOT, cluster.nextId(), script.undo())).isEqualTo(Reply.Done.YES);
        Reply undone = read("/a/x");
        assertThat(settle(script.who(), id, script.operation())).isEqualTo(reply);
        assertThat(read("/a/x")).isEqualTo(undone).doesNotMatch(SubtreeCase.failed(ErrorCode.NOT_FOUND));
    }
}
