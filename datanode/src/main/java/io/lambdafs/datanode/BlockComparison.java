package io.lambdafs.datanode;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.rpc.block.Seal;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.block.BlockReport;
import io.lambdafs.store.block.BlockReport.Contents;
import io.lambdafs.store.block.StoredBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Compares some buckets of a block store with the rows that name objects. It first sums up the rows, from a snapshot,
 * in constant memory; then the listed objects. A bucket with equal sums is whole. Any other is searched for blocks
 * without a whole object, and for objects that no row names, which are deleted. It also reads some blocks of each
 * bucket: those that follow the last ones read, and those that had a fault. Single use, for one thread.
 */
final class BlockComparison {
    /** The number of remembered keys of blocks under way, or to be deleted; buckets with further ones are searched. */
    static final int MOST_OPEN = 100_000;

    private static final int PAGE = 10_000;

    private final Source source;
    private final Map<Integer, Claim> claims;
    private final BooleanSupplier closed;
    private final Contents[] named = new Contents[ObjectKey.BUCKETS];
    private final Map<Integer, Scan> scans = new HashMap<>();
    /** Objects that may or may not be there. */
    private final Set<String> open = new HashSet<>();

    private final BitSet differing = new BitSet();

    /**
     * The two sides to compare.
     *
     * @param name of the block store in the metadata
     * @param scanBytes the bytes to read of each bucket's blocks; at least one block is read
     */
    record Source(BlockStore blocks, String name, BlockRows rows, long scanBytes) {}

    /**
     * A bucket to be compared.
     *
     * @param report the last one
     * @param suspects keys of blocks that had a fault
     */
    record Claim(BlockReport report, Set<String> suspects) {}

    /**
     * The result for a bucket.
     *
     * @param scanned the key of the last block that was read; empty if none follow
     */
    record Outcome(int bucket, Contents found, List<BlockInspection.Fault> faults, long orphans, String scanned) {}

    BlockComparison(Source source, Map<Integer, Claim> claims, BooleanSupplier closed) {
        this.source = source;
        this.claims = claims;
        this.closed = closed;
        Arrays.fill(named, Contents.NONE);
        claims.forEach((bucket, claim) -> scans.put(bucket, new Scan(claim)));
    }

    /** Compares the buckets, until closed; hands over each as soon as it is done. */
    void run(Consumer<Outcome> each) {
        source.rows().read(all -> {
            all.forEach(this::note);
            return open.size();
        });
        Map<Integer, Contents> found = new HashMap<>();
        for (int bucket : claims.keySet()) {
            if (closed.getAsBoolean()) {
                return;
            }
            Contents objects = list(bucket);
            found.put(bucket, objects);
            if (!objects.equals(named[bucket])) {
                differing.set(bucket);
            }
            if (!differing.get(bucket)) {
                each.accept(outcome(bucket, objects, List.of(), 0));
            }
        }
        if (!differing.isEmpty()) {
            lookThrough(found, each);
        }
        if (claims.containsKey(0) && !closed.getAsBoolean()) {
            Orphans.collectUploads(source.blocks(), this::namedNow);
        }
    }

    private void note(Row row) {
        boolean ofFile = row.key().table().equals(Schema.BLOCKS);
        if (!(ofFile ? row.string(4) : row.key().string(0)).equals(source.name())) {
            return;
        }
        String key = ofFile ? row.string(5) : row.key().string(1);
        int bucket = ObjectKey.bucket(key);
        Scan scan = scans.get(bucket);
        if (scan == null) {
            return;
        }
        StoredBlock block = ofFile ? StoredBlock.of(row) : null;
        if (block != null && block.state() == StoredBlock.State.WRITTEN) {
            long length = block.block().length();
            named[bucket] = named[bucket].plus(key, length + Seal.size(length));
            scan.note(block);
        } else if (open.size() < MOST_OPEN) {
            open.add(key);
        } else {
            differing.set(bucket);
        }
    }

    private Contents list(int bucket) {
        Contents found = Contents.NONE;
        String after = "";
        List<BlockStore.StoredObject> page;
        do {
            page = source.blocks().list(ObjectKey.prefix(bucket), after, PAGE);
            for (BlockStore.StoredObject each : page) {
                after = each.key();
                if (!open.contains(each.key())) {
                    found = found.plus(each.key(), each.length());
                }
            }
        } while (page.size() == PAGE);
        return found;
    }

    private Set<String> namedNow(Set<String> keys) {
        return source.rows().read(all -> Orphans.named(all, source.name(), keys));
    }

    private void lookThrough(Map<Integer, Contents> found, Consumer<Outcome> each) {
        Map<Integer, List<BlockInspection.Fault>> faults =
                BlockInspection.run(source.blocks(), source.name(), source.rows(), differing).faults().stream()
                        .collect(Collectors.groupingBy(
                                fault -> ObjectKey.bucket(fault.block().key())));
        for (int bucket : differing.stream().toArray()) {
            if (closed.getAsBoolean()) {
                return;
            }
            long orphans = Orphans.collectObjects(source.blocks(), this::namedNow, bucket)
                    .orphans();
            each.accept(outcome(
                    bucket,
                    found.getOrDefault(bucket, Contents.NONE),
                    faults.getOrDefault(bucket, List.of()),
                    orphans));
        }
    }

    private Outcome outcome(int bucket, Contents found, List<BlockInspection.Fault> listed, long orphans) {
        List<BlockInspection.Fault> faults = new ArrayList<>(listed);
        Set<String> keys = listed.stream().map(fault -> fault.block().key()).collect(Collectors.toSet());
        Scan scan = scans.get(bucket);
        if (scan == null) {
            return new Outcome(bucket, found, faults, orphans, "");
        }
        scan.damaged().stream()
                .filter(fault -> !keys.contains(fault.block().key()))
                .forEach(faults::add);
        return new Outcome(bucket, found, faults, orphans, scan.last());
    }

    /** The blocks of a bucket to be read this time. */
    private final class Scan {
        private final Claim claim;
        private final Map<String, StoredBlock> suspects = new HashMap<>();
        private final TreeMap<String, StoredBlock> next = new TreeMap<>();
        private long bytes;
        private boolean more;

        Scan(Claim claim) {
            this.claim = claim;
        }

        void note(StoredBlock block) {
            if (claim.suspects().contains(block.key())) {
                suspects.put(block.key(), block);
            }
            if (source.scanBytes() == 0 || block.key().compareTo(claim.report().scanned()) <= 0) {
                return;
            }
            next.put(block.key(), block);
            bytes += block.block().length();
            while (bytes > source.scanBytes() && next.size() > 1) {
                bytes -= next.pollLastEntry().getValue().block().length();
                more = true;
            }
        }

        String last() {
            return more ? next.lastKey() : "";
        }

        /** One that has gone meanwhile is not damaged. */
        List<BlockInspection.Fault> damaged() {
            List<BlockInspection.Fault> found = new ArrayList<>();
            suspects.putAll(next);
            for (StoredBlock block : suspects.values()) {
                FsException failure = BlockInspection.read(source.blocks(), block);
                if (failure != null && failure.code() == ErrorCode.BLOCK_CORRUPT) {
                    found.add(new BlockInspection.Fault(block, String.valueOf(failure.getMessage())));
                }
            }
            return found;
        }
    }
}
