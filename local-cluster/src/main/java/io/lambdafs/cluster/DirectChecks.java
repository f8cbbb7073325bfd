package io.lambdafs.cluster;

import io.lambdafs.datanode.ClusterId;
import io.lambdafs.datanode.block.BlockStoreCheck;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.objects.ObjectClient;
import io.lambdafs.rpc.objects.ObjectSigner;
import io.lambdafs.rpc.objects.ObjectSigners;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Whether the object stores of a cluster can be used that clients access themselves: what datanodes find out at their start otherwise. Stateless. */
final class DirectChecks {
    private DirectChecks() {}

    /**
     * Takes the stores for the cluster, and writes, reads and deletes in each, by signed URLs too.
     *
     * @throws io.lambdafs.model.FsException what is wrong with which of them
     */
    static void check(ClusterDirectory directory, ClusterSettings settings, List<Integer> storePorts) {
        BlockSettings blocks = settings.blocks();
        Map<String, ObjectSigner> signers =
                ObjectSigners.of(blocks.placesByName(), blocks.endpoint(), blocks.encryption(), System.getenv());
        String id = Functions.onStore(directory, settings, storePorts, "read the cluster's name", ClusterId::of);
        try (OpenBlockStores stores = OpenBlockStores.open(directory, blocks, "start");
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
