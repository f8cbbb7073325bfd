package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.jspecify.annotations.Nullable;

/** Creates the folders of a file system if they are missing. Thread-safe. */
final class Folders {
    private static final byte[] NOTHING = new byte[0];
    private static final Id ANYBODY = ZooDefs.Ids.ANYONE_ID_UNSAFE;

    private final CuratorFramework client;
    private final Nodes nodes;
    private final List<ACL> acl;
    private final Supplier<@Nullable String> refusal;
    private volatile boolean made;

    /** @param refusal why nothing was sent to the server, if so */
    Folders(CuratorFramework client, Nodes nodes, List<ACL> acl, Supplier<@Nullable String> refusal) {
        this.refusal = refusal;
        this.client = client;
        this.nodes = nodes;
        this.acl = acl;
    }

    CompletionStage<Boolean> ensure() {
        if (made) {
            return CompletableFuture.completedFuture(true);
        }
        // If the last one exists, all do. A read costs the ensemble nothing, while a refused creation is logged like a
        // write.
        return Answers.of(
                        callback -> client.checkExists().inBackground(callback).forPath(nodes.present()), Code.NONODE)
                .thenCompose(found -> found.getStat() == null ? make() : CompletableFuture.completedFuture(true))
                .handle((there, failure) -> {
                    if (failure != null) {
                        throw explained(failure);
                    }
                    made = true;
                    return true;
                });
    }

    private FsException explained(Throwable failure) {
        FsException told = FsException.of(failure);
        String why = refusal.get();
        return why == null || told.code() != ErrorCode.UNAVAILABLE
                ? told
                : FsException.unavailable("ZooKeeper was sent nothing: " + why, told);
    }

    private CompletionStage<Boolean> make() {
        // Other file systems, with their own secrets, have folders here too, so anyone may add one.
        List<ACL> shared = List.of(
                new ACL(ZooDefs.Perms.READ | ZooDefs.Perms.CREATE, ANYBODY),
                new ACL(ZooDefs.Perms.ALL, acl.get(0).getId()));
        return create(nodes.root(), shared)
                .thenCompose(root -> create(nodes.base(), acl))
                .thenCompose(base -> create(nodes.members(), acl))
                .thenCompose(members -> create(nodes.leases(), acl))
                .thenCompose(leases -> create(nodes.present(), acl))
                .thenApply(present -> true);
    }

    private CompletionStage<CuratorEvent> create(String path, List<ACL> allowed) {
        return Answers.of(
                callback -> client.create()
                        .withMode(CreateMode.PERSISTENT)
                        .withACL(allowed)
                        .inBackground(callback)
                        .forPath(path, NOTHING),
                Code.NODEEXISTS);
    }
}
