package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.coordinator.GuardedListener;
import io.lambdafs.model.time.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorWatcher;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * Watches one mailbox: one listing at a time, each leaving a watch, and another whenever the watch fires or the
 * connection is restored. Every listing shows the whole mailbox, so no letter is missed. Thread-safe.
 */
final class BoxWatch implements CuratorWatcher {
    private static final Duration RETRY = Duration.ofMillis(50);

    private final CuratorFramework client;
    private final String box;
    private final Scheduler scheduler;
    private final BiConsumer<String, byte[]> found;
    private final GuardedListener<Runnable> reads = new GuardedListener<>(Runnable::run);
    /** Letters read and still present; at most as many as in the last listing. */
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    private boolean running;
    private boolean again;
    private volatile boolean closed;

    BoxWatch(CuratorFramework client, String box, Scheduler scheduler, BiConsumer<String, byte[]> found) {
        this.client = client;
        this.box = box;
        this.scheduler = scheduler;
        this.found = found;
    }

    @Override
    public void process(WatchedEvent event) {
        if (event.getType() == Watcher.Event.EventType.NodeChildrenChanged) {
            refresh();
        }
    }

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
        Answers.of(
                        callback -> client.getChildren()
                                .usingWatcher(this)
                                .inBackground(callback)
                                .forPath(box),
                        Code.NONODE)
                .whenComplete((event, failure) -> {
                    if (failure == null && event.getResultCode() == Code.OK.intValue()) {
                        listed(event.getChildren());
                    }
                    boolean repeat;
                    synchronized (this) {
                        running = false;
                        repeat = again;
                    }
                    if (repeat) {
                        refresh();
                    } else if (failure != null) {
                        refreshLater();
                    }
                });
    }

    private void listed(List<String> names) {
        known.retainAll(Set.copyOf(names));
        for (String name : names) {
            if (known.add(name)) {
                read(name);
            }
        }
    }

    private void read(String name) {
        Answers.of(callback -> client.getData().inBackground(callback).forPath(box + "/" + name), Code.NONODE)
                .whenComplete((event, failure) -> {
                    if (failure != null) {
                        known.remove(name);
                        refreshLater();
                    } else if (!closed
                            && event.getResultCode() == Code.OK.intValue()
                            && !LetterData.isAnswer(event.getData())) {
                        found(name, LetterData.content(event.getData()));
                    }
                });
    }

    private void found(String name, byte[] content) {
        if (!reads.tell(() -> found.accept(name, content))) {
            known.remove(name);
            refreshLater();
        }
    }

    private void refreshLater() {
        Scheduler.Essential later = this::refresh;
        scheduler.schedule(RETRY.toNanos(), later);
    }

    void close() {
        closed = true;
    }
}
