package io.lambdafs.store.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.PatientWaits;
import io.lambdafs.model.testkit.Waits;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.rpc.tls.TlsFiles;
import io.lambdafs.store.Key;
import io.lambdafs.store.Read;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.ServedStore;
import io.lambdafs.store.engine.StoreLimits;
import io.lambdafs.store.lock.LockTable;
import io.lambdafs.store.memory.MemoryStore;
import io.lambdafs.store.server.StoreClient;
import io.lambdafs.store.server.StoreMessages;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that is served in this process: its keys, its ports, its pages, its end. */
class StoreServiceTest {
    private static final Key ROW = Schema.SEQUENCES.key("row");

    @TempDir
    private Path folder;

    private Path secret;

    /** The store in memory, as one that can be in trouble. */
    private static final class Engine implements ServedStore {
        final MemoryStore rows;
        final CommitObserver observer;
        Optional<String> trouble = Optional.empty();
        boolean closed;

        Engine(Scheduler scheduler, StoreLimits limits, CommitObserver observer) {
            rows = new MemoryStore(scheduler, limits);
            this.observer = observer;
        }

        @Override
        public StoreTransaction begin(long epoch) {
            return rows.begin(epoch);
        }

        @Override
        public CompletionStage<Void> fence(long epoch) {
            return rows.fence(epoch);
        }

        @Override
        public int openTransactions() {
            return rows.openTransactions();
        }

        @Override
        public LockTable.Statistics lockStatistics() {
            return rows.lockStatistics();
        }

        @Override
        public Optional<String> trouble() {
            return trouble;
        }

        @Override
        public void close() {
            closed = true;
            rows.close();
        }
    }

    private @Nullable Engine engine;

    private Engine open(Scheduler scheduler, StoreLimits limits, CommitObserver observer) {
        engine = new Engine(scheduler, limits, observer);
        return engine;
    }

    @BeforeEach
    void makeSecret() {
        secret = folder.resolve("secret");
        Secret.loadOrCreate(secret);
    }

    /** The engine's own keys. */
    record Keys(@Nullable String engine) {}

    private ServiceConfig config(String keys) throws IOException {
        Path file = Files.writeString(
                folder.resolve("config.json"), ("{" + keys + ", 'engine': 'memory'}").replace('\'', '"'));
        return ServiceConfig.load(file, Keys.class, (own, service) -> {
            assertThat(own.engine()).isEqualTo("memory");
            return service;
        });
    }

    private String withSecret() {
        return "'secretFile': '" + secret + "'";
    }

    @Test
    void shouldTakeDefaultsForWhatIsLeftOut() throws IOException {
        InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

        assertThat(config("'insecure': true"))
                .isEqualTo(new ServiceConfig(
                        StoreLimits.defaults(),
                        loopback,
                        Optional.empty(),
                        loopback,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        false));
    }

    @Test
    void shouldTakeWhatIsSaid() throws IOException {
        ServiceConfig config = config(withSecret()
                + ", 'listenAddress': '127.0.0.2', 'port': 7, 'portFile': '/p', 'metricsAddress': '127.0.0.3'"
                + ", 'metricsPort': 8, 'metricsPortFile': '/m', 'lockWaitMillis': 10, 'transactionLimitMillis': 20"
                + ", 'maxTransactions': 30, 'tlsCa': '/ca', 'tlsCertificate': '/c', 'tlsKey': '/k', 'standby': true");

        StoreLimits limits = StoreLimits.defaults();
        assertThat(config)
                .isEqualTo(new ServiceConfig(
                        new StoreLimits(Duration.ofMillis(10), Duration.ofMillis(20), 30, limits.maxWaitersPerKey()),
                        new InetSocketAddress("127.0.0.2", 7),
                        Optional.of(Path.of("/p")),
                        new InetSocketAddress("127.0.0.3", 8),
                        Optional.of(Path.of("/m")),
                        Optional.of(secret),
                        TlsFiles.ofService("/ca", "/c", "/k"),
                        true));
    }

    @Test
    void shouldNameWhatIsWrong() {
        assertThatThrownBy(() -> config("'port': 7")).hasMessageContainingAll("config.json", "secretFile and insecure");
        assertThatThrownBy(() -> config(withSecret() + ", 'insecure': true")).hasMessageContaining("exactly one");
        assertThatThrownBy(() -> config(withSecret() + ", 'prot': 7")).hasMessageContaining("prot");
        Path list = folder.resolve("list.json");
        assertThatThrownBy(
                        () -> ServiceConfig.load(Files.writeString(list, "[]"), Keys.class, (own, service) -> service))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("list.json: a JSON object is expected");
    }

    private static HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static int port(Path file) throws IOException {
        return Integer.parseInt(Files.readString(file).strip());
    }

    @Test
    void shouldServeTheStoreAndSayHowItFares() throws Exception {
        Path port = folder.resolve("port");
        Path pages = folder.resolve("pages");
        ServiceConfig config =
                config(withSecret() + ", 'portFile': '" + port + "', 'metricsPortFile': '" + pages + "'");
        NettyTransport dialler = new NettyTransport(StoreMessages.codec(), 1, "client", TransportLimits.DEFAULT);

        try (StoreService service = StoreService.start(config, this::open)) {
            assertThat(service).isNotNull();
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port(port));
            try (StoreClient client =
                    StoreClient.connect(dialler, dialler.scheduler(), address, Tokens.signed(Secret.load(secret)))) {
                StoreTransaction holder = client.begin(0);
                holder.read(List.of(Read.exclusive(ROW)), 0)
                        .toCompletableFuture()
                        .join();
                assertThat(client.begin(0)
                                .read(List.of(Read.exclusive(ROW)), 1_000_000)
                                .toCompletableFuture())
                        .failsWithin(PatientWaits.PATIENCE);
                engine.observer.group(3, 100, 2_000_000_000);
                engine.observer.failed(2);

                assertThat(get(port(pages), "/metrics").body())
                        .contains("lambdafs_store_commits_total 3.0", "lambdafs_store_commits_refused_total 2.0")
                        .contains("lambdafs_store_written_bytes_total 100.0")
                        .contains("lambdafs_store_group_commits_count 1", "lambdafs_store_group_commits_sum 3.0")
                        .contains("lambdafs_store_fsync_seconds_count 1", "lambdafs_store_fsync_seconds_sum 2.0")
                        .contains("lambdafs_store_transactions_open 1.0", "lambdafs_store_locks_keys 1.0")
                        .contains("lambdafs_store_locks_waiting 0.0", "lambdafs_store_locks_waits_total 1.0")
                        .contains("lambdafs_store_locks_timeouts_total 1.0", "lambdafs_store_locks_deadlocks_total 0.0")
                        .containsPattern(
                                "lambdafs_store_locks_wait_seconds(_total)? (0\\.0\\d*|1?\\d\\.\\d+|\\d\\.\\d+E-\\d)\n");
            }
            assertThat(get(port(pages), "/healthz").body()).isEqualTo("ok\n");
            assertThat(get(port(pages), "/other").statusCode()).isEqualTo(404);
            engine.trouble = Optional.of("the disk is on fire");
            assertThat(get(port(pages), "/healthz").statusCode()).isEqualTo(503);
            assertThat(get(port(pages), "/healthz").body()).isEqualTo("the disk is on fire\n");
        } finally {
            dialler.close();
        }
        assertThat(engine.closed).isTrue();
        assertFree(port(port));
        assertFree(port(pages));
    }

    private static void assertFree(int port) throws IOException {
        ServerSocket again = new ServerSocket();
        again.setReuseAddress(true);
        again.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        again.close();
    }

    @Test
    void shouldCloseWhatItHasOpenedWhereItCannotStart() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ServiceConfig config = config(withSecret() + ", 'port': " + taken.getLocalPort());
            assertThatThrownBy(() -> StoreService.start(config, this::open))
                    .isInstanceOfSatisfying(
                            FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
                    .hasMessageContaining(String.valueOf(taken.getLocalPort()));
        }
        assertThat(engine.closed).isTrue();
    }

    /** PROTOCOL: D8. */
    @Test
    void shouldServeWhenTheServerWhoseDatabaseItWaitsForHasGone() throws Exception {
        Path port = folder.resolve("port");
        CountDownLatch gone = new CountDownLatch(1);
        StoreService.Engine taken = (scheduler, limits, observer) -> {
            try {
                gone.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return open(scheduler, limits, observer);
        };
        AtomicInteger tries = new AtomicInteger();
        StoreService.Engine second = (scheduler, limits, observer) -> {
            if (tries.incrementAndGet() == 1) {
                throw FsException.unavailable("another process serves the store");
            }
            return taken.open(scheduler, limits, observer);
        };
        NettyTransport dialler = new NettyTransport(StoreMessages.codec(), 1, "client", TransportLimits.DEFAULT);
        ServiceConfig config = config("'insecure': true, 'standby': true, 'portFile': '" + port + "'");
        try (StoreService service = StoreService.start(config, second);
                StoreClient client = StoreClient.connect(
                        dialler,
                        dialler.scheduler(),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port(port)),
                        Tokens.insecure())) {
            assertThat(service).isNotNull();
            assertThatThrownBy(() -> client.ready().toCompletableFuture().join())
                    .hasMessageContaining("waits to take the place");
            gone.countDown();
            await().until(() -> {
                StoreTransaction transaction = client.begin(0);
                CompletableFuture<?> read =
                        transaction.readAndEnd(List.of(Read.unlocked(ROW)), 0).toCompletableFuture();
                return read.handle((rows, thrown) -> thrown == null).join();
            });
            Waits.join(client.fence(7));
        } finally {
            dialler.close();
        }
        assertThat(engine.closed).isTrue();
    }

    @Test
    void shouldBelieveEverybodyWhereItIsToldTo() throws Exception {
        Path port = folder.resolve("port");
        NettyTransport dialler = new NettyTransport(StoreMessages.codec(), 1, "client", TransportLimits.DEFAULT);
        try (StoreService service =
                        StoreService.start(config("'insecure': true, 'portFile': '" + port + "'"), this::open);
                StoreClient client = StoreClient.connect(
                        dialler,
                        dialler.scheduler(),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port(port)),
                        Tokens.insecure())) {
            assertThat(service).isNotNull();
            client.ready().toCompletableFuture().join();
        } finally {
            dialler.close();
        }
    }
}
