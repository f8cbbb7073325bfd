package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.engine.StoreLimits;
import io.lambdafs.store.server.StoreClient;
import io.lambdafs.store.server.StoreMessages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store server whose disk is watched from outside: after its end the disk has what the system was asked to sync, and nothing of what else was
 * written. What was acknowledged must be there, whatever the store believes to have synced. Skipped where no C compiler is.
 */
@Tag("once")
@Tag("slow")
class SyncedDiskTest {
    private static final Key BEFORE = Schema.SEQUENCES.key("before");
    private static final Key NEW = Schema.SEQUENCES.key("new");

    @TempDir
    private Path folder;

    private final SystemScheduler scheduler = new SystemScheduler("disk-test", 2, 1 << 16);
    private final NettyTransport transport =
            new NettyTransport(StoreMessages.codec(), 1, "disk-test", TransportLimits.DEFAULT);
    private Path secret;
    private Tokens tokens;
    private SyncedDisk disk;

    @BeforeEach
    void makeDisk() throws Exception {
        secret = folder.resolve("secret");
        tokens = Tokens.signed(Secret.loadOrCreate(secret));
        disk = disk(0, folder.resolve("data"));
    }

    @AfterEach
    void close() {
        transport.close();
        scheduler.close();
    }

    private SyncedDisk disk(int number, Path data) throws Exception {
        var made = SyncedDisk.of(folder.resolve("disk-" + number), data);
        assumeTrue(made.isPresent(), SyncedDisk.NEEDS);
        return made.get();
    }

    /** With small memtables, so that what is synced is a new log and a new table now and then. */
    private StoreProcess start(Path data) throws IOException {
        String keys = "\"directory\": \"" + data + "\", \"secretFile\": \"" + secret + "\", \"memtableBytes\": 262144";
        return StoreProcess.start(folder, keys, disk.environment());
    }

    private StoreClient connect(StoreProcess process) throws IOException {
        return StoreClient.connect(transport, scheduler, process.address(), tokens);
    }

    private static Mutation put(Key key, long value) {
        return new Mutation.Put(new Row(key, value));
    }

    private static CompletableFuture<Void> commit(MetadataStore store, Mutation... mutations) {
        return store.begin(0).commit(List.of(mutations), Long.MAX_VALUE).toCompletableFuture();
    }

    /** 0 where there is no row. */
    private static long get(MetadataStore store, Key key) {
        Row row = store.begin(0)
                .readAndEnd(List.of(Read.unlocked(key)), 0)
                .toCompletableFuture()
                .join()
                .get(0);
        return row == null ? 0 : row.int64(0);
    }

    private RocksStore openImage() throws IOException {
        Path image = disk.image(folder.resolve("image"));
        return RocksStore.open(scheduler, StoreLimits.defaults(), RocksSettings.of(image));
    }

    private static void assertFails(CompletableFuture<Void> commit, ErrorCode code) {
        assertThatThrownBy(commit::join)
                .cause()
                .isInstanceOfSatisfying(
                        FsException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
    }

    @Test
    void shouldHaveOnTheDiskWhateverItAcknowledged() throws Exception {
        CountingLoad load = new CountingLoad();
        Path data = folder.resolve("data");
        for (int round = 0; round < 2; round++) {
            try (StoreProcess process = start(data)) {
                StoreClient client = connect(process);
                load.runUntilKilled(client, process, 1_500);
                client.close();
            }
            assertThat(disk.syncsOfLogs()).isGreaterThan(10);
            data = disk.image(folder.resolve("image-" + round));
            load.verify(scheduler, data, round);
            disk = disk(round + 1, data);
        }
    }

    @Test
    void shouldAcknowledgeNothingThatTheDiskDoesNotHaveYet() throws Exception {
        try (StoreProcess process = start(folder.resolve("data"))) {
            StoreClient client = connect(process);
            commit(client, put(BEFORE, 1)).join();
            disk.hold();
            CompletableFuture<Void> waits = commit(client, put(NEW, 1));
            await().until(() -> disk.isHolding() || waits.isDone());
            // On the same connection: an acknowledgement would have come before this answer.
            assertThat(get(client, BEFORE)).isEqualTo(1);
            assertThat(waits).isNotDone();
            process.kill();
            client.close();
        }
        try (RocksStore store = openImage()) {
            assertThat(get(store, BEFORE)).isEqualTo(1);
            assertThat(get(store, NEW)).isZero();
        }
    }

    @Test
    void shouldForgetWhatTheDiskRefused() throws Exception {
        try (StoreProcess process = start(folder.resolve("data"))) {
            StoreClient client = connect(process);
            commit(client, put(BEFORE, 1)).join();
            disk.failNext(1);
            assertFails(commit(client, put(BEFORE, 2), put(NEW, 2)), ErrorCode.UNAVAILABLE);
            assertThat(disk.toFail()).isZero();
            assertThat(get(client, BEFORE)).isEqualTo(1);
            assertThat(get(client, NEW)).isZero();
            commit(client, new Mutation.Merge(BEFORE, List.of(new Mutation.Delta(0, Mutation.Delta.Kind.ADD, 10))))
                    .join();
            assertThat(get(client, BEFORE)).isEqualTo(11);
            process.kill();
            client.close();
        }
        try (RocksStore store = openImage()) {
            assertThat(get(store, BEFORE)).isEqualTo(11);
            assertThat(get(store, NEW)).isZero();
        }
    }

    @Test
    void shouldLeaveOpenWhatTheDiskNeitherTookNorGaveBack() throws Exception {
        try (StoreProcess process = start(folder.resolve("data"))) {
            StoreClient client = connect(process);
            commit(client, put(BEFORE, 1)).join();
            disk.failNext(2);
            assertFails(commit(client, put(BEFORE, 2), put(NEW, 2)), ErrorCode.CONNECTION_LOST);
            assertThat(disk.toFail()).isZero();
            // Until it is opened again nothing is read, for nobody could say what is true.
            await().until(() -> commit(client, put(Schema.SEQUENCES.key("more"), 1))
                    .handle((done, thrown) -> thrown == null)
                    .join());
            long before = get(client, BEFORE);
            assertThat(before).isIn(1L, 2L);
            assertThat(get(client, NEW)).isEqualTo(before == 1 ? 0 : 2);
            process.kill();
            client.close();
            try (RocksStore store = openImage()) {
                assertThat(get(store, BEFORE)).isEqualTo(before);
                assertThat(get(store, NEW)).isEqualTo(before == 1 ? 0 : 2);
            }
        }
    }
}
