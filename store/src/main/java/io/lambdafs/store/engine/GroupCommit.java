package io.lambdafs.store.engine;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.lock.Handover;
import java.util.ArrayList;
import java.util.BitSet;
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
 * Group commit: a single thread that applies all changes to an engine's rows. It takes all ready commits, writes them
 * as one batch with one fsync, then acknowledges them. The next group gathers while one is being written or the
 * processors are busy. The thread wakes up early when a commit is expected. Thread-safe.
 */
public final class GroupCommit<C> implements AutoCloseable {
    /** Maximum number of queued commits; further ones fail {@code UNAVAILABLE}. */
    public static final int MAX_QUEUED_COMMITS = 20_000;
    /** Maximum bytes of queued commits; further ones fail {@code UNAVAILABLE}, unless the queue is empty. */
    public static final long MAX_QUEUED_BYTES =
            Math.min(64 << 20, Runtime.getRuntime().maxMemory() / 8);
    /** Size at which a group is closed, in bytes. */
    public static final int MAX_GROUP_BYTES = 8 << 20;

    /**
     * Writes groups to an engine. Called by the commit thread only.
     *
     * @param <C> a commit's mutations as prepared by the engine on the caller's thread
     */
    public interface Writer<C> {
        /** Returns why commits that grow the store must be refused; null if they may go on. */
        @Nullable
        FsException full();

        /**
         * Makes a group durable and visible at once, its commits in order, but for those that a quota does not admit.
         *
         * @param refused to be set to the places in the group of those that were not made
         * @return bytes written
         * @throws FsException if nothing was written; with {@code CONNECTION_LOST} the group may have been
         */
        long write(List<C> group, BitSet refused);
    }

    /** A queued commit. */
    private static final class Pending<C> {
        final C changes;
        final long bytes;
        final boolean grows;
        final long deadlineMillis;
        final CompletableFuture<Void> result = new CompletableFuture<>();

        Pending(C changes, long bytes, boolean grows, long deadlineMillis) {
            this.changes = changes;
            this.bytes = bytes;
            this.grows = grows;
            this.deadlineMillis = deadlineMillis;
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);
    /** Longer than it takes, on an idle machine, to receive the locks, run an invalidation round and commit. */
    private static final long LOOKOUT_NANOS = 250_000;

    /** With this many more commits queued, each one's share of an fsync is small enough. */
    private static final int WELL_SHARED = 4;

    private static final long NO_GROUP = Long.MIN_VALUE;
    /** A write of one group that takes longer counts as a hanging disk. */
    private static final long HANG_NANOS = 10_000_000_000L;

    private final Scheduler scheduler;
    private final Writer<C> writer;
    private final CommitObserver observer;

    @SuppressWarnings("NullAway") // Markers; their fields are never read.
    private final Pending<C> end = new Pending<>(null, 0, false, 0);
    /** Marker that wakes the thread: a commit is on its way. */
    @SuppressWarnings("NullAway")
    private final Pending<C> expected = new Pending<>(null, 0, false, 0);

    private final BlockingQueue<Pending<C>> queue;
    private final Thread thread;
    private final AtomicLong queuedBytes = new AtomicLong();
    private volatile boolean asleep;
    /** Start of the group write in progress; {@link #NO_GROUP} if none. */
    private volatile long groupSince = NO_GROUP;
    /** The failure that ended the thread. */
    private volatile @Nullable Throwable death;

    private boolean closed;

    public GroupCommit(Scheduler scheduler, Writer<C> writer, CommitObserver observer) {
        this.scheduler = scheduler;
        this.writer = writer;
        this.observer = observer;
        this.queue = new ArrayBlockingQueue<>(MAX_QUEUED_COMMITS + 1);
        this.thread = new Thread(this::run, "store-commit");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Queues a commit; the stage completes when it is durable and visible.
     *
     * @param bytes approximate size
     * @param grows whether it grows the store ({@link Mutation#grow})
     * @param deadlineMillis checked just before its group is written
     */
    public CompletionStage<Void> submit(C changes, long bytes, boolean grows, long deadlineMillis) {
        Pending<C> commit = new Pending<>(changes, bytes, grows, deadlineMillis);
        synchronized (this) {
            if (closed) {
                return refused("the store is closed");
            }
            if (death != null) {
                return refused(dead());
            }
            long queued = queuedBytes.get();
            if (queued > 0 && queued + bytes > MAX_QUEUED_BYTES) {
                return refused("commits of " + queued + " bytes wait for the disk already; try again later");
            }
            if (queue.remainingCapacity() <= 1 || !queue.offer(commit)) {
                return refused(MAX_QUEUED_COMMITS + " commits wait for the disk already; try again later");
            }
            queuedBytes.addAndGet(bytes);
        }
        return commit.result;
    }

    /**
     * Hints that a commit is likely soon. A sleeping thread wakes up at once and polls for it, because waking a
     * sleeping core can take as long as an invalidation round. Does nothing under a steady flow of commits.
     */
    public void expect() {
        if (asleep) {
            synchronized (this) {
                if (asleep && !closed && queue.isEmpty()) {
                    queue.add(expected);
                }
            }
        }
    }

    private static CompletionStage<Void> refused(String why) {
        return CompletableFuture.failedFuture(FsException.unavailable(why));
    }

    private String dead() {
        return "the store's commit thread has died (" + death + "); start the store again";
    }

    /** Returns why commits do not reach the disk; empty if they do. */
    public Optional<String> trouble() {
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
        List<Pending<C>> group = new ArrayList<>();
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

    /** Fails all waiting commits. The outcome of the current group is unknown; later commits had no effect. */
    private void died(List<Pending<C>> group, Throwable e) {
        List<Pending<C>> rest = new ArrayList<>();
        synchronized (this) {
            death = e;
            queue.drainTo(rest);
        }
        LOG.error("The commit thread dies; the store takes no commits any more", e);
        rest.removeIf(commit -> commit == end || commit == expected);
        fail(
                group,
                new FsException(
                        ErrorCode.CONNECTION_LOST,
                        "the store's commit thread died (" + e + ") with the commit: it may have been made",
                        e));
        fail(rest, FsException.unavailable(dead(), e));
    }

    /** Collects ready commits, waiting for the first; returns false after the last one. */
    private boolean gather(List<Pending<C>> group) throws InterruptedException {
        long bytes = 0;
        Pending<C> first = first();
        if (queue.size() < WELL_SHARED) {
            letOthersRun();
        }
        for (Pending<C> next = first; next != null; next = queue.poll()) {
            if (next == end) {
                return false;
            }
            if (next == expected) {
                continue;
            }
            group.add(next);
            queuedBytes.addAndGet(-next.bytes);
            bytes += next.bytes;
            if (bytes >= MAX_GROUP_BYTES) {
                break;
            }
        }
        return true;
    }

    private Pending<C> first() throws InterruptedException {
        Pending<C> first = queue.poll();
        while (first == null || first == expected) {
            first = first == null ? sleep() : lookOut();
        }
        return first;
    }

    private Pending<C> sleep() throws InterruptedException {
        asleep = true;
        try {
            return queue.take();
        } finally {
            asleep = false;
        }
    }

    /** Yields until a commit arrives; returns null if none does for a while. */
    private @Nullable Pending<C> lookOut() {
        long begun = scheduler.nanoTime();
        Pending<C> first = null;
        while (first == null && scheduler.nanoTime() - begun < LOOKOUT_NANOS) {
            letOthersRun();
            first = queue.poll();
        }
        return first;
    }

    /**
     * Yields before writing. On a busy machine, runnable threads may be about to commit too and can share the fsync.
     * With an idle processor this returns at once, so no commit waits for others that may never come.
     */
    @SuppressWarnings("ThreadPriorityCheck") // Only a hint: correctness does not depend on it.
    private static void letOthersRun() {
        Thread.yield();
    }

    private void commit(List<Pending<C>> all) {
        List<Pending<C>> group = admit(all);
        if (group.isEmpty()) {
            return;
        }
        long before = scheduler.nanoTime();
        groupSince = before;
        long bytes;
        BitSet refused = new BitSet();
        try {
            bytes = writer.write(group.stream().map(each -> each.changes).toList(), refused);
        } catch (FsException e) {
            fail(group, e);
            return;
        }
        groupSince = NO_GROUP;
        // From here on these commits are durable, whatever happens to this thread.
        all.clear();
        try {
            observer.group(group.size(), bytes, scheduler.nanoTime() - before);
        } finally {
            Handover.to(scheduler, () -> complete(group, refused));
        }
    }

    private void complete(List<Pending<C>> group, BitSet refused) {
        for (int i = 0; i < group.size(); i++) {
            if (refused.get(i)) {
                group.get(i).result.completeExceptionally(Deltas.overQuota());
            } else {
                group.get(i).result.complete(null);
            }
        }
    }

    /** Rejects commits past their deadline or without space. */
    private List<Pending<C>> admit(List<Pending<C>> all) {
        long now = scheduler.currentTimeMillis();
        FsException full = writer.full();
        List<Pending<C>> group = new ArrayList<>(all.size());
        List<Pending<C>> late = new ArrayList<>(0);
        List<Pending<C>> big = new ArrayList<>(0);
        for (Pending<C> commit : all) {
            if (now > commit.deadlineMillis) {
                late.add(commit);
            } else if (full != null && commit.grows) {
                big.add(commit);
            } else {
                group.add(commit);
            }
        }
        fail(
                late,
                new FsException(
                        ErrorCode.DEADLINE_EXCEEDED, "the deadline of the commit has passed; nothing was changed"));
        if (full != null) {
            fail(big, full);
        }
        return group;
    }

    private void fail(List<Pending<C>> commits, FsException why) {
        if (!commits.isEmpty()) {
            List<Pending<C>> failed = List.copyOf(commits);
            Handover.to(scheduler, () -> failed.forEach(commit -> commit.result.completeExceptionally(why)));
            observer.failed(failed.size());
        }
    }

    /** Ends the thread after all submitted commits. */
    @Override
    public void close() {
        synchronized (this) {
            if (!closed) {
                closed = true;
                queue.add(end);
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
