package io.lambdafs.datanode;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.model.time.Chore;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Stages;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.block.BlockFault;
import io.lambdafs.store.block.BlockReport;
import io.lambdafs.store.block.StoredBlock;
import io.lambdafs.store.format.FormatLevel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the block store with the metadata bucket by bucket ({@link BlockComparison}), and writes a report on each
 * into the metadata store, with the blocks that have no whole object. All datanodes of a store share the buckets: each
 * claims some whose reports are old; if it ends midway, the others take them over some time later. Two that compare the
 * same bucket do no harm. Thread-safe.
 */
final class BlockReports implements AutoCloseable {
    /** The number of buckets that a datanode claims at once: each claim costs a pass over the rows of all blocks. */
    static final int BUCKETS_PER_ROUND = 64;
    /** The age at which a claim is void. */
    static final long CLAIM_MILLIS = TimeUnit.MINUTES.toMillis(30);

    private static final Logger LOG = LoggerFactory.getLogger(BlockReports.class);
    private static final long LOOK_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final MetadataStore metadata;
    private final BlockStore blocks;
    private final Self self;
    private final Scheduler scheduler;
    private final Chore chore;

    /**
     * The reporting datanode, and how it reports.
     *
     * @param blockStore the store's name in the metadata
     * @param period after which a bucket is compared again; zero for never
     * @param scanBytes the bytes to read of a bucket's blocks each time, at least one block; 0 for none
     */
    record Self(String datanode, String blockStore, Duration period, long scanBytes) {}

    /** @param scheduler whose pool may block */
    BlockReports(MetadataStore metadata, BlockStore blocks, Self self, Scheduler scheduler) {
        this.metadata = metadata;
        this.blocks = blocks;
        this.self = self;
        this.scheduler = scheduler;
        this.chore = Chore.everyAndABit(LOOK_NANOS, scheduler, this::runAndTell);
    }

    /** Starts checking for buckets whose reports are old, every minute and a bit. */
    void start() {
        if (!self.period().isZero()) {
            chore.start();
        }
    }

    private CompletionStage<Integer> runAndTell() {
        return Stages.call(this::run).whenComplete((count, failure) -> {
            if (failure != null && !chore.isClosed()) {
                LOG.warn(
                        "the block store is looked through later: {}",
                        FsException.of(failure).getMessage());
            }
        });
    }

    /** Reports on the buckets that are due and not claimed; completes with their number. */
    CompletionStage<Integer> run() {
        return CompletableFuture.supplyAsync(() -> look(claim()), scheduler);
    }

    private BlockReport last(Map<Integer, BlockReport> all, int bucket) {
        return all.getOrDefault(
                bucket,
                new BlockReport(self.blockStore(), bucket, BlockReport.Contents.NONE, 0, 0, self.datanode(), 0, 0, ""));
    }

    /** Clocks differ and jump: a report from the future counts as one equally far in the past. */
    private boolean isDue(BlockReport report, long now) {
        boolean under = report.beganMillis() > report.endedMillis();
        return Math.abs(now - report.endedMillis()) >= self.period().toMillis()
                && (!under || Math.abs(now - report.beganMillis()) >= CLAIM_MILLIS);
    }

    /** Takes the buckets with the oldest reports. */
    private Map<Integer, BlockReport> claim() {
        long now = scheduler.currentTimeMillis();
        Map<Integer, BlockReport> all = BlockMove.await(BlockReport.list(metadata, self.blockStore())).stream()
                .collect(Collectors.toMap(BlockReport::bucket, each -> each));
        List<BlockReport> due = new ArrayList<>();
        for (int bucket = 0; bucket < ObjectKey.BUCKETS; bucket++) {
            BlockReport report = last(all, bucket);
            if (isDue(report, now)) {
                due.add(report);
            }
        }
        due.sort(Comparator.comparingLong(BlockReport::endedMillis));
        List<Integer> wanted = due.stream()
                .limit(BUCKETS_PER_ROUND)
                .map(BlockReport::bucket)
                .sorted()
                .toList();
        return wanted.isEmpty() ? Map.of() : claim(wanted, now);
    }

    private Map<Integer, BlockReport> claim(List<Integer> wanted, long now) {
        StoreTransaction transaction = metadata.begin(0);
        try {
            List<Read> reads = new ArrayList<>(List.of(Read.shared(FormatLevel.KEY)));
            wanted.forEach(bucket -> reads.add(Read.exclusive(BlockReport.key(self.blockStore(), bucket))));
            List<@Nullable Row> found = BlockMove.await(transaction.read(reads, 0));
            if (!FormatLevel.of(found.get(0)).has(FormatLevel.REPORTS)) {
                return Map.of();
            }
            Map<Integer, BlockReport> mine = new HashMap<>();
            List<Mutation> mutations = new ArrayList<>();
            for (int i = 0; i < wanted.size(); i++) {
                Row row = found.get(i + 1);
                BlockReport report = row == null ? last(Map.of(), wanted.get(i)) : BlockReport.of(row);
                if (isDue(report, now)) {
                    BlockReport begun = report.begun(self.datanode(), now);
                    mine.put(begun.bucket(), begun);
                    mutations.add(new Mutation.Put(begun.row()));
                }
            }
            if (!mutations.isEmpty()) {
                BlockMove.await(transaction.commit(mutations, Long.MAX_VALUE));
            }
            return mine;
        } finally {
            transaction.abort();
        }
    }

    /** Compares the claimed buckets; returns the number of reports. */
    private int look(Map<Integer, BlockReport> claimed) {
        if (claimed.isEmpty()) {
            return 0;
        }
        Map<Integer, BlockComparison.Claim> claims = new HashMap<>();
        claimed.forEach((bucket, report) -> claims.put(
                bucket,
                new BlockComparison.Claim(
                        report,
                        BlockMove.await(BlockFault.list(metadata, self.blockStore(), bucket)).stream()
                                .map(BlockFault::key)
                                .collect(Collectors.toSet()))));
        AtomicInteger reported = new AtomicInteger();
        new BlockComparison(
                        new BlockComparison.Source(
                                blocks, self.blockStore(), new BlockRows(metadata), self.scanBytes()),
                        claims,
                        chore::isClosed)
                .run(outcome -> {
                    BlockComparison.Claim claim = claims.get(outcome.bucket());
                    if (claim != null) {
                        report(claim, outcome);
                        reported.incrementAndGet();
                    }
                });
        return reported.get();
    }

    private void report(BlockComparison.Claim claim, BlockComparison.Outcome outcome) {
        long now = scheduler.currentTimeMillis();
        List<Mutation> mutations = new ArrayList<>();
        Set<String> gone = new HashSet<>(claim.suspects());
        for (BlockInspection.Fault each :
                outcome.faults().subList(0, Math.min(outcome.faults().size(), BlockFault.MOST_OF_A_BUCKET))) {
            StoredBlock block = each.block();
            gone.remove(block.key());
            mutations.add(new Mutation.Put(
                    new BlockFault(self.blockStore(), block.key(), block.inodeId(), block.index(), each.why(), now)
                            .row()));
        }
        gone.forEach(key -> mutations.add(new Mutation.Delete(Schema.BLOCK_FAULTS.key(self.blockStore(), key))));
        mutations.add(new Mutation.Put(new BlockReport(
                        self.blockStore(),
                        outcome.bucket(),
                        outcome.found(),
                        outcome.faults().size(),
                        outcome.orphans(),
                        self.datanode(),
                        Math.min(claim.report().beganMillis(), now),
                        now,
                        outcome.scanned())
                .row()));
        BlockMove.await(metadata.begin(0).commit(mutations, Long.MAX_VALUE));
        if (!outcome.faults().isEmpty() || outcome.orphans() > 0) {
            LOG.warn(
                    "bucket {} of {}: {} blocks have no whole object, {} objects that nothing named are deleted",
                    outcome.bucket(),
                    self.blockStore(),
                    outcome.faults().size(),
                    outcome.orphans());
        }
    }

    @Override
    public void close() {
        chore.close();
    }
}
