package io.lambdafs.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.ManualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.junit.jupiter.api.Test;

class MembershipWatchTest {
    private static final Member ONE = new Member(1, 0, "one", "h", 1, true);
    private static final Member TWO = new Member(2, 0, "two", "h", 2, true);
    private static final Duration RETRY = Duration.ofMillis(250);

    private final ManualScheduler clock = new ManualScheduler();
    private final List<CompletableFuture<View>> readings = new ArrayList<>();
    private final List<View> told = new ArrayList<>();
    private final MembershipWatch watch = new MembershipWatch(watcher -> read(), clock);

    private CompletableFuture<View> read() {
        CompletableFuture<View> reading = new CompletableFuture<>();
        readings.add(reading);
        return reading;
    }

    private void answer(View view) {
        readings.get(readings.size() - 1).complete(view);
    }

    private static View view(long version, Map<Long, Member> members, Long... absent) {
        return new View(version, members, Set.of(absent));
    }

    @Test
    void shouldReadOnceAtATimeAndAgainForWhatCameMeanwhile() {
        assertThat(watch.isFollowed()).isFalse();
        watch.follow(told::add);
        assertThat(watch.isFollowed()).isTrue();
        watch.refresh();
        watch.refresh();
        assertThat(readings).hasSize(1);
        answer(view(1, Map.of(1L, ONE)));
        assertThat(readings).hasSize(2);
        answer(view(2, Map.of(1L, ONE)));
        assertThat(readings).hasSize(2);
        watch.refresh();
        assertThat(readings).hasSize(3);
    }

    @Test
    void shouldReadAgainWhenANodeChangesAndNotWhenTheConnectionDoes() {
        watch.follow(told::add);
        answer(view(1, Map.of()));
        watch.process(new WatchedEvent(Watcher.Event.EventType.None, Watcher.Event.KeeperState.Disconnected, null));
        assertThat(readings).hasSize(1);
        watch.process(new WatchedEvent(
                Watcher.Event.EventType.NodeChildrenChanged, Watcher.Event.KeeperState.SyncConnected, "/m"));
        assertThat(readings).hasSize(2);
    }

    @Test
    void shouldTellOfChangesOnly() {
        watch.follow(told::add);
        View first = view(1, Map.of(1L, ONE));
        answer(first);
        watch.refresh();
        answer(view(2, Map.of(1L, ONE)));
        assertThat(told).containsExactly(first);
        clock.advance(RETRY);
        assertThat(readings).as("an unchanged view is no failure").hasSize(2);
        watch.refresh();
        View second = view(3, Map.of(1L, ONE, 2L, TWO));
        answer(second);
        watch.refresh();
        View third = view(4, Map.of(1L, ONE, 2L, TWO), 1L);
        answer(third);
        assertThat(told).containsExactly(first, second, third);
    }

    @Test
    void shouldReadAgainAWhileAfterAFailure() {
        watch.follow(told::add);
        readings.get(0).completeExceptionally(FsException.unavailable("away"));
        clock.advance(RETRY.minusNanos(1));
        assertThat(readings).hasSize(1);
        clock.advance(1);
        assertThat(readings).hasSize(2);
        assertThat(told).isEmpty();
    }

    @Test
    void shouldReadNothingOnceItIsClosed() {
        watch.follow(told::add);
        readings.get(0).completeExceptionally(FsException.unavailable("away"));
        watch.close();
        clock.advance(RETRY);
        watch.refresh();
        assertThat(readings).hasSize(1);
    }

    @Test
    void shouldGoOnAfterAListenerThatThrowsAndTellItAgain() {
        List<View> tries = new ArrayList<>();
        watch.follow(seen -> {
            tries.add(seen);
            if (tries.size() == 1) {
                throw new IllegalStateException("thrown on purpose");
            }
        });
        answer(view(1, Map.of(1L, ONE)));
        watch.follow(told::add);
        answer(view(1, Map.of(1L, ONE)));
        assertThat(told).hasSize(1);
        assertThat(tries).hasSize(2);
    }
}
