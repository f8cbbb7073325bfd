package io.lambdafs.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.auth.ByteProof;
import io.lambdafs.rpc.auth.Secret;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The embedded server, and what clients of it see when it goes away or refuses them. */
class EmbeddedZooKeeperTest {
    private static final Secret SECRET = Secret.of("correct horse");
    private static final Member MEMBER = new Member(1, 0, "a", "127.0.0.1", 4_711, true);

    @TempDir
    private Path folder;

    private SystemScheduler scheduler;
    private EmbeddedZooKeeper server;

    @BeforeEach
    void start() {
        scheduler = new SystemScheduler("test", 2, 1_000);
        server = EmbeddedZooKeeper.start(settings(0));
    }

    @AfterEach
    void stop() {
        server.close();
        scheduler.close();
    }

    private EmbeddedZooKeeper.Settings settings(int port) {
        return new EmbeddedZooKeeper.Settings(folder.resolve("data"), "127.0.0.1", port, SECRET);
    }

    private ZooKeeperCoordinator client(int port, Secret secret, boolean proof, Times times) {
        return new ZooKeeperCoordinator(
                new ZooKeeperSettings("127.0.0.1:" + port, "test", secret, proof, times), scheduler);
    }

    private ZooKeeperCoordinator client() {
        return client(server.port(), SECRET, true, Times.DEFAULT);
    }

    /** A client of the library, on a connection on which both ends have proved themselves. */
    private ZooKeeper libraryClient(int sessionMillis) throws Exception {
        ZooKeeper client =
                new ZooKeeper("127.0.0.1:" + server.port(), sessionMillis, event -> {}, new ClientSettings(SECRET));
        await().until(() -> client.getState().isConnected());
        return client;
    }

    private static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static ErrorCode failure(CompletionStage<?> stage) {
        return FsException.of(stage.handle((value, failure) -> failure)
                        .toCompletableFuture()
                        .join())
                .code();
    }

    @Test
    void shouldKeepMembersOverARestart() {
        try (ZooKeeperCoordinator client = client()) {
            get(client.register(MEMBER));
        }
        int port = server.port();
        server.close();
        server = EmbeddedZooKeeper.start(settings(port));

        try (ZooKeeperCoordinator client = client()) {
            View view = get(client.members());
            assertThat(view.members()).containsEntry(1L, MEMBER);
            assertThat(view.absent()).containsExactly(1L);
        }
    }

    @Tag("slow")
    @Test
    void shouldBeUnavailableWhileTheServerIsAwayAndReportWhatChangedAfterwards() {
        List<View> views = new CopyOnWriteArrayList<>();
        try (ZooKeeperCoordinator watching = client()) {
            get(watching.register(MEMBER));
            watching.watch(views::add);
            await().until(() -> !views.isEmpty());
            int port = server.port();
            server.close();

            assertThat(failure(watching.members())).isEqualTo(ErrorCode.UNAVAILABLE);
            assertThat(failure(watching.renew(1))).isEqualTo(ErrorCode.UNAVAILABLE);
            assertThat(failure(watching.refuseRenewals(1))).isEqualTo(ErrorCode.UNAVAILABLE);

            server = EmbeddedZooKeeper.start(settings(port));
            try (ZooKeeperCoordinator other = client()) {
                await().until(() -> failsWithNothing(other.register(MEMBER_2)));
                await().until(() -> views.get(views.size() - 1).members().containsKey(2L));
            }
        }
    }

    private static final Member MEMBER_2 = new Member(2, 0, "b", "127.0.0.1", 4_712, true);

    private static boolean failsWithNothing(CompletionStage<?> stage) {
        return stage.handle((value, failure) -> failure == null)
                .toCompletableFuture()
                .join();
    }

    @Test
    void shouldNameThePortThatIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            EmbeddedZooKeeper.Settings elsewhere =
                    new EmbeddedZooKeeper.Settings(folder.resolve("other"), "127.0.0.1", taken.getLocalPort(), SECRET);

            assertThatThrownBy(() -> EmbeddedZooKeeper.start(elsewhere))
                    .isInstanceOf(FsException.class)
                    .hasMessageContaining("127.0.0.1:" + taken.getLocalPort())
                    .extracting(failure -> FsException.of(failure).code())
                    .isEqualTo(ErrorCode.UNAVAILABLE);
        }
    }

    @Test
    void shouldRefuseAFolderThatAnotherServerUses() {
        assertThatThrownBy(() -> EmbeddedZooKeeper.start(settings(0)))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("another ZooKeeper server uses");
    }

    @Test
    void shouldRefuseAFolderThatCannotBeMade() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "not a folder");

        assertThatThrownBy(() -> EmbeddedZooKeeper.start(
                        new EmbeddedZooKeeper.Settings(file.resolve("data"), "127.0.0.1", 0, SECRET)))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("cannot use the folder");
    }

    @Test
    void shouldCloseNodesToThoseWithAnotherSecretWhereTheServerAsksForNoProof() {
        EmbeddedZooKeeper open =
                EmbeddedZooKeeper.start(new EmbeddedZooKeeper.Settings(folder.resolve("open"), "127.0.0.1", 0, null));
        try (ZooKeeperCoordinator client = client(open.port(), SECRET, false, Times.DEFAULT)) {
            get(client.register(MEMBER));
            // The nodes belong to who makes them: the stranger, who makes what is missing, comes to nodes that are
            // there.
            try (ZooKeeperCoordinator stranger = client(open.port(), Secret.of("wrong"), false, Times.DEFAULT)) {
                assertThat(failure(stranger.members())).isEqualTo(ErrorCode.UNAUTHENTICATED);
                assertThat(failure(stranger.refuseRenewals(1))).isEqualTo(ErrorCode.UNAUTHENTICATED);
            }
            assertThat(get(client.members()).members()).containsOnlyKeys(1L);
        } finally {
            open.close();
        }
    }

    @Tag("slow")
    @Test
    void shouldServeOnlyWhoHasProvedToHaveTheSecret() throws Exception {
        ZooKeeper unproved = new ZooKeeper("127.0.0.1:" + server.port(), 4_000, event -> {}, new ClientSettings(null));
        try (ZooKeeperCoordinator stranger = client(server.port(), Secret.of("wrong"), true, Times.DEFAULT)) {
            assertThatThrownBy(() -> get(stranger.members()))
                    .hasMessageContaining("has not proved to be zookeeper:" + server.port())
                    .hasMessageContaining("same secret file");
            assertThat(unproved.getState().isConnected()).isFalse();
        } finally {
            unproved.close();
        }
    }

    @Tag("slow")
    @Test
    void shouldSendNothingToWhoHasTakenThePort() throws Exception {
        int port = server.port();
        try (ZooKeeperCoordinator client = client()) {
            get(client.register(MEMBER));
            server.close();
            try (ListenerInItsPlace thief = new ListenerInItsPlace(port)) {
                assertThat(failure(client.members())).isEqualTo(ErrorCode.UNAVAILABLE);
                await().until(() -> thief.connections() > 1);
                assertThat(thief.received())
                        .as("a nonce of each connection, and no session")
                        .allMatch(each -> each.length <= ByteProof.HELLO_BYTES);
                try (ZooKeeperCoordinator other = client()) {
                    assertThatThrownBy(() -> get(other.members()))
                            .hasMessageContaining("has not proved to be zookeeper:" + port);
                }
            }
            // A connection of a client's to nobody may have the port as its own for a moment.
            server = await().ignoreExceptionsInstanceOf(FsException.class)
                    .until(() -> EmbeddedZooKeeper.start(settings(port)), Objects::nonNull);
            await().until(() -> failsWithNothing(client.members()));
        }
    }

    @Tag("slow")
    @Test
    void shouldNotBeAnsweredForByAServerAtAnotherPort() throws Exception {
        // It has the secret, but whoever took the port cannot pass on to it what it is asked.
        try (Relay relay = new Relay(server.port());
                ZooKeeperCoordinator client = client(relay.port(), SECRET, true, Times.DEFAULT)) {
            assertThatThrownBy(() -> get(client.members())).hasMessageContaining("has not proved to be zookeeper:");
        }
    }

    @Test
    void shouldLeaveNoNodeOpenToStrangers() throws Exception {
        try (ZooKeeperCoordinator client = client()) {
            get(client.register(MEMBER));
            ZooKeeper stranger = libraryClient(4_000);
            try {
                for (String path : List.of("/lambdafs/test", "/lambdafs/test/members", "/lambdafs/test/leases/1")) {
                    assertThatThrownBy(() -> stranger.getChildren(path, false))
                            .isInstanceOf(KeeperException.NoAuthException.class);
                }
                List<ACL> root = stranger.getACL("/lambdafs", null);
                assertThat(root)
                        .noneMatch(acl -> acl.getId().getScheme().equals("world")
                                && (acl.getPerms() & ~(ZooDefs.Perms.READ | ZooDefs.Perms.CREATE)) != 0);
            } finally {
                stranger.close();
            }
        }
    }

    @Test
    void shouldLeaveNoNodeBehindOfWhoIsForgotten() throws Exception {
        try (ZooKeeperCoordinator client = client()) {
            get(client.register(MEMBER));
            get(client.forget(1));

            ZooKeeper reader = libraryClient(4_000);
            try {
                reader.addAuthInfo(
                        "digest", ("lambdafs:" + SECRET.derive("zookeeper")).getBytes(StandardCharsets.UTF_8));
                for (String path : List.of("members", "leases", "present")) {
                    assertThat(reader.getChildren("/lambdafs/test/" + path, false))
                            .isEmpty();
                }
            } finally {
                reader.close();
            }
        }
    }

    @Test
    void shouldGrantTheSessionThatIsAskedFor() throws Exception {
        ZooKeeper client = libraryClient((int) Times.DEFAULT.session().toMillis());
        try {
            assertThat(client.getSessionTimeout())
                    .isEqualTo((int) Times.DEFAULT.session().toMillis());
        } finally {
            client.close();
        }
    }

    @Test
    void shouldRefuseToRegisterWhereSessionsAreShorterThanTheLease() {
        // The server grants at most 60 s.
        Times slow = new Times(
                Duration.ofSeconds(1),
                Duration.ofSeconds(70),
                Duration.ofSeconds(1),
                Duration.ofSeconds(80),
                Duration.ofSeconds(100),
                Duration.ofSeconds(110),
                Duration.ofSeconds(120),
                Duration.ofSeconds(130),
                Duration.ofSeconds(140));
        try (ZooKeeperCoordinator client = client(server.port(), SECRET, true, slow)) {
            assertThat(failure(client.register(MEMBER))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        }
    }

    @Test
    void shouldRefuseUnknownKeysOfItsConfiguration() throws Exception {
        Path good = Files.writeString(
                folder.resolve("good.json"),
                "{\"dataDir\": \"/d\", \"port\": 2181, \"portFile\": \"/p\", \"insecure\": true}");
        Path bad = Files.writeString(folder.resolve("bad.json"), "{\"dataDir\": \"/d\", \"prot\": 2181}");
        Path undecided = Files.writeString(folder.resolve("undecided.json"), "{\"dataDir\": \"/d\"}");
        Path none = Files.writeString(folder.resolve("none.json"), "{}");

        assertThat(ZooKeeperMain.load(good).settings())
                .isEqualTo(new EmbeddedZooKeeper.Settings(Path.of("/d"), "127.0.0.1", 2_181, null));
        assertThatThrownBy(() -> ZooKeeperMain.load(bad))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("prot");
        assertThatThrownBy(() -> ZooKeeperMain.load(none).settings())
                .isInstanceOf(FsException.class)
                .hasMessageContaining("dataDir");
        assertThatThrownBy(() -> ZooKeeperMain.load(undecided).settings())
                .isInstanceOf(FsException.class)
                .hasMessageContaining("secretFile");
    }
}
