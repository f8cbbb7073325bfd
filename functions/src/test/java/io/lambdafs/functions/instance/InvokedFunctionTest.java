package io.lambdafs.functions.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.functions.openwhisk.ClientServer;
import io.lambdafs.functions.serving.FunctionInstance;
import io.lambdafs.functions.serving.Steadiness;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Role;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.store.Schema;
import io.lambdafs.store.memory.MemoryStore;
import io.lambdafs.store.server.StoreMessages;
import io.lambdafs.store.server.StoreServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A function that is invoked, with all that it connects to: a store server, and the TCP server of its client. */
class InvokedFunctionTest {
    private static final Principal ADMIN = new Principal("admin", List.of(Principal.SUPERGROUP));
    private static final FsPath DIRECTORY = FsPath.of("/d");

    @TempDir
    Path folder;

    private final SystemScheduler scheduler = new SystemScheduler("outside", 4, 10_000);
    private final Codec codec =
            StoreMessages.register(RpcMessages.register(Codec.builder())).build();
    private final Transport transport = new NettyTransport(codec, 1, "outside-loop", TransportLimits.DEFAULT);
    private final MemoryStore store = new MemoryStore(scheduler);
    private Tokens tokens;
    private Map<String, String> variables;
    private long sequence;

    @BeforeEach
    void startStore() throws Exception {
        Formatter.format(store, 1, "admin", scheduler.currentTimeMillis())
                .toCompletableFuture()
                .get();
        Path file = folder.resolve("secret");
        tokens = Tokens.signed(Secret.loadOrCreate(file));
        StoreServer server = StoreServer.start(
                        store, transport, tokens, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .toCompletableFuture()
                .get();
        variables = new HashMap<>(Map.of(
                "LAMBDAFS_CONFIG",
                "{\"deployments\":1,\"superuser\":\"admin\",\"store\":\"127.0.0.1:"
                        + server.address().getPort() + "\",\"coordinator\":\"store\",\"listenHost\":\"127.0.0.1\"}",
                "LAMBDAFS_SECRET",
                Files.readString(file)));
    }

    @AfterEach
    void stopStore() {
        transport.close();
        scheduler.close();
    }

    private InvokedFunction open() {
        return InvokedFunction.open(variables);
    }

    private Reply call(InvokedFunction function, Operation<?> operation, String tcp) throws Exception {
        RequestId id = new RequestId(1, 2, 0, ++sequence);
        WireWriter out = new WireWriter();
        codec.write(out, new OperationRequest(0, id, 1, scheduler.currentTimeMillis() + 30_000, operation));
        byte[] answer = function.call(("{\"v\":1,\"request\":\""
                        + Base64.getEncoder().encodeToString(out.toByteArray()) + "\",\"token\":\""
                        + tokens.mint(ADMIN, Role.CLIENT, Duration.ofMinutes(1)) + "\",\"tcp\":[" + tcp + "]}")
                .getBytes(StandardCharsets.UTF_8));
        byte[] reply = new ObjectMapper().readTree(answer).get("reply").binaryValue();
        return ((OperationReply) codec.read(new WireReader(reply))).reply();
    }

    private long epochs() {
        return store.rows().stream()
                .filter(row -> row.key().table().equals(Schema.EPOCHS))
                .count();
    }

    @Test
    void shouldServeCallsAndConnectToTheClientThatMakesThem() throws Exception {
        ClientServer client = new ClientServer(transport);
        try (InvokedFunction function = open()) {
            assertThat(function.isStarted()).isFalse();
            FunctionInstance instance = function.start(0, "i-1");
            instance.joined().toCompletableFuture().get();
            String offer = "{\"host\":\"127.0.0.1\",\"port\":" + client.port() + ",\"registration\":\""
                    + ClientServer.SECRET + "\"}";
            assertThat(call(function, new NamespaceOperation.Mkdirs(DIRECTORY, 0755, true), offer))
                    .isEqualTo(Reply.Done.YES);
            assertThat(call(function, new ReadOperation.Stat(DIRECTORY), "")).isInstanceOf(Reply.Status.class);
            await().untilAsserted(() -> assertThat(client.registered).hasSize(1));
            assertThatThrownBy(() -> function.call("[]".getBytes(StandardCharsets.UTF_8)))
                    .isInstanceOfSatisfying(
                            FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
        }
        assertThat(epochs()).as("once it has left").isZero();
    }

    @Test
    void shouldHoldNothingWhileItIsSuspended() throws Exception {
        try (InvokedFunction function = open()) {
            FunctionInstance instance = function.start(0, "i-1");
            instance.joined().toCompletableFuture().get();
            long first = instance.epoch();
            assertThat(epochs()).isEqualTo(1);
            function.suspend(10_000);
            assertThat(epochs()).isZero();
            instance.resume(true).toCompletableFuture().get();
            assertThat(instance.epoch()).isGreaterThan(first);
            assertThat(call(function, new ReadOperation.Stat(FsPath.ROOT), "")).isInstanceOf(Reply.Status.class);
        }
    }

    @Test
    void shouldSayThatItHasNotBeenStarted() {
        try (InvokedFunction function = open()) {
            assertThatThrownBy(() -> function.call(new byte[0])).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(function::instance).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldRehearseEveryStepWithoutChangingTheStore() throws Exception {
        FunctionConfig config = InstanceConfiguration.of(variables).read();
        List<?> before = store.rows();
        try (InstanceRuntime runtime = new InstanceRuntime(config)) {
            assertThat(runtime.rehearseAlone(() -> true).get()).isTrue();
            assertThat(runtime.openTransactions()).isZero();
        }
        assertThat(store.rows()).isEqualTo(before);
    }

    /** Each step that it took then would delay the join that it is told to give way to. */
    @Test
    void shouldTakeNoFurtherStepOnceARehearsalIsNotWanted() throws Exception {
        FunctionConfig config = InstanceConfiguration.of(variables).read();
        for (int most : List.of(0, 10, 21, 30, 200)) {
            AtomicInteger steps = new AtomicInteger();
            try (InstanceRuntime runtime = new InstanceRuntime(config)) {
                assertThat(runtime.rehearseAlone(() -> steps.incrementAndGet() <= most)
                                .get())
                        .isTrue();
            }
            assertThat(steps).hasValue(most + 1);
        }
    }

    /** The burst that it is restored for needs the processor. */
    @Test
    void shouldOnlyReadFromOthersWhereItsCodeIsWarmAlready() throws Exception {
        FunctionConfig config = InstanceConfiguration.of(variables).read();
        Steadiness settled = new Steadiness();
        while (!settled.isSettled()) {
            settled.add(Steadiness.WINDOW, 1_000);
        }
        AtomicInteger steps = new AtomicInteger();
        try (InstanceRuntime runtime = new InstanceRuntime(config, variables, settled)) {
            assertThat(runtime.rehearseAlone(() -> steps.incrementAndGet() > 0).get())
                    .isTrue();
        }
        assertThat(steps).hasValueLessThan(100);
    }

    @Test
    void shouldLeaveAThreadInterruptedThatItWasInterruptedIn() throws Exception {
        InvokedFunction function = open();
        FunctionInstance instance = function.start(0, "i-1");
        instance.joined().toCompletableFuture().get();
        List<ThrowableAssert.ThrowingCallable> waits = List.of(
                () -> call(function, new NamespaceOperation.Mkdirs(DIRECTORY, 0755, true), ""),
                () -> function.suspend(10_000));
        for (ThrowableAssert.ThrowingCallable each : waits) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(each)
                    .isInstanceOfSatisfying(
                            FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED));
            assertThat(Thread.interrupted()).isTrue();
        }
        Thread.currentThread().interrupt();
        function.rehearse(60_000);
        assertThat(Thread.interrupted()).isTrue();
        Thread.currentThread().interrupt();
        function.close();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void shouldEndItsThreads() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        try (InvokedFunction function = open()) {
            function.rehearse(60_000);
        }
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> !before.contains(thread))
                        .map(Thread::getName)
                        .filter(name -> name.startsWith("worker") || name.startsWith("control"))
                        .collect(Collectors.toSet()))
                .isEmpty());
    }

    @Test
    void shouldAdvertiseTheHostItIsToldOrTheOneItReachesTheStoreBy() throws Exception {
        String text =
                variables.get("LAMBDAFS_CONFIG").replace("\"listenHost\":\"127.0.0.1\"", "\"listenHost\":\"0.0.0.0\"");
        variables.put("LAMBDAFS_CONFIG", text);
        assertThat(InstanceConfiguration.of(variables).read().endpoints().advertisedHost())
                .isEqualTo("127.0.0.1");
        variables.put("LAMBDAFS_ADVERTISED_HOST", "10.1.2.3");
        assertThat(InstanceConfiguration.of(variables).read().endpoints().advertisedHost())
                .isEqualTo("10.1.2.3");
        Path file = Files.writeString(folder.resolve("function.json"), text.replace("0.0.0.0", "10.9.9.9"));
        variables.remove("LAMBDAFS_ADVERTISED_HOST");
        variables.put("LAMBDAFS_CONF", file.toString());
        assertThat(InstanceConfiguration.of(variables).read().endpoints().advertisedHost())
                .isEqualTo("10.9.9.9");
    }
}
