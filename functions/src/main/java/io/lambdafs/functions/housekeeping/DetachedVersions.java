package io.lambdafs.functions.housekeeping;

import io.lambdafs.functions.namenode.block.SmallFiles;
import io.lambdafs.model.inode.INode;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.snapshot.DirectoryVersion;
import io.lambdafs.store.snapshot.HeldFile;
import io.lambdafs.store.snapshot.Kept;
import io.lambdafs.store.snapshot.LiveSnapshots;
import io.lambdafs.store.snapshot.SnapshotNumber;
import io.lambdafs.store.snapshot.Version;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Makes the reclaimer copy what snapshots see of a detached directory before it removes that, as every write does (PROTOCOL: V2, V5). For one batch.
 */
final class DetachedVersions {
    private final long era;
    private final LiveSnapshots live;
    private final List<Mutation> mutations;

    /**
     * @param era the number of the last snapshot that may see what is in the directory; 0 for none
     * @param mutations receives what is done
     */
    DetachedVersions(long era, LiveSnapshots live, List<Mutation> mutations) {
        this.era = era;
        this.live = live;
        this.mutations = mutations;
    }

    /** Removes what belongs to a file whose row is removed, except what versions hold. */
    void removeFile(INode file) {
        boolean holds = copy(file) && Version.holdsContent(file);
        if (!file.isHeld() && !holds) {
            SmallFiles.remove(file, mutations);
            return;
        }
        if (holds) {
            mutations.add(HeldFile.more(file.id(), 1));
        }
        SmallFiles.removeExtras(file, mutations);
        if (file.content() == INode.Content.WRITING) {
            SmallFiles.closed(file, mutations);
        }
        mutations.add(new Mutation.Put(Rows.detachedFile(file)));
    }

    /** Returns the row of a directory whose row is removed. */
    Row detached(INode directory) {
        copy(directory);
        return Rows.detached(directory.withEra(directory.stamp(), Math.max(era, directory.floor())));
    }

    /** Copies an INode that some snapshot sees; returns whether it has. */
    private boolean copy(INode node) {
        long last = live.last(node.stamp(), era, 0);
        if (last == 0) {
            return false;
        }
        Version version = new Version(node.withMark(null), era);
        mutations.add(new Mutation.Put(version.row()));
        keep(Kept.of(version, 0), last);
        return true;
    }

    private void keep(Kept kept, long last) {
        mutations.add(new Mutation.Put(kept.row(last)));
        mutations.add(SnapshotNumber.written(last, 1));
    }

    /** Removes what the directory counted, which nothing changes any more. */
    CompletionStage<Void> removeCounts(StoreTransaction transaction, long directoryId) {
        mutations.add(new Mutation.Delete(Rows.statsKey(directoryId)));
        mutations.add(new Mutation.Delete(Rows.totalsKey(directoryId)));
        long last = live.last(0, era, 0);
        if (last == 0) {
            return CompletableFuture.completedFuture(null);
        }
        List<Read> reads = List.of(
                Read.unlocked(DirectoryVersion.key(directoryId, era)),
                Read.unlocked(Rows.statsKey(directoryId)),
                Read.unlocked(Rows.totalsKey(directoryId)));
        return transaction.read(reads, 0).thenAccept(rows -> {
            if (rows.get(0) == null) {
                DirectoryVersion counts = new DirectoryVersion(Rows.stats(rows.get(1)), Rows.totals(rows.get(2)));
                mutations.add(new Mutation.Put(counts.row(directoryId, era)));
                keep(Kept.ofDirectory(directoryId, era, 0), last);
            }
        });
    }
}
