package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.coordinator.Member;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * A member's registration in one session. It uses only the ZooKeeper handle whose session holds its presence, never a
 * later one: a renewal by a newer session could succeed just before the older session and its presence expire, and
 * others would not wait for that lease. Thread-safe.
 */
final class Registration {
    private static final byte[] NOTHING = new byte[0];

    private final ZooKeeper session;
    private final Nodes nodes;

    Registration(ZooKeeper session, Nodes nodes) {
        this.session = session;
        this.nodes = nodes;
    }

    /** Creates the member's three nodes, all or none. */
    CompletionStage<@Nullable Void> create(Member member, List<ACL> acl) {
        long epoch = member.epoch();
        return multi(
                List.of(
                        Op.create(nodes.member(epoch), MemberData.write(member), acl, CreateMode.PERSISTENT),
                        Op.create(nodes.lease(epoch), NOTHING, acl, CreateMode.PERSISTENT),
                        Op.create(nodes.presence(epoch), NOTHING, acl, CreateMode.EPHEMERAL)),
                Answers::failure);
    }

    /** Writes the lease's node, which fails if a fence removed it or the presence is gone. */
    CompletionStage<@Nullable Void> renew(long epoch) {
        return multi(
                List.of(Op.check(nodes.presence(epoch), -1), Op.setData(nodes.lease(epoch), NOTHING, -1)),
                code -> code == Code.NONODE || code == Code.SESSIONEXPIRED ? refused(epoch) : Answers.failure(code));
    }

    static FsException refused(long epoch) {
        return new FsException(
                ErrorCode.FENCED,
                "the lease of epoch " + epoch
                        + " cannot be renewed: it was fenced, or its ZooKeeper session has ended");
    }

    private interface Failure {
        FsException of(@Nullable Code code);
    }

    private CompletionStage<@Nullable Void> multi(List<Op> steps, Failure failure) {
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        try {
            session.multi(
                    steps,
                    (rc, path, context, results) -> {
                        Code code = Answers.known(rc);
                        if (code == Code.OK) {
                            done.complete(null);
                        } else {
                            done.completeExceptionally(failure.of(code));
                        }
                    },
                    null);
        } catch (RuntimeException e) {
            done.completeExceptionally(Answers.notStarted(e));
        }
        return done;
    }
}
