package io.lambdafs.coordinator.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.Mailboxes;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.coordinator.memory.MemoryNetwork;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.model.time.Times;
import io.lambdafs.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A lease and its renewals, to the nanosecond. */
class LeaseTest {
    private static final long HELD = Times.DEFAULT.held().toNanos();
    private static final long INTERVAL = HELD / 3;

    private final ManualScheduler clock = new ManualScheduler();
    private final long begin = clock.nanoTime();
    private final Lease lease = new Lease(clock, HELD);
    private final List<CompletableFuture<Void>> renewals = new ArrayList<>();
    private final List<String> lost = new ArrayList<>();
    private final MemoryStore store = new MemoryStore(clock);
    /** Timers that are none of the renewals'. */
    private final int others = clock.timers();

    /** Notes renewals, which the test answers. */
    private final class Renewing implements Coordinator {
        @Override
        public CompletionStage<Void> renew(long epoch) {
            assertThat(epoch).isEqualTo(7);
            renewals.add(new CompletableFuture<>());
            return renewals.get(renewals.size() - 1);
        }

        @Override
        public void watch(Consumer<View> listener) {}

        @Override
        public CompletionStage<View> register(Member self) {
            return CompletableFuture.completedFuture(View.EMPTY);
        }

        @Override
        public CompletionStage<View> members() {
            return CompletableFuture.completedFuture(View.EMPTY);
        }

        @Override
        public CompletionStage<Void> refuseRenewals(long epoch) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<Void> forget(long epoch) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public Mailboxes mailboxes() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    private Renewals renewals() {
        return new Renewals(
                new Epochs.Taken(7, new Placement(1), false),
                lease,
                new SessionContext(
                        new Renewing(), new MemoryNetwork(clock).channel(clock), store, clock, Times.DEFAULT),
                lost::add);
    }

    private Renewals started() {
        lease.begin(7);
        lease.confirm(7, clock.nanoTime());
        Renewals made = renewals();
        made.start();
        made.live();
        return made;
    }

    private void granted(int number) {
        renewals.get(number).complete(null);
    }

    @Test
    void shouldBeLiveFromItsConfirmationToItsEnd() {
        lease.begin(7);
        assertThat(lease.current()).isEqualTo(7);
        assertThat(lease.joined()).isZero();
        assertThat(lease.isLive(7)).isFalse();
        assertThat(lease.remaining(7)).as("none while it joins").isZero();
        assertThat(lease.extend(7, begin)).isTrue();
        assertThat(lease.isLive(7)).isFalse();
        assertThat(lease.confirm(6, begin)).isFalse();
        assertThat(lease.confirm(7, begin - HELD))
                .as("a renewal as old as a lease")
                .isFalse();
        assertThat(lease.confirm(7, begin)).isTrue();
        assertThat(lease.remaining(7)).isEqualTo(HELD);
        assertThat(lease.remaining(6)).isZero();
        assertThat(lease.joined()).isEqualTo(7);
        clock.advance(HELD - 1);
        assertThat(lease.isLive(7)).isTrue();
        assertThat(lease.isLive(6)).isFalse();
        clock.advance(1);
        assertThat(lease.isLive(7)).isFalse();
        assertThat(lease.extend(7, clock.nanoTime())).isFalse();
        assertThat(lease.confirm(7, begin)).isFalse();
    }

    @Test
    void shouldEndOnceAndOnlyItself() {
        lease.begin(7);
        lease.confirm(7, clock.nanoTime());
        assertThat(lease.end(0)).isFalse();
        assertThat(lease.end(6)).isFalse();
        assertThat(lease.isLive(7)).isTrue();
        assertThat(lease.end(7)).isTrue();
        assertThat(lease.end(7)).isFalse();
        assertThat(lease.isLive(7)).isFalse();
        assertThat(lease.current()).isZero();
        assertThat(lease.extend(7, clock.nanoTime())).isFalse();
    }

    @Test
    void shouldExtendToALeaseFromTheSendingAndNeverShorten() {
        lease.begin(7);
        lease.confirm(7, begin);
        clock.advance(HELD / 2);
        assertThat(lease.extend(6, clock.nanoTime())).isFalse();
        assertThat(lease.extend(7, clock.nanoTime() - 10)).isTrue();
        assertThat(lease.remaining(7)).isEqualTo(HELD - 10);
        assertThat(lease.extend(7, clock.nanoTime() - 20)).isTrue();
        assertThat(lease.remaining(7)).isEqualTo(HELD - 10);
    }

    @Test
    void shouldTellForHowLongNothingHasBeenLive() {
        clock.advance(5);
        assertThat(lease.outageNanos()).isEqualTo(5);
        lease.begin(7);
        clock.advance(1);
        assertThat(lease.outageNanos()).as("not joined").isEqualTo(6);
        lease.confirm(7, clock.nanoTime());
        assertThat(lease.outageNanos()).isNotPositive();
        clock.advance(HELD + 3);
        assertThat(lease.outageNanos()).as("lapsed").isEqualTo(3);
        lease.end(7);
        clock.advance(2);
        assertThat(lease.outageNanos()).isEqualTo(5);

        lease.begin(8);
        lease.confirm(8, clock.nanoTime());
        clock.advance(4);
        lease.end(8);
        clock.advance(9);
        assertThat(lease.outageNanos()).as("ended while it was live").isEqualTo(9);
        lease.begin(9);
        lease.end(9);
        assertThat(lease.outageNanos()).as("never joined").isEqualTo(9);
    }

    @Test
    void shouldRenewEveryThirdOfTheLease() {
        started();
        clock.advance(INTERVAL - 1);
        assertThat(renewals).isEmpty();
        clock.advance(1);
        assertThat(renewals).hasSize(1);
        granted(0);
        assertThat(lease.remaining(7)).isEqualTo(HELD);
        for (int i = 1; i < 30; i++) {
            clock.advance(INTERVAL);
            granted(i);
        }
        assertThat(lost).isEmpty();
    }

    /** While it joins, renewals keep it from looking absent and give no lease. */
    @Test
    void shouldGiveTheFirstLeaseFromTheSendingOfARenewalAskedFor() {
        lease.begin(7);
        Renewals made = renewals();
        made.start();
        clock.advance(INTERVAL);
        granted(0);
        assertThat(lease.remaining(7)).isZero();
        clock.advance(HELD);
        assertThat(lost).as("without a lease none runs out").isEmpty();
        int before = renewals.size();
        CompletableFuture<Long> first = made.first().toCompletableFuture();
        long sentAt = clock.nanoTime();
        assertThat(renewals).hasSize(before + 1);
        clock.advance(3);
        granted(before);
        assertThat(first).isCompletedWithValue(sentAt);
    }

    @Test
    void shouldHaveFewRenewalsUnderWay() {
        started();
        clock.advance(INTERVAL);
        granted(0);
        clock.advance(2 * INTERVAL);
        // Both are on their way, and one of them keeps the lease.
        granted(2);
        clock.advance(2 * INTERVAL);
        granted(4);
        clock.advance(2 * INTERVAL);
        granted(6);
        assertThat(renewals).hasSize(7);
        clock.advance(INTERVAL);
        assertThat(renewals).as("the fourth under way").hasSize(8);
        clock.advance(INTERVAL);
        assertThat(renewals).hasSize(8);
        renewals.get(1).completeExceptionally(FsException.unavailable("away"));
        assertThat(lost).isEmpty();
    }

    @Test
    void shouldBeLostWhenItRunsOutAndSayItOnce() {
        started();
        clock.advance(HELD - 1);
        assertThat(lost).isEmpty();
        clock.advance(1);
        assertThat(lost).singleElement().asString().contains("ran out");
        int before = renewals.size();
        clock.advance(HELD);
        assertThat(renewals).hasSize(before);
        assertThat(clock.timers()).isEqualTo(others);
        renewals.get(0).completeExceptionally(new FsException(ErrorCode.FENCED, "refused"));
        assertThat(lost).hasSize(1);
    }

    @Test
    void shouldBeLostWithARefusedRenewalAndNoOtherFailure() {
        started();
        clock.advance(INTERVAL);
        renewals.get(0).completeExceptionally(FsException.unavailable("away"));
        assertThat(lost).isEmpty();
        clock.advance(INTERVAL);
        renewals.get(1).completeExceptionally(new FsException(ErrorCode.FENCED, "refused"));
        assertThat(lost).singleElement().asString().contains("refused");
        assertThat(clock.timers()).isEqualTo(others);
    }

    @Test
    void shouldBeLostWhereARenewalWasGrantedTooLate() {
        started();
        clock.advance(INTERVAL);
        lease.end(7);
        granted(0);
        assertThat(lost).singleElement().asString().contains("only after");
    }

    @Test
    void shouldDoNothingMoreOnceItIsStopped() {
        Renewals made = started();
        clock.advance(INTERVAL);
        made.stop();
        assertThat(clock.timers()).isEqualTo(others);
        renewals.get(0).completeExceptionally(new FsException(ErrorCode.FENCED, "refused"));
        made.start();
        clock.advance(HELD);
        assertThat(lost).isEmpty();
        assertThat(renewals).hasSize(1);
    }
}
