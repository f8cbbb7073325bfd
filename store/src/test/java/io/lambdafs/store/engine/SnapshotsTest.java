package io.lambdafs.store.engine;

import static io.lambdafs.store.StoreContract.assertCode;
import static io.lambdafs.store.StoreContract.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Schema;
import io.lambdafs.store.SnapshotScan;
import io.lambdafs.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;

/** How long a store keeps a snapshot. */
class SnapshotsTest {
    private final ManualScheduler scheduler = new ManualScheduler(1);
    private final MemoryStore store = new MemoryStore(scheduler);

    private static SnapshotScan page(String snapshot) {
        return new SnapshotScan(snapshot, Schema.SEQUENCES, null);
    }

    @Test
    void shouldGiveUpASnapshotThatNobodyReads() {
        String read = await(store.openSnapshot());
        String left = await(store.openSnapshot());
        long half = RowSnapshot.IDLE_LIMIT.toNanos() / 2;

        scheduler.advance(half);
        await(store.scanSnapshot(page(read)));
        scheduler.advance(half + half / 2);

        assertThat(await(store.scanSnapshot(page(read)))).isEmpty();
        assertCode(store.scanSnapshot(page(left)), ErrorCode.NOT_FOUND);
        scheduler.advance(3 * half);
        assertCode(store.scanSnapshot(page(read)), ErrorCode.NOT_FOUND);
        assertThat(scheduler.timers()).as("left when none is open").isZero();
        for (int i = 0; i < 3; i++) {
            await(store.closeSnapshot(await(store.openSnapshot())));
        }
        assertThat(scheduler.timers()).isLessThanOrEqualTo(1);
    }

    @Test
    void shouldHaveNoSnapshotsOnceItIsClosed() {
        String open = await(store.openSnapshot());
        store.close();
        assertCode(store.scanSnapshot(page(open)), ErrorCode.NOT_FOUND);
        assertCode(store.openSnapshot(), ErrorCode.UNAVAILABLE);
    }
}
