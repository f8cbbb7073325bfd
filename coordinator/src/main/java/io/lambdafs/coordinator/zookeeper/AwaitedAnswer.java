package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.model.time.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorWatcher;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/** Waits for the answer in one letter's node: reads it now and whenever its watch fires. Thread-safe. */
final class AwaitedAnswer implements CuratorWatcher {
    private static final Duration RETRY = Duration.ofMillis(50);

    private final CuratorFramework client;
    private final String path;
    private final Scheduler scheduler;
    private final CompletableFuture<byte[]> answer = new CompletableFuture<>();
    private volatile boolean givenUp;

    AwaitedAnswer(CuratorFramework client, String path, Scheduler scheduler) {
        this.client = client;
        this.path = path;
        this.scheduler = scheduler;
    }

    CompletableFuture<byte[]> answer() {
        return answer;
    }

    void giveUp() {
        givenUp = true;
    }

    @Override
    public void process(WatchedEvent event) {
        if (event.getType() == Watcher.Event.EventType.NodeDataChanged) {
            look();
        }
    }

    void look() {
        if (givenUp || answer.isDone()) {
            return;
        }
        Answers.of(
                        callback -> client.getData()
                                .usingWatcher(this)
                                .inBackground(callback)
                                .forPath(path),
                        Code.NONODE)
                .whenComplete((event, failure) -> {
                    if (failure != null) {
                        scheduler.schedule(RETRY.toNanos(), this::look);
                    } else if (event.getResultCode() == Code.OK.intValue() && LetterData.isAnswer(event.getData())) {
                        answer.complete(LetterData.content(event.getData()));
                    }
                });
    }
}
