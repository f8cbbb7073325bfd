package io.lambdafs.client.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.client.call.SlotTable.Slot;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.testkit.ManualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SlotTableTest {
    private static final long WAIT = Duration.ofSeconds(1).toNanos();

    private final ManualScheduler scheduler = new ManualScheduler();
    private final SlotTable table = new SlotTable(scheduler, ManualScheduler.seeded(7), 3);

    private Slot take() {
        return acquire().getNow(null);
    }

    private CompletableFuture<Slot> acquire() {
        return table.acquire(WAIT).toCompletableFuture();
    }

    private List<Slot> takeAll() {
        List<Slot> all = new ArrayList<>();
        for (int i = 0; i < SlotTable.LAST_SLOT; i++) {
            all.add(take());
        }
        return all;
    }

    @Test
    void shouldTakeLowestFreeSlotAndRaiseItsSequence() {
        Slot first = take();
        Slot second = take();
        table.release(first);
        Slot again = take();

        assertThat(first.id().slot()).isEqualTo(1);
        assertThat(second.id().slot()).isEqualTo(2);
        assertThat(again.id().slot()).isEqualTo(1);
        assertThat(first.id().sequence()).isEqualTo(1);
        assertThat(second.id().sequence()).isEqualTo(1);
        assertThat(again.id().sequence()).isEqualTo(2);
        assertThat(again.id().client()).isEqualTo(first.id().client()).hasSize(32);
    }

    @Test
    void shouldNeverUseRetiredSlotAgain() {
        Slot unknown = take();
        table.retire(unknown);

        List<Integer> later = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Slot slot = take();
            later.add(slot.id().slot());
            table.release(slot);
        }

        assertThat(later).containsOnly(2);
    }

    @Test
    void shouldBeginNewSessionWhenTooManySlotsAreRetired() {
        String before = table.trace(0).client();
        Slot running = take();
        for (int i = 0; i < SlotTable.MAX_RETIRED; i++) {
            table.retire(take());
        }

        Slot fresh = take();
        table.release(running);

        assertThat(fresh.id().client()).isNotEqualTo(before);
        assertThat(fresh.id().slot()).isEqualTo(1);
        assertThat(fresh.id().sequence()).isEqualTo(1);
        assertThat(take().id().slot()).isEqualTo(2);
    }

    @Test
    void shouldHandFreedSlotsToWaitersInOrder() {
        List<Slot> all = takeAll();
        CompletableFuture<Slot> first = acquire();
        CompletableFuture<Slot> second = acquire();

        table.release(all.get(9));

        assertThat(first).isCompleted();
        assertThat(first.join().id())
                .isEqualTo(new RequestId(
                        all.get(9).id().clientHigh(), all.get(9).id().clientLow(), 10, 2));
        assertThat(second).isNotDone();
        assertThat(scheduler.timers()).isEqualTo(1);
    }

    @Test
    void shouldRefuseWritesThatWouldWaitBeyondTheBoundOrTheTime() {
        takeAll();
        CompletableFuture<Slot> waiting = acquire();
        acquire();
        acquire();

        CompletableFuture<Slot> refused = acquire();
        scheduler.advance(Duration.ofSeconds(1));

        assertThat(refused).isCompletedExceptionally();
        assertThat(waiting).isCompletedExceptionally();
        assertThat(FsException.of(refused.handle((slot, thrown) -> thrown).join())
                        .code())
                .isEqualTo(ErrorCode.OVERLOADED);
    }

    @Test
    void shouldGiveEverySlotToOneWriteAtATime() {
        Set<Integer> numbers = new HashSet<>();
        takeAll().forEach(slot -> numbers.add(slot.id().slot()));

        assertThat(numbers).hasSize(SlotTable.LAST_SLOT).doesNotContain(0);
    }
}
