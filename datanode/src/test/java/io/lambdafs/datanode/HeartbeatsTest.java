package io.lambdafs.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.datanode.block.ForwardingBlockStore;
import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.block.Datanode;
import io.lambdafs.store.block.LiveDatanodes;
import io.lambdafs.store.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeartbeatsTest {
    private static final DatanodeAddress ADDRESS = new DatanodeAddress("dn-1", "a-host", 9_000);

    private final ManualScheduler scheduler = new ManualScheduler();
    private final MemoryStore metadata = new MemoryStore(scheduler);
    private final Disk disk = new Disk();
    private final Heartbeats heartbeats = new Heartbeats(metadata, scheduler, ADDRESS, disk, "s");

    /** A store with as much room as a test says, or with a fault. */
    private static final class Disk extends ForwardingBlockStore {
        private long free = 70;
        private boolean isGone;

        Disk() {
            super(new MemoryBlockStore());
        }

        @Override
        public Space space() {
            if (isGone) {
                throw FsException.unavailable("the disk is gone");
            }
            return new Space(100, free);
        }
    }

    @AfterEach
    void close() {
        metadata.close();
    }

    private Datanode written() {
        return Datanode.of(metadata.rows().stream()
                .filter(row -> row.key().equals(Datanode.key("dn-1")))
                .findFirst()
                .orElseThrow());
    }

    private void write(Row row) {
        metadata.begin(0)
                .commit(List.of(new Mutation.Put(row)), Long.MAX_VALUE)
                .toCompletableFuture()
                .join();
    }

    private Datanode now(Datanode.State state) {
        return new Datanode(ADDRESS, "s", state, 100, disk.free, scheduler.currentTimeMillis());
    }

    private void beat() {
        scheduler.advance(LiveDatanodes.HEARTBEAT_NANOS);
    }

    @Test
    void shouldTellEverySecondThatItLivesAndWhatRoomItHas() {
        assertThat(heartbeats.start().toCompletableFuture()).isCompleted();
        assertThat(written()).isEqualTo(now(Datanode.State.SERVING));

        for (int i = 1; i <= 3; i++) {
            disk.free = 70L - i;
            beat();
            assertThat(written()).isEqualTo(now(Datanode.State.SERVING));
        }
        assertThat(heartbeats.failure()).isNull();
    }

    @Test
    void shouldGoOnDrainingAndServeAgainAfterAnEnd() {
        write(now(Datanode.State.STOPPED).row());
        heartbeats.start();
        assertThat(written().state()).isEqualTo(Datanode.State.SERVING);

        write(now(Datanode.State.DRAINING).row());
        beat();
        assertThat(written()).isEqualTo(now(Datanode.State.DRAINING));
    }

    @Test
    void shouldSayWhyNoneIsWrittenUntilOneIs() {
        heartbeats.start();
        disk.isGone = true;
        beat();
        assertThat(heartbeats.failure()).isEqualTo("the disk is gone");

        disk.isGone = false;
        beat();
        assertThat(heartbeats.failure()).isNull();
        assertThat(written()).isEqualTo(now(Datanode.State.SERVING));
    }

    @Test
    void shouldNotBeginWithoutABlockStore() {
        disk.isGone = true;

        CompletableFuture<Void> start = heartbeats.start().toCompletableFuture();

        assertThat(start).isCompletedExceptionally();
        assertThat(scheduler.timers()).isZero();
    }

    /** One that failed holds no lock that the next one needs. */
    @Test
    void shouldGoOnOnceADamagedRowIsMended() {
        heartbeats.start();
        Row row = written().row();
        write(new Row(row.key(), row.string(0), row.int64(1), row.string(2), 9L, 1L, 1L, 1L));
        beat();
        assertThat(heartbeats.failure()).contains("dn-1", "state 9");

        write(row);
        beat();
        assertThat(heartbeats.failure()).isNull();
        assertThat(written()).isEqualTo(now(Datanode.State.SERVING));
    }

    @Test
    void shouldTellThatItStoppedAndThenNothing() {
        heartbeats.start();
        assertThat(heartbeats.stop().toCompletableFuture()).isCompleted();
        Datanode last = now(Datanode.State.STOPPED);

        beat();

        assertThat(written()).isEqualTo(last);
    }
}
