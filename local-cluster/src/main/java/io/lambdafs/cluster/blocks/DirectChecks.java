package io.lambdafs.cluster.blocks;

import io.lambdafs.cluster.settings.BlockSettings;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.store.StoreAccess;
import io.lambdafs.datanode.ClusterId;
import io.lambdafs.datanode.block.BlockStoreCheck;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.objects.ObjectClient;
import io.lambdafs.rpc.objects.ObjectSigner;
import io.lambdafs.rpc.objects.ObjectSigners;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Checks that the object stores for direct access are usable, as datanodes otherwise do at startup. Stateless. */
public final class DirectChecks {
    private DirectChecks() {}

    /**
     * Claims the stores for the cluster, and writes, reads and deletes in each, also by presigned URLs.
     *
     * @throws io.lambdafs.model.FsException naming the faulty store and the error
     */
    public static void check(ClusterDirectory directory, ClusterSettings settings, List<Integer> storePorts) {
        BlockSettings blocks = settings.blocks();
        Map<String, ObjectSigner> signers =
                ObjectSigners.of(blocks.placesByName(), blocks.endpoint(), blocks.encryption(), System.getenv());
        String id = StoreAccess.of(directory, settings, storePorts).ask("read the cluster's name", ClusterId::of);
        try (OpenBlockStores stores = OpenBlockStores.open(blocks.access(directory), "start");
                SystemScheduler scheduler = new SystemScheduler("direct-check", 1, 16)) {
            ObjectClient objects = new ObjectClient(scheduler, ObjectClient.SILENCE);
            stores.byName().forEach((name, store) -> {
                BlockStoreCheck.check(store, ClusterId.owner(id, name));
                BlockStoreCheck.checkDirect(
                        store.place(),
                        Objects.requireNonNull(signers.get(name)),
                        objects,
                        scheduler.currentTimeMillis());
            });
        }
    }
}
