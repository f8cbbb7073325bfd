package io.lambdafs.cluster.blocks;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.block.BlockFault;
import io.lambdafs.store.block.BlockReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A summary of the datanodes' last reports on a cluster's block stores, from their rows. Reads no block store.
 * Immutable.
 */
public final class BlockReportSummary {
    private BlockReportSummary() {}

    /**
     * The reports on one block store.
     *
     * @param buckets number of the 256 buckets that have been scanned
     * @param faults blocks whose objects are missing or truncated
     * @param orphans unreferenced objects deleted by each bucket's last scan
     * @param oldestMillis time of the oldest scan; 0 if a bucket was never scanned
     */
    public record OfStore(
            String store, int buckets, long objects, long bytes, long faults, long orphans, long oldestMillis) {
        static OfStore of(String store, List<BlockReport> reports) {
            List<BlockReport> ended =
                    reports.stream().filter(each -> each.endedMillis() > 0).toList();
            return new OfStore(
                    store,
                    ended.size(),
                    ended.stream().mapToLong(each -> each.found().objects()).sum(),
                    ended.stream().mapToLong(each -> each.found().bytes()).sum(),
                    ended.stream().mapToLong(BlockReport::faults).sum(),
                    ended.stream().mapToLong(BlockReport::orphans).sum(),
                    ended.size() < ObjectKey.BUCKETS
                            ? 0
                            : ended.stream()
                                    .mapToLong(BlockReport::endedMillis)
                                    .min()
                                    .orElse(0));
        }
    }

    /** All block stores, and one line per recorded fault, with the path of the file. */
    public record Report(List<OfStore> stores, List<String> faults) {
        public boolean isWhole() {
            return stores.stream().allMatch(each -> each.faults() == 0);
        }

        public ObjectNode json() {
            ObjectNode tree = Json.object().put("schema", 1);
            ArrayNode each = tree.putArray("stores");
            for (OfStore of : stores) {
                each.addObject()
                        .put("store", of.store())
                        .put("buckets", of.buckets())
                        .put("objects", of.objects())
                        .put("bytes", of.bytes())
                        .put("faults", of.faults())
                        .put("orphans", of.orphans())
                        .put("oldestMillis", of.oldestMillis());
            }
            faults.forEach(tree.putArray("faults")::add);
            return tree;
        }

        /** Returns one line per fault and per block store. */
        public List<String> lines() {
            List<String> lines = new ArrayList<>(faults);
            for (OfStore of : stores) {
                String age = of.oldestMillis() == 0 ? "" : ", all since " + Instant.ofEpochMilli(of.oldestMillis());
                lines.add(String.format(
                        Locale.ROOT,
                        "%s: %d of 256 buckets looked at%s: %,d objects, %,d bytes, %,d blocks without a whole object,"
                                + " %,d objects that nothing named deleted",
                        of.store(),
                        of.buckets(),
                        age,
                        of.objects(),
                        of.bytes(),
                        of.faults(),
                        of.orphans()));
            }
            return lines;
        }
    }

    /**
     * Reads the reports of a cluster with a running store.
     *
     * @throws io.lambdafs.model.FsException as the store does
     */
    public static Report read(OperatedCluster cluster) {
        List<OfStore> stores = stores(cluster);
        List<String> faults = new ArrayList<>();
        if (stores.stream().anyMatch(each -> each.faults() > 0)) {
            FilePaths paths = FilePaths.of(cluster);
            for (OfStore each : stores) {
                cluster.onStore("read the faults of blocks", store -> faults(store, each.store())).stream()
                        .map(fault -> paths.of(fault.inodeId()) + ": block " + fault.index() + " in " + fault.store()
                                + ": " + fault.why())
                        .sorted()
                        .forEach(faults::add);
            }
        }
        return new Report(stores, List.copyOf(faults));
    }

    public static List<OfStore> stores(OperatedCluster cluster) {
        List<OfStore> stores = new ArrayList<>();
        for (String name : cluster.blockStores()) {
            stores.add(OfStore.of(
                    name, cluster.onStore("read the block reports", store -> BlockReport.list(store, name))));
        }
        return List.copyOf(stores);
    }

    private static CompletionStage<List<BlockFault>> faults(MetadataStore store, String blockStore) {
        CompletionStage<List<BlockFault>> all = CompletableFuture.completedFuture(new ArrayList<>());
        for (int bucket = 0; bucket < ObjectKey.BUCKETS; bucket++) {
            int next = bucket;
            all = all.thenCompose(
                    found -> BlockFault.list(store, blockStore, next).thenApply(more -> {
                        found.addAll(more);
                        return found;
                    }));
        }
        return all;
    }
}
