package io.lambdafs.functions.coherence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.coordinator.InstanceSession;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.functions.cache.CacheLimits;
import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.functions.inflight.InFlight;
import io.lambdafs.functions.metrics.Telemetry;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.rpc.SystemScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whom a round goes to, as the session's epochs come and go. */
class CoherenceTest {
    private static final FsPath FILE = FsPath.of("/d/f");
    private static final List<FsPath> NONE = List.of();

    private final SystemScheduler scheduler = new SystemScheduler("test", 1, 100);
    private final Session session = new Session();
    private Coherence coherence;

    /** A session under the epoch 5, beside a member 4 and, later, under the epoch 7 which knows nobody yet. */
    private static final class Session implements InstanceSession {
        final List<Long> asked = new ArrayList<>();
        long epoch = 5;
        View view = new View(1, Map.of(4L, member(4), 5L, member(5)), Set.of());

        private static Member member(long epoch) {
            return new Member(epoch, 0, "instance-" + epoch, "127.0.0.1", 1, true);
        }

        void joinsAgain() {
            epoch = 7;
            view = new View(2, Map.of(7L, member(7)), Set.of());
        }

        @Override
        public CompletionStage<Long> join() {
            return CompletableFuture.completedFuture(epoch);
        }

        @Override
        public long epoch() {
            return epoch;
        }

        @Override
        public boolean isLive(long asked) {
            return asked == epoch;
        }

        @Override
        public Optional<String> outage(Duration longerThan) {
            return Optional.empty();
        }

        @Override
        public long leadingEpoch() {
            return 0;
        }

        @Override
        public Placement placement() {
            return new Placement(1);
        }

        @Override
        public void heardOf(int generation) {}

        @Override
        public View view() {
            return view;
        }

        @Override
        public CompletionStage<Void> invalidate(Collection<Member> targets, Invalidation invalidation) {
            targets.forEach(target -> asked.add(target.epoch()));
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<Void> fence(Member member) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void fencedByStore(long fenced) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Void> leave() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    @BeforeEach
    void attach() {
        coherence =
                new Coherence(new PathTrie(new CacheLimits(1 << 20, 64)), new InFlight(10), scheduler, Telemetry.NONE);
        coherence.attach(session);
    }

    @AfterEach
    void close() {
        scheduler.close();
    }

    @Test
    void shouldAskTheOthersOfItsEpoch() {
        coherence.round(5, new Scope(List.of(FILE), NONE)).toCompletableFuture().join();
        coherence.prefixRound(5, List.of(FILE)).toCompletableFuture().join();
        assertThat(session.asked).containsExactly(4L, 4L);
    }

    @Test
    void shouldTellAMemberThatCachesNothingOfSubtreesOnly() {
        session.view = new View(
                2, Map.of(4L, new Member(4, 0, "instance-4", "127.0.0.1", 1, false), 5L, Session.member(5)), Set.of());
        coherence.round(5, new Scope(List.of(FILE), List.of(FILE.parent())));
        InFlight.Handle unshared = coherence.beginUnshared(5, new Scope(List.of(FILE), List.of(FILE.parent())));
        assertThat(unshared).isNotNull();
        unshared.end();
        assertThat(session.asked).isEmpty();
        coherence.prefixRound(5, List.of(FILE));
        assertThat(session.asked).as("it may have operations under way").containsExactly(4L);
    }

    @Test
    void shouldNotSendARoundByTheViewOfALaterEpoch() {
        session.joinsAgain();
        assertThatThrownBy(() -> coherence.round(5, new Scope(List.of(FILE), NONE)))
                .satisfies(CoherenceTest::isFenced);
        assertThatThrownBy(() -> coherence.prefixRound(5, List.of(FILE))).satisfies(CoherenceTest::isFenced);
        assertThat(session.asked).isEmpty();
    }

    private static void isFenced(Throwable failure) {
        assertThat(FsException.of(failure).code()).isEqualTo(ErrorCode.FENCED);
    }

    @Test
    void shouldTellWhoeverMayHoldWhatChanges() {
        assertThat(coherence.beginUnshared(5, new Scope(List.of(FILE), List.of(FILE.parent()))))
                .isNull();
        assertThat(coherence.greeted().toCompletableFuture()).isCompleted();
    }

    @Test
    void shouldKeepNewcomerWaitingForWhatWasBegunWithoutIt() {
        session.view = new View(2, Map.of(5L, Session.member(5)), Set.of());
        InFlight.Handle change = coherence.beginUnshared(5, new Scope(List.of(FILE), List.of(FILE.parent())));
        assertThat(change).isNotNull();
        CompletableFuture<Void> greeted = coherence.greeted().toCompletableFuture();
        assertThat(greeted).isNotDone();
        change.end();
        assertThat(greeted).isCompleted();
        assertThat(coherence.greeted().toCompletableFuture()).isCompleted();
    }

    @Test
    void shouldBeginNothingAloneAfterItsEpoch() {
        session.joinsAgain();
        assertThatThrownBy(() -> coherence.beginUnshared(5, new Scope(List.of(FILE), NONE)))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FENCED));
        assertThat(coherence.greeted().toCompletableFuture()).isCompleted();
    }
}
