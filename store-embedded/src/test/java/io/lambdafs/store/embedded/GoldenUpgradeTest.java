package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.SignMigration;
import io.lambdafs.store.engine.StoreLimits;
import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.format.Fsck;
import io.lambdafs.store.format.TotalsState;
import io.lambdafs.store.format.Upgrade;
import io.lambdafs.store.server.StoreClient;
import io.lambdafs.store.server.StoreMessages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The directory of the first format, raised to the newest level. */
@Tag("once")
@Tag("slow")
class GoldenUpgradeTest {
    @TempDir
    private Path folder;

    private final SystemScheduler scheduler = new SystemScheduler("upgrade-test", 1, 1_000);

    @AfterEach
    void close() {
        scheduler.close();
    }

    private Path golden(String name) throws Exception {
        Path directory = Files.createDirectory(folder.resolve(name));
        GoldenStoreTest.unpack("format-1.zip", directory);
        return directory;
    }

    private Upgrade.Plan raise(Path directory) {
        try (RocksStore store = RocksStore.open(scheduler, StoreLimits.defaults(), RocksSettings.of(directory))) {
            return Upgrade.raise(store).toCompletableFuture().join();
        }
    }

    private static List<String> others(Path directory) {
        return StoredRows.read(directory, rows -> {
            List<String> all = new ArrayList<>();
            rows.forEach(row -> {
                boolean counts =
                        row.key().equals(TotalsState.KEY) || row.key().table().equals(Schema.DIRECTORY_TOTALS);
                if (!row.key().equals(FormatLevel.KEY) && !counts) {
                    all.add(row.toString());
                }
            });
            return all;
        });
    }

    private static boolean saysTotals(Path directory) {
        return StoredRows.read(directory, rows -> {
            boolean found = false;
            for (Row row : rows) {
                found |= row.equals(TotalsState.EXACT);
            }
            return found;
        });
    }

    private static FormatLevel level(Path directory) {
        return StoredRows.read(directory, rows -> {
            Row found = null;
            for (Row row : rows) {
                found = row.key().equals(FormatLevel.KEY) ? row : found;
            }
            return FormatLevel.of(found);
        });
    }

    @Test
    void shouldRaiseItAndKeepEveryOtherRow() throws Exception {
        Path directory = golden("store");
        List<String> before = others(directory);
        assertThat(level(directory)).isEqualTo(FormatLevel.FIRST);

        assertThat(raise(directory).isDone()).isFalse();

        assertThat(level(directory)).isEqualTo(FormatLevel.NEWEST);
        assertThat(others(directory)).isEqualTo(before);
        assertThat(StoredRows.read(directory, Fsck::check).problems()).isEmpty();
        assertThat(saysTotals(directory)).isTrue();
        assertThat(raise(directory).isDone()).isTrue();
    }

    /** At once, while the change is on its way, and after its answer. */
    @Test
    void shouldHaveOneLevelOrTheOtherWhereverItIsKilled() throws Exception {
        NettyTransport transport = new NettyTransport(StoreMessages.codec(), 1, "upgrade", TransportLimits.DEFAULT);
        try {
            for (long micros : new long[] {0, 1_500, Long.MAX_VALUE}) {
                Path directory = golden("store-" + micros);
                List<String> before = others(directory);
                String keys = "\"directory\": \"" + directory + "\", \"insecure\": true";
                boolean answered = killWhileRaising(transport, keys, micros);

                FormatLevel found = level(directory);
                assertThat(answered ? FormatLevel.NEWEST : found).isEqualTo(found);
                assertThat(others(directory)).isEqualTo(before);
                assertThat(raise(directory).from()).isEqualTo(found);
                assertThat(level(directory)).isEqualTo(FormatLevel.NEWEST);
            }
        } finally {
            transport.close();
        }
    }

    @Test
    void shouldGoOnWithAMigrationInWhichTheStoreWasKilled() throws Exception {
        Path directory = golden("store");
        try (RocksStore store = RocksStore.open(scheduler, StoreLimits.defaults(), RocksSettings.of(directory))) {
            store.begin(0)
                    .commit(SignMigration.before(95), Long.MAX_VALUE)
                    .toCompletableFuture()
                    .join();
        }
        NettyTransport transport = new NettyTransport(StoreMessages.codec(), 1, "upgrade", TransportLimits.DEFAULT);
        try (StoreProcess process =
                StoreProcess.start(folder, "\"directory\": \"" + directory + "\", \"insecure\": true")) {
            StoreClient client = StoreClient.connect(transport, scheduler, process.address(), Tokens.insecure());
            client.ready().toCompletableFuture().join();
            SignMigration half = new SignMigration(FormatLevel.NEWEST, 5);
            half.raise(client);
            await().until(() -> half.steps() == 6);
            process.kill();
            client.close();
        } finally {
            transport.close();
        }
        assertThat(level(directory)).isEqualTo(FormatLevel.FIRST);
        assertThat(migrated(directory)).isEqualTo(50);

        try (RocksStore store = RocksStore.open(scheduler, StoreLimits.defaults(), RocksSettings.of(directory))) {
            new SignMigration(FormatLevel.NEWEST, Integer.MAX_VALUE)
                    .raise(store)
                    .toCompletableFuture()
                    .join();
        }
        assertThat(migrated(directory)).isEqualTo(95);
        assertThat(level(directory)).isEqualTo(FormatLevel.NEWEST);
    }

    private static long migrated(Path directory) {
        return StoredRows.read(directory, rows -> {
            List<Row> all = new ArrayList<>();
            rows.forEach(all::add);
            return SignMigration.migrated(all);
        });
    }

    /** Returns whether the store had answered. */
    private boolean killWhileRaising(NettyTransport transport, String keys, long micros) throws Exception {
        try (StoreProcess process = StoreProcess.start(folder, keys)) {
            StoreClient client = StoreClient.connect(transport, scheduler, process.address(), Tokens.insecure());
            client.ready().toCompletableFuture().join();
            CompletableFuture<Upgrade.Plan> raised = Upgrade.raise(client).toCompletableFuture();
            if (micros == Long.MAX_VALUE) {
                raised.join();
            } else {
                LockSupport.parkNanos(micros * 1_000);
            }
            boolean answered = raised.isDone() && !raised.isCompletedExceptionally();
            process.kill();
            client.close();
            return answered;
        }
    }
}
