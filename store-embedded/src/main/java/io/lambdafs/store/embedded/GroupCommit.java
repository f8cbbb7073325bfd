package io.lambdafs.store.embedded;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scheduler;
import io.lambdafs.store.CommitObserver;
import io.lambdafs.store.Handover;
import io.lambdafs.store.Mutation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that changes the database: takes all commits that are ready, writes them as one batch with one fsync, then
 * acknowledges them. While one group is on its way to the disk, or the processors are busy with others' work, the next one gathers.
 * Where a commit is expected the thread wakes up before it comes. Thread-safe.
 */
final class GroupCommit implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);
    private static final PendingCommit END = new PendingCommit(List.of(), 0);
    /** Wakes the thread up: a commit is on its way. */
    private static final PendingCommit EXPECTED = new PendingCommit(List.of(), 0);
    /** Longer than it takes to hear of the locks, to invalidate what others cache and to commit, while processors are free. */
    private static final long LOOKOUT_NANOS = 250_000;

    /** So many more that wait make the part of an fsync that each pays small enough. */
    private static final int WELL_SHARED = 4;

    private static final long NO_GROUP = Long.MIN_VALUE;
    /** A disk that takes longer than this for one group hangs. */
    private static final long HANG_NANOS = 10_000_000_000L;

    private final Scheduler scheduler;
    private final Database database;
    private final HotRows hot;
    private final FreeSpace space;
    private final CommitObserver observer;
    private final BlockingQueue<PendingCommit> queue;
    private final Thread thread;
    private final AtomicLong queuedBytes = new AtomicLong();
    private volatile boolean asleep;
    /** When the group that is on its way to the disk set out; {@link #NO_GROUP} where none is. */
    private volatile long groupSince = NO_GROUP;
    /** What the thread died of. */
    private volatile @Nullable Throwable death;

    private boolean closed;

    GroupCommit(Scheduler scheduler, Database database, HotRows hot, FreeSpace space, CommitObserver observer) {
        this.scheduler = scheduler;
        this.database = database;
        this.hot = hot;
        this.space = space;
        this.observer = observer;
        this.queue = new ArrayBlockingQueue<>(RocksSettings.MAX_QUEUED_COMMITS + 1);
        this.thread = new Thread(this::run, "store-commit");
        thread.setDaemon(true);
        thread.start();
    }

    CompletionStage<Void> submit(List<Mutation> mutations, long deadlineMillis) {
        PendingCommit commit = new PendingCommit(mutations, deadlineMillis);
        synchronized (this) {
            if (closed) {
                return refused("the store is closed");
            }
            if (death != null) {
                return refused(dead());
            }
            long bytes = queuedBytes.get();
            if (bytes > 0 && bytes + commit.bytes > RocksSettings.MAX_QUEUED_BYTES) {
                return refused("commits of " + bytes + " bytes wait for the disk already; try again later");
            }
            if (queue.remainingCapacity() <= 1 || !queue.offer(commit)) {
                return refused(
                        RocksSettings.MAX_QUEUED_COMMITS + " commits wait for the disk already; try again later");
            }
            queuedBytes.addAndGet(commit.bytes);
        }
        return commit.result;
    }

    /**
     * A commit is likely soon. The thread, if it sleeps, wakes up at once and looks out for it: a processor that sleeps too takes as long
     * to wake up as a round of invalidations does. Where commits come one after the other this does nothing.
     */
    void expect() {
        if (asleep) {
            synchronized (this) {
                if (asleep && !closed && queue.isEmpty()) {
                    queue.add(EXPECTED);
                }
            }
        }
    }

    private static CompletionStage<Void> refused(String why) {
        return CompletableFuture.failedFuture(new FsException(ErrorCode.UNAVAILABLE, why));
    }

    private String dead() {
        return "the store's commit thread has died (" + death + "); start the store again";
    }

    /** What keeps commits from the disk; empty where nothing does. */
    Optional<String> trouble() {
        if (death != null) {
            return Optional.of(dead());
        }
        long since = groupSince;
        long nanos = since == NO_GROUP ? 0 : scheduler.nanoTime() - since;
        return nanos > HANG_NANOS
                ? Optional.of("the disk has not taken a group of commits for " + nanos / 1_000_000_000 + " s")
                : Optional.empty();
    }

    private void run() {
        List<PendingCommit> group = new ArrayList<>();
        try {
            boolean open = true;
            while (open) {
                try {
                    open = gather(group);
                    commit(group);
                } catch (InterruptedException e) {
                    LOG.warn("The group-commit thread was interrupted; nobody may do that, it goes on");
                } catch (RuntimeException e) {
                    LOG.error("A group of commits failed", e);
                    fail(group, FsException.of(e));
                }
                group.clear();
                groupSince = NO_GROUP;
            }
        } catch (Throwable e) {
            died(group, e);
            throw e;
        }
    }

    /** Leaves nobody waiting. How far the group came is not known; what had not set out has not happened. */
    private void died(List<PendingCommit> group, Throwable e) {
        List<PendingCommit> rest = new ArrayList<>();
        synchronized (this) {
            death = e;
            queue.drainTo(rest);
        }
        LOG.error("The commit thread dies; the store takes no commits any more", e);
        rest.removeIf(commit -> commit == END || commit == EXPECTED);
        fail(
                group,
                new FsException(
                        ErrorCode.CONNECTION_LOST,
                        "the store's commit thread died (" + e + ") with the commit: it may have been made",
                        e));
        fail(rest, new FsException(ErrorCode.UNAVAILABLE, dead(), e));
    }

    /** Takes what is ready, waiting for the first; false after the last one. */
    private boolean gather(List<PendingCommit> group) throws InterruptedException {
        long bytes = 0;
        PendingCommit first = first();
        if (queue.size() < WELL_SHARED) {
            letOthersRun();
        }
        for (PendingCommit next = first; next != null; next = queue.poll()) {
            if (next == END) {
                return false;
            }
            if (next == EXPECTED) {
                continue;
            }
            group.add(next);
            queuedBytes.addAndGet(-next.bytes);
            bytes += next.bytes;
            if (bytes >= RocksSettings.MAX_GROUP_BYTES) {
                break;
            }
        }
        return true;
    }

    private PendingCommit first() throws InterruptedException {
        PendingCommit first = queue.poll();
        while (first == null || first == EXPECTED) {
            first = first == null ? sleep() : lookOut();
        }
        return first;
    }

    private PendingCommit sleep() throws InterruptedException {
        asleep = true;
        try {
            return queue.take();
        } finally {
            asleep = false;
        }
    }

    /** Gives turns away until a commit comes; null if none does for a while. */
    private @Nullable PendingCommit lookOut() {
        long begun = scheduler.nanoTime();
        PendingCommit first = null;
        while (first == null && scheduler.nanoTime() - begun < LOOKOUT_NANOS) {
            letOthersRun();
            first = queue.poll();
        }
        return first;
    }

    /**
     * On a machine whose processors are all busy, some of what waits for one is about to commit too: let it, and share one fsync.
     * Where a processor is free this returns at once, so that no commit waits for others that may never come.
     */
    @SuppressWarnings("ThreadPriorityCheck") // A hint, on which nothing depends.
    private static void letOthersRun() {
        Thread.yield();
    }

    private void commit(List<PendingCommit> all) {
        List<PendingCommit> group = admit(all);
        if (group.isEmpty()) {
            return;
        }
        long bytes;
        long nanos;
        try (GroupBatch batch = new GroupBatch(database, hot)) {
            for (PendingCommit commit : group) {
                batch.add(commit);
            }
            long before = scheduler.nanoTime();
            groupSince = before;
            bytes = batch.write();
            nanos = scheduler.nanoTime() - before;
        } catch (FsException e) {
            fail(group, e);
            return;
        }
        // Whatever happens to this thread from here on, these are durable.
        all.clear();
        try {
            observer.group(group.size(), bytes, nanos);
        } finally {
            Handover.to(scheduler, () -> group.forEach(commit -> commit.result.complete(null)));
        }
    }

    /** Refuses what comes too late or finds no room. */
    private List<PendingCommit> admit(List<PendingCommit> all) {
        long now = scheduler.currentTimeMillis();
        boolean full = space.isShort();
        List<PendingCommit> group = new ArrayList<>(all.size());
        List<PendingCommit> late = new ArrayList<>(0);
        List<PendingCommit> big = new ArrayList<>(0);
        for (PendingCommit commit : all) {
            if (now > commit.deadlineMillis) {
                late.add(commit);
            } else if (full && commit.grows) {
                big.add(commit);
            } else {
                group.add(commit);
            }
        }
        fail(
                late,
                new FsException(
                        ErrorCode.DEADLINE_EXCEEDED, "the deadline of the commit has passed; nothing was changed"));
        fail(big, database.full("less than " + space.minFreeBytes() + " bytes are free"));
        return group;
    }

    private void fail(List<PendingCommit> commits, FsException why) {
        if (!commits.isEmpty()) {
            List<PendingCommit> failed = List.copyOf(commits);
            Handover.to(scheduler, () -> failed.forEach(commit -> commit.result.completeExceptionally(why)));
            observer.failed(failed.size());
        }
    }

    /** Ends the thread after everything that was submitted. */
    @Override
    public void close() {
        synchronized (this) {
            if (!closed) {
                closed = true;
                queue.add(END);
            }
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
