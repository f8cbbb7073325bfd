package io.lambdafs.coordinator.testkit;

import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.SessionListener;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongConsumer;

/** An instance that only notes what its session tells it, and drains when it is told to. Thread-safe. */
public final class RecordingListener implements SessionListener {
    private final List<String> story = new CopyOnWriteArrayList<>();
    private final List<Invalidation> invalidations = new CopyOnWriteArrayList<>();
    private volatile CompletableFuture<Void> drained = CompletableFuture.completedFuture(null);
    private volatile boolean caches = true;
    private volatile LongConsumer onJoined = epoch -> {};

    /** Before the first join: an instance that caches nothing. */
    public void cacheNothing() {
        caches = false;
    }

    @Override
    public boolean caches() {
        return caches;
    }

    /** Sets an action to run when an epoch becomes live. */
    public void onJoined(LongConsumer action) {
        onJoined = action;
    }

    /** From now on INVs drain, and greetings are acknowledged, only when the returned future is completed. */
    public CompletableFuture<Void> drainLater() {
        drained = new CompletableFuture<>();
        return drained;
    }

    /** {@code joined 1}, {@code ended 1}, … in order. */
    public List<String> story() {
        return List.copyOf(story);
    }

    public List<Invalidation> invalidations() {
        return List.copyOf(invalidations);
    }

    @Override
    public void joined(long epoch) {
        story.add("joined " + epoch);
        onJoined.accept(epoch);
    }

    @Override
    public void ended(long epoch) {
        story.add("ended " + epoch);
    }

    @Override
    public CompletionStage<Void> greeted() {
        return drained.copy();
    }

    @Override
    public CompletionStage<Void> invalidate(Invalidation invalidation) {
        invalidations.add(invalidation);
        return drained.copy();
    }
}
