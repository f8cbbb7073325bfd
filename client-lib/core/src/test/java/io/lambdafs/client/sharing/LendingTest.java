package io.lambdafs.client.sharing;

import static io.lambdafs.client.ClientFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.client.ClientFixture;
import io.lambdafs.client.FaultsTest;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.TestGateway;
import io.lambdafs.client.TestInstance;
import io.lambdafs.client.config.ClientConfig.SharingUse;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.testkit.PatientWaits;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Role;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.message.Bind;
import io.lambdafs.rpc.message.Bound;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Forward;
import io.lambdafs.rpc.message.Lend;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.message.Proof;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections shared between processes, each with a runtime of its own. */
class LendingTest {
    private static final FsPath PATH = FsPath.of("/d/f");
    private static final long PATIENCE = PatientWaits.PATIENCE.toNanos();

    @TempDir
    Path folder;

    private final ClientFixture fixture = new ClientFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private Path directory() {
        return folder.resolve("sharing");
    }

    private ClientConfigBuilder config() {
        return fixture.config().stragglersEnabled(false).sharing(new SharingUse(true, directory()));
    }

    private LambdaFs open() {
        return fixture.open(config(), fixture.process().runtime());
    }

    /** A client of a process that lends, with an instance of deployment 0 connected. */
    private TestInstance connect(LambdaFs lender) {
        TestInstance instance = fixture.instance(0, 1).answers(ClientFixture.serving());
        fixture.starts(instance);
        get(lender.stat(PATH));
        await().until(() -> lender.metrics().snapshot().connections() == 1);
        return instance;
    }

    private static void awaitConnections(LambdaFs fs, int connections) {
        await().until(() -> fs.metrics().snapshot().connections() == connections);
    }

    @Test
    void shouldUseConnectionsOfTheProcessThatLends() {
        TestInstance instance = connect(open());
        LambdaFs borrower = open();

        for (int i = 0; i < 10; i++) {
            get(borrower.stat(PATH));
        }

        assertThat(borrower.metrics().snapshot().tcp()).isEqualTo(10);
        assertThat(borrower.metrics().snapshot().http()).isZero();
        assertThat(fixture.gateway.calls()).hasSize(1);
        assertThat(instance.requests()).hasSize(10);
        assertThat(instance.principals()).extracting(Principal::user).containsOnly("alice");
    }

    @Test
    void shouldServeSeveralProcessesAtOnceEachUnderItsOwnSession() {
        TestInstance instance = connect(open());
        List<LambdaFs> borrowers = List.of(open(), open(), open(), open());
        List<CompletionStage<?>> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            for (LambdaFs each : borrowers) {
                all.add(each.mkdirs(FsPath.of("/d"), 0755));
            }
        }

        all.forEach(ClientFixture::get);

        assertThat(fixture.gateway.calls()).hasSize(1);
        assertThat(instance.requests()).hasSize(400);
        assertThat(instance.requests().stream()
                        .map(request -> request.id().clientHigh())
                        .distinct())
                .hasSize(4);
    }

    @Test
    void shouldHaveInstancesConnectToTheProcessThatLends() {
        ClientConfigBuilder two = config().deployments(2);
        LambdaFs lender = fixture.open(two, fixture.process().runtime());
        LambdaFs borrower = fixture.open(two, fixture.process().runtime());
        List<TestInstance> instances = List.of(
                fixture.instance(0, 1).answers(ClientFixture.serving()),
                fixture.instance(1, 2).answers(ClientFixture.serving()));
        fixture.gateway.answers(called -> instances
                .get(called.deployment())
                .dial(called.tcp().get(0))
                .thenApply(registered -> TestGateway.reply(called, ClientFixture::serve)));
        get(lender.stat(pathOf(0)));
        awaitConnections(borrower, 1);

        get(borrower.stat(pathOf(1)));
        awaitConnections(lender, 2);
        awaitConnections(borrower, 2);
        get(lender.stat(pathOf(1)));
        get(borrower.stat(pathOf(1)));

        assertThat(fixture.gateway.calls())
                .extracting(called -> called.tcp().get(0).port())
                .hasSize(2)
                .containsOnly(fixture.gateway.calls().get(0).tcp().get(0).port());
        assertThat(instances.get(1).requests()).hasSize(2);
    }

    private static FsPath pathOf(int deployment) {
        Placement placement = new Placement(2);
        for (int i = 0; ; i++) {
            FsPath path = FsPath.of("/d" + i + "/f");
            if (placement.of(new ReadOperation.Stat(path)) == deployment) {
                return path;
            }
        }
    }

    @Test
    void shouldRepeatUnderTheSameIdWhatTheProcessThatLentHadUnderWayWhenItDied() {
        ClientFixture.OwnProcess dying = fixture.process();
        TestInstance instance = connect(fixture.open(config(), dying.runtime()));
        LambdaFs borrower = open();
        get(borrower.stat(PATH));
        Map<RequestId, Integer> executed = new ConcurrentHashMap<>();
        // Takes effect, and is not heard of.
        instance.answers(request -> {
            executed.putIfAbsent(request.id(), 1);
            return new CompletableFuture<>();
        });
        fixture.gateway.answersWith(request -> {
            executed.merge(request.id(), 1, (known, again) -> known);
            return new Reply.Done(true);
        });

        List<CompletionStage<Boolean>> writes = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            writes.add(borrower.mkdirs(FsPath.of("/d/" + i), 0755));
        }
        await().until(() -> executed.size() == 50);
        dying.loseSockets();

        assertThat(writes).allSatisfy(write -> assertThat(get(write)).isTrue());
        assertThat(executed).hasSize(50);
        List<OperationRequest> repeated = fixture.gateway.calls().stream()
                .skip(1)
                .map(TestGateway.Called::request)
                .toList();
        assertThat(repeated)
                .hasSize(50)
                .allSatisfy(request -> assertThat(request.attempt()).isGreaterThan(1));
        assertThat(repeated).extracting(OperationRequest::id).containsExactlyInAnyOrderElementsOf(executed.keySet());
        assertThat(borrower.metrics().snapshot().retries()).containsKey(ErrorCode.CONNECTION_LOST);
        assertThat(borrower.metrics().snapshot().connections()).isZero();
    }

    @Test
    void shouldLendInTurnWhenTheProcessThatLentEnds() {
        LambdaFs first = open();
        connect(first);
        LambdaFs second = open();
        get(second.stat(PATH));
        TestInstance instance = fixture.instance(0, 2).answers(ClientFixture.serving());
        fixture.starts(instance);

        first.close();
        get(second.stat(PATH));
        awaitConnections(second, 1);
        await().until(() -> fixture.gateway.calls().size() == 2);
        LambdaFs third = open();
        awaitLent(third);
        get(third.stat(PATH));

        assertThat(fixture.gateway.calls()).hasSize(2);
        assertThat(third.metrics().snapshot().http()).isZero();
    }

    /** The next one may have to look twice until the one before has given the place up. */
    private void awaitLent(LambdaFs fs) {
        await().until(() -> {
            fs.stat(PATH);
            return fs.metrics().snapshot().connections() > 0;
        });
    }

    @Test
    void shouldReplaceTheSocketThatAKilledProcessLeft() throws IOException {
        Files.createDirectory(
                directory(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path socket = SharingPlace.of(config().build()).socket();
        try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            killed.bind(UnixDomainSocketAddress.of(socket));
        }
        assertThat(socket).exists();

        connect(open());
        LambdaFs borrower = open();
        get(borrower.stat(PATH));

        assertThat(borrower.metrics().snapshot().http()).isZero();
    }

    @Test
    void shouldNotShareWhereOthersMayEnter() throws IOException {
        Files.createDirectory(directory());
        Files.setPosixFilePermissions(directory(), PosixFilePermissions.fromString("rwxr-xr-x"));
        connect(open());
        LambdaFs other = open();

        get(other.stat(PATH));

        assertThat(other.metrics().snapshot().http()).isEqualTo(1);
        assertThat(directory()).isEmptyDirectory();
    }

    @Test
    void shouldNotShareBetweenCredentials() {
        TestInstance instance = connect(open());
        Principal alice = new Principal("alice", List.of("staff"));
        List<ClientConfigBuilder> others = List.of(
                config().user("bob"),
                config().groups(List.of("staff", "wheel")),
                config().token(fixture.tokens.mint(alice, Role.CLIENT, Duration.ofHours(1))),
                config().token(fixture.tokens.mint(alice, Role.CLIENT, Duration.ofHours(1))),
                config().secret(Secret.generate()),
                config().insecure(true));

        for (ClientConfigBuilder each : others) {
            LambdaFs other = fixture.open(each, fixture.process().runtime());
            get(other.stat(PATH));
            assertThat(other.metrics().snapshot().http()).isEqualTo(1);
        }

        assertThat(instance.requests()).isEmpty();
        assertThat(fixture.gateway.calls()).hasSize(1 + others.size());
    }

    @Test
    void shouldShareBetweenHoldersOfOneToken() {
        String token = fixture.tokens.mint(new Principal("alice", List.of("staff")), Role.CLIENT, Duration.ofHours(1));
        connect(fixture.open(config().token(token), fixture.process().runtime()));
        LambdaFs borrower =
                fixture.open(config().token(token), fixture.process().runtime());

        get(borrower.stat(PATH));

        assertThat(borrower.metrics().snapshot().http()).isZero();
    }

    @Test
    void shouldLendNothingToWhoCannotProveTheCredentials() {
        connect(open());
        SharingPlace place = SharingPlace.of(config().build());
        SharingPlace foreign =
                SharingPlace.of(config().secret(Secret.generate()).build());

        Connection silent = dial(place);
        assertThat(ask(silent, new Forward(1, 1_000, new Bind("token")))).isEqualTo(ErrorCode.UNAUTHENTICATED);
        await().until(() -> !silent.isOpen());

        Connection wrong = dial(place);
        Proof lenders = (Proof) get(wrong.request(new Proof("n", ""), PATIENCE));
        Proof forged = new Proof("n", foreign.proof(Lending.BORROWER, "n", lenders.nonce()));
        assertThat(ask(wrong, forged)).isEqualTo(ErrorCode.UNAUTHENTICATED);
        await().until(() -> !wrong.isOpen());

        Connection reflecting = dial(place);
        Proof reflected = (Proof) get(reflecting.request(new Proof("n", ""), PATIENCE));
        assertThat(ask(reflecting, reflected)).isEqualTo(ErrorCode.UNAUTHENTICATED);
    }

    private Connection dial(SharingPlace place) {
        return get(fixture.clientTransport.connect(place.socket(), (connection, message, reply) -> {}));
    }

    private static ErrorCode ask(Connection connection, Message message) {
        return ((Failed) get(connection.request(message, PATIENCE))).code();
    }

    @Test
    void shouldLetNobodyGoByAHandleThatAnotherWasGiven() {
        ClientFixture.OwnProcess shared = fixture.process();
        LambdaFs alice = fixture.open(config(), shared.runtime());
        TestInstance instance = connect(alice);
        get(alice.stat(PATH));
        SharingPlace place = SharingPlace.of(config().build());
        Connection borrower = dial(place);
        long connection = borrow(borrower, place).instances().get(0).connection();
        OperationRequest request = byHandle(1);

        assertThat(ask(borrower, new Forward(connection, 30_000, request))).isEqualTo(ErrorCode.UNAUTHENTICATED);
        String forged = fixture.tokens
                .mint(new Principal("root", List.of()), Role.CLIENT, Duration.ofHours(1))
                .replaceFirst(".$", "_");
        assertThat(ask(borrower, new Forward(connection, 30_000, new Bind(forged))))
                .isEqualTo(ErrorCode.UNAUTHENTICATED);
        assertThat(ask(borrower, new Forward(connection + 1_000_000, 30_000, request)))
                .isEqualTo(ErrorCode.NOT_READY);
        assertThat(instance.requests()).hasSize(1);

        String token = fixture.tokens.mint(new Principal("alice", List.of("staff")), Role.CLIENT, Duration.ofHours(1));
        Bound bound = (Bound) get(borrower.request(new Forward(connection, 30_000, new Bind(token)), PATIENCE));
        assertThat(bound.principal()).isEqualTo(1);
        assertThat(get(borrower.request(new Forward(connection, 30_000, request), PATIENCE)))
                .isInstanceOf(OperationReply.class);
    }

    private static Lend borrow(Connection borrower, SharingPlace place) {
        Proof lenders = (Proof) get(borrower.request(new Proof("n", ""), PATIENCE));
        return (Lend) get(
                borrower.request(new Proof("n", place.proof(Lending.BORROWER, "n", lenders.nonce())), PATIENCE));
    }

    private static OperationRequest byHandle(int principal) {
        return new OperationRequest(
                principal, new RequestId(1, 2, 0, 3), 1, Long.MAX_VALUE, new ReadOperation.Stat(PATH));
    }

    @Test
    void shouldLetNobodyGoByAHandleThatItWasGivenOnAnotherConnection() {
        List<TestInstance> instances = List.of(
                fixture.instance(0, 1).answers(ClientFixture.serving()),
                fixture.instance(1, 2).answers(ClientFixture.serving()));
        fixture.gateway.answers(called -> instances
                .get(called.deployment())
                .dial(called.tcp().get(0))
                .thenApply(done -> TestGateway.reply(called, ClientFixture::serve)));
        ClientConfigBuilder config = config().deployments(2);
        LambdaFs alice = fixture.open(config, fixture.process().runtime());
        get(alice.warmUp());
        awaitConnections(alice, 2);
        for (int i = 0; instances.stream().anyMatch(each -> each.requests().isEmpty()); i++) {
            get(alice.stat(FsPath.of("/d" + i + "/f")));
        }
        SharingPlace place = SharingPlace.of(config.build());
        Connection borrower = dial(place);
        Lend lent = borrow(borrower, place);
        String token = fixture.tokens.mint(new Principal("alice", List.of("staff")), Role.CLIENT, Duration.ofHours(1));
        long one = lent.instances().get(0).connection();
        long other = lent.instances().get(1).connection();

        Bound bound = (Bound) get(borrower.request(new Forward(one, 30_000, new Bind(token)), PATIENCE));

        assertThat(get(borrower.request(new Forward(one, 30_000, byHandle(bound.principal())), PATIENCE)))
                .isInstanceOf(OperationReply.class);
        assertThat(ask(borrower, new Forward(other, 30_000, byHandle(bound.principal()))))
                .isEqualTo(ErrorCode.UNAUTHENTICATED);
    }

    @Test
    void shouldTellAnImpostorNothingAndGoItsOwnWay() {
        Queue<Message> heard = new ConcurrentLinkedQueue<>();
        SharingPlace place = SharingPlace.of(config().build());
        place.open();
        get(fixture.clientTransport.listen(place.socket(), (connection, message, reply) -> {
            heard.add(message);
            reply.accept(new Proof("mine", "0".repeat(64)));
        }));
        LambdaFs fs = open();
        fixture.starts(fixture.instance(0, 1).answers(ClientFixture.serving()));

        get(fs.stat(PATH));
        awaitConnections(fs, 1);

        assertThat(heard)
                .isNotEmpty()
                .allSatisfy(message -> assertThat(message)
                        .isInstanceOfSatisfying(
                                Proof.class, proof -> assertThat(proof.proof()).isEmpty()));
    }

    @Test
    void shouldGoItsOwnWayWhereTheProcessThatLendsHangs() {
        SharingPlace place = SharingPlace.of(config().build());
        place.open();
        get(fixture.clientTransport.listen(place.socket(), (connection, message, reply) -> {}));
        LambdaFs fs = open();
        fixture.starts(fixture.instance(0, 1).answers(ClientFixture.serving()));

        get(fs.stat(PATH));
        awaitConnections(fs, 1);

        get(fs.stat(PATH));
        assertThat(fs.metrics().snapshot().tcp()).isEqualTo(1);
    }

    @Test
    void shouldLeaveAProcessThatHangsWithRequestsUnderWay() {
        SharingPlace place = SharingPlace.of(config().build());
        place.open();
        // Greets, lends one connection, and answers nothing on it.
        get(fixture.clientTransport.listen(place.socket(), (connection, message, reply) -> {
            if (message instanceof Proof first && first.proof().isEmpty()) {
                reply.accept(new Proof("mine", place.proof(Lending.LENDER, first.nonce(), "mine")));
            } else if (message instanceof Proof) {
                connection.markAuthenticated();
                reply.accept(new Lend(1, 1, List.of(new Lend.Instance(7, 0, "i", 1))));
            }
        }));
        LambdaFs fs = fixture.open(
                config().times(FaultsTest.times(Duration.ofMillis(500), Duration.ofSeconds(50))),
                fixture.process().runtime());
        fixture.gateway.answersWith(ClientFixture::serve);

        get(fs.stat(PATH));

        assertThat(fixture.gateway.calls()).isNotEmpty();
    }

    @Tag("slow")
    @Test
    void shouldHaveInstancesConnectToAProcessThatNeedsMoreThanItIsLent() {
        connect(open());
        LambdaFs greedy = fixture.open(
                config(),
                fixture.process(TransportLimits.DEFAULT.withMaxInFlightPerConnection(2))
                        .runtime());
        get(greedy.stat(PATH));
        int lendersPort = fixture.gateway.calls().get(0).tcp().get(0).port();
        fixture.starts(fixture.instance(0, 2).answers(ClientFixture.serving()));

        List<CompletionStage<?>> all = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            all.add(greedy.stat(PATH));
        }
        all.forEach(ClientFixture::get);

        assertThat(fixture.gateway.calls())
                .anySatisfy(called -> assertThat(called.tcp().get(0).port()).isNotEqualTo(lendersPort));
    }
}
