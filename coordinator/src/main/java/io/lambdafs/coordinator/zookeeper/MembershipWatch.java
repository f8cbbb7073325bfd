package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.coordinator.GuardedListener;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Stages;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the membership: one read at a time, each leaving one-shot watches, and another whenever a watch fires or the
 * connection is restored. Every read shows the whole state, so no change is missed even if a watch is lost.
 * Thread-safe.
 */
final class MembershipWatch implements Watcher {
    private static final Logger log = LoggerFactory.getLogger(MembershipWatch.class);
    private static final Duration RETRY = Duration.ofMillis(250);

    private final Function<Watcher, CompletionStage<View>> reading;
    private final Scheduler scheduler;
    private final List<Follower> followers = new CopyOnWriteArrayList<>();
    private boolean running;
    private boolean again;
    private boolean closed;

    MembershipWatch(Function<Watcher, CompletionStage<View>> reading, Scheduler scheduler) {
        this.reading = reading;
        this.scheduler = scheduler;
    }

    void follow(Consumer<View> listener) {
        followers.add(new Follower(listener));
        refresh();
    }

    /** Returns whether there is a follower. */
    boolean isFollowed() {
        return !followers.isEmpty();
    }

    @Override
    public void process(WatchedEvent event) {
        if (event.getType() != Event.EventType.None) {
            refresh();
        }
    }

    /** Reads the members; if a read is running, again after it. */
    void refresh() {
        synchronized (this) {
            if (closed) {
                return;
            }
            if (running) {
                again = true;
                return;
            }
            running = true;
            again = false;
        }
        Stages.call(() -> reading.apply(this)).whenComplete(this::read);
    }

    private void read(@Nullable View view, @Nullable Throwable failure) {
        boolean told = true;
        if (view != null) {
            for (Follower follower : followers) {
                told &= follower.tell(view);
            }
        }
        boolean repeat;
        synchronized (this) {
            running = false;
            repeat = again;
        }
        if (repeat) {
            refresh();
        } else if (failure != null || !told) {
            if (failure != null) {
                log.debug(
                        "Membership could not be read: {}",
                        FsException.of(failure).getMessage());
            }
            Scheduler.Essential later = this::refresh;
            scheduler.schedule(RETRY.toNanos(), later);
        }
    }

    synchronized void close() {
        closed = true;
    }

    /** Reports only changes to one listener. Called by one read at a time. */
    private static final class Follower {
        private final GuardedListener<View> listener;
        private @Nullable View last;

        Follower(Consumer<View> listener) {
            this.listener = new GuardedListener<>(listener);
        }

        /** Reports a view; returns whether the listener succeeded. */
        synchronized boolean tell(View view) {
            View before = last;
            // A member never changes under its epoch.
            if (before == null
                    || !before.members().keySet().equals(view.members().keySet())
                    || !before.absent().equals(view.absent())) {
                boolean told = listener.tell(view);
                last = told ? view : null;
                return told;
            }
            return true;
        }
    }
}
