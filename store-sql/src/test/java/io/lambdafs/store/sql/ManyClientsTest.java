package io.lambdafs.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.database.DatabaseStore;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.StoreLimits;
import io.lambdafs.store.server.StoreClient;
import io.lambdafs.store.server.StoreMessages;
import io.lambdafs.store.server.StoreServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Instances that start at once come to the store's server; the database sees its pool alone. */
@Tag("slow")
class ManyClientsTest {
    private static final Logger LOG = LoggerFactory.getLogger(ManyClientsTest.class);
    private static final int CLIENTS = 50;
    private static final int ROWS = 200;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    /** Between the reads of one who is there already. */
    private static final long PAUSE_NANOS = 500_000;

    private static final long LOOK_NANOS = 20_000_000;
    private static final int FIRST_READS = 20;
    /** Connections of {@link TestPostgres#settings}, and the writer's. */
    private static final int POOL = 4 + 1;

    private static final String CONNECTIONS =
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'lambdafs-store'";

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final Tokens tokens = Tokens.signed(Secret.generate());
    private final List<StoreClient> clients = Collections.synchronizedList(new ArrayList<>());

    @Test
    void shouldLeaveTheDatabasesConnectionsAtThePoolsSizeWhileFiftyInstancesStart() throws Exception {
        try (TestPostgres postgres = TestPostgres.start();
                DatabaseStore store =
                        SqlStore.open(scheduler, StoreLimits.defaults(), postgres.settings(), CommitObserver.NONE);
                NettyTransport serving =
                        new NettyTransport(StoreMessages.codec(), 1, "server", TransportLimits.DEFAULT);
                NettyTransport dialling =
                        new NettyTransport(StoreMessages.codec(), 1, "clients", TransportLimits.DEFAULT);
                Connection observer = postgres.connect();
                PreparedStatement count = observer.prepareStatement(CONNECTIONS)) {
            StoreServer server = StoreServer.start(
                            store, serving, tokens, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .toCompletableFuture()
                    .join();
            InetSocketAddress address = new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), server.address().getPort());
            StoreClient reader = client(dialling, address);
            for (long i = 0; i < ROWS; i++) {
                put(reader, row(i)).toCompletableFuture().join();
            }
            p99(reader);
            // All are open with the first read, so that none of the newcomers' waits for one to be.
            postgres.await(CONNECTIONS.replace("count(*)", "count(*) = " + POOL));
            long calm = p99(reader);

            AtomicBoolean ended = new AtomicBoolean();
            CompletableFuture<Integer> most = CompletableFuture.supplyAsync(() -> mostConnections(count, ended));
            long within = beside(reader, dialling, address, 1, SECOND / CLIENTS);
            long again = beside(reader, dialling, address, 1 + CLIENTS, SECOND / CLIENTS);
            long atOnce = beside(reader, dialling, address, 1 + 2 * CLIENTS, 0);
            ended.set(true);
            LOG.info(
                    "reads' 99th percentile: {} µs, {} µs while the first {} instances start within a second, {} µs while the next ones do, {} µs where all start at once",
                    calm,
                    within,
                    CLIENTS,
                    again,
                    atOnce);
            assertThat(most.get()).isBetween(2, POOL);
        } finally {
            clients.forEach(StoreClient::close);
            scheduler.close();
        }
    }

    /** The 99th percentile of one client's reads while all the others start, one after so many nanoseconds. */
    private long beside(
            StoreClient reader, NettyTransport dialling, InetSocketAddress address, long firstEpoch, long apartNanos)
            throws Exception {
        CompletableFuture<Long> beside = CompletableFuture.supplyAsync(() -> p99(reader));
        List<CompletableFuture<Void>> joined = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            long epoch = firstEpoch + i;
            CompletableFuture<Void> done = new CompletableFuture<>();
            scheduler.schedule(
                    i * apartNanos,
                    () -> join(client(dialling, address), epoch).whenComplete((nothing, thrown) -> {
                        if (thrown == null) {
                            done.complete(null);
                        } else {
                            done.completeExceptionally(thrown);
                        }
                    }));
            joined.add(done);
        }
        CompletableFuture.allOf(joined.toArray(CompletableFuture<?>[]::new)).get();
        return beside.get();
    }

    private StoreClient client(NettyTransport transport, InetSocketAddress address) {
        StoreClient client = StoreClient.connect(transport, scheduler, address, tokens);
        clients.add(client);
        return client;
    }

    private static Row row(long number) {
        return new Row(Schema.SEQUENCES.key("row-" + number), number);
    }

    private static CompletionStage<Void> put(MetadataStore store, Row row) {
        return store.begin(0).commit(List.of(new Mutation.Put(row)), Long.MAX_VALUE);
    }

    private static CompletionStage<Boolean> read(MetadataStore store) {
        Row wanted = row(ThreadLocalRandom.current().nextInt(ROWS));
        return store.begin(0)
                .readAndEnd(List.of(Read.shared(wanted.key())), 0)
                .thenApply(rows -> wanted.equals(rows.get(0)));
    }

    /** As an instance begins: it writes its row, and reads. */
    private static CompletableFuture<Void> join(MetadataStore store, long epoch) {
        CompletionStage<Void> joined = put(store, new Row(Rows.instanceKey(epoch), 0L, "instance", 0L));
        for (int i = 0; i < FIRST_READS; i++) {
            joined = joined.thenCompose(before -> read(store))
                    .thenAccept(found -> assertThat(found).isTrue());
        }
        return joined.toCompletableFuture();
    }

    /** Returns the p99 of the reads of a second, in microseconds. */
    private static long p99(MetadataStore store) {
        List<Long> micros = new ArrayList<>();
        for (long start = System.nanoTime(); System.nanoTime() - start < SECOND; ) {
            long began = System.nanoTime();
            assertThat(read(store).toCompletableFuture().join()).isTrue();
            micros.add((System.nanoTime() - began) / 1_000);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        Collections.sort(micros);
        return micros.get(micros.size() * 99 / 100);
    }

    private static int mostConnections(PreparedStatement count, AtomicBoolean ended) {
        int most = 0;
        try {
            while (!ended.get()) {
                try (ResultSet row = count.executeQuery()) {
                    row.next();
                    most = Math.max(most, row.getInt(1));
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return most;
    }
}
