package io.lambdafs.lambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Role;
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
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
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
import org.crac.Core;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Invocations of the handler, between which its process is frozen: it holds nothing that anybody could wait for. */
@Timeout(60)
class HandleRequestTest {
    private static final int DEPLOYMENTS = 1;
    private static final Principal ADMIN = new Principal("admin", List.of(Principal.SUPERGROUP));
    private static final FsPath DIRECTORY = FsPath.of("/d");

    @TempDir
    Path folder;

    private final SystemScheduler scheduler = new SystemScheduler("cluster", 4, 10_000);
    private final Transport transport =
            new NettyTransport(StoreMessages.codec(), 1, "cluster-loop", TransportLimits.DEFAULT);
    private final MemoryStore store = new MemoryStore(scheduler);
    private final Tokens tokens = Tokens.insecure();
    private final Codec codec = RpcMessages.codec();
    private NameNodeHandler handler;
    private long sequence;

    @BeforeEach
    void start() throws Exception {
        Formatter.format(store, DEPLOYMENTS, "admin", scheduler.currentTimeMillis())
                .toCompletableFuture()
                .get();
        StoreServer server = StoreServer.start(
                        store, transport, tokens, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .toCompletableFuture()
                .get();
        handler = new NameNodeHandler(variables(server.address().getPort(), Map.of()));
    }

    @AfterEach
    void stop() {
        handler.beforeCheckpoint(Core.getGlobalContext());
        transport.close();
        scheduler.close();
    }

    private Map<String, String> variables(int port, Map<String, String> more) throws IOException {
        Path config = Files.writeString(
                folder.resolve("function.json"),
                "{\"deployments\":" + DEPLOYMENTS + ",\"superuser\":\"admin\",\"store\":\"127.0.0.1:" + port
                        + "\",\"coordinator\":\"store\",\"inv\":\"relayed\",\"insecure\":true}");
        Map<String, String> all =
                new HashMap<>(Map.of("LAMBDAFS_CONF", config.toString(), "AWS_LAMBDA_FUNCTION_NAME", "mine-nn0"));
        all.putAll(more);
        return all;
    }

    private OperationRequest request(Operation<?> operation) {
        assertThat(new Placement(DEPLOYMENTS).of(operation)).isZero();
        RequestId id = new RequestId(1, 2, 0, ++sequence);
        return new OperationRequest(0, id, 1, scheduler.currentTimeMillis() + 30_000, operation);
    }

    private byte[] invoke(String body) throws IOException {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        com.amazonaws.services.lambda.runtime.Context context =
                (com.amazonaws.services.lambda.runtime.Context) Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {com.amazonaws.services.lambda.runtime.Context.class},
                        (proxy, method, arguments) ->
                                method.getName().equals("getRemainingTimeInMillis") ? 30_000 : null);
        handler.handleRequest(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)), output, context);
        return output.toByteArray();
    }

    private OperationReply invoke(OperationRequest request) throws IOException {
        WireWriter out = new WireWriter();
        codec.write(out, request);
        byte[] answer = invoke("{\"v\":1,\"request\":\""
                + Base64.getEncoder().encodeToString(out.toByteArray()) + "\",\"token\":\""
                + tokens.mint(ADMIN, Role.CLIENT, Duration.ofMinutes(1)) + "\",\"tcp\":[]}");
        try (JsonParser parser = new JsonFactory().createParser(answer)) {
            while (parser.nextToken() != null) {
                if ("reply".equals(parser.currentName()) && parser.currentToken() == JsonToken.VALUE_STRING) {
                    return (OperationReply) codec.read(new WireReader(parser.getBinaryValue()));
                }
            }
        }
        throw new AssertionError("no reply in " + new String(answer, StandardCharsets.UTF_8));
    }

    private long leases() {
        return store.rows().stream()
                .filter(row -> row.key().table().equals(Schema.INSTANCES))
                .count();
    }

    @Test
    void shouldServeEachInvocationUnderAnEpochOfItsOwnAndHoldNoneInBetween() throws Exception {
        OperationReply made = invoke(request(new NamespaceOperation.Mkdirs(DIRECTORY, 0755, true)));
        assertThat(made.reply()).isEqualTo(Reply.Done.YES);
        assertThat(leases()).as("while it is frozen").isZero();

        OperationReply seen = invoke(request(new ReadOperation.Stat(DIRECTORY)));

        assertThat(seen.reply()).isInstanceOf(Reply.Status.class);
        assertThat(seen.epoch()).isGreaterThan(made.epoch());
        assertThat(leases()).as("while it is frozen again").isZero();
    }

    @Test
    void shouldAnswerARepeatedRequestAsBefore() throws Exception {
        OperationRequest delete = request(new NamespaceOperation.Delete(DIRECTORY, true));
        assertThat(invoke(delete).reply()).isEqualTo(Reply.Done.NO);
        OperationRequest mkdirs = request(new NamespaceOperation.Mkdirs(DIRECTORY, 0755, true));
        assertThat(invoke(mkdirs).reply()).isEqualTo(Reply.Done.YES);
        OperationRequest again = request(new NamespaceOperation.Delete(DIRECTORY, true));
        assertThat(invoke(again).reply()).isEqualTo(Reply.Done.YES);

        assertThat(invoke(again).reply()).as("asked again").isEqualTo(Reply.Done.YES);
    }

    @Test
    void shouldGiveItsLeaseBackWhereACallIsMalformed() throws Exception {
        invoke(request(new NamespaceOperation.Mkdirs(DIRECTORY, 0755, true)));

        assertThatThrownBy(() -> invoke("[]")).isInstanceOf(FsException.class);

        assertThat(leases()).isZero();
        assertThat(invoke(request(new ReadOperation.Stat(DIRECTORY))).reply()).isInstanceOf(Reply.Status.class);
    }

    @Test
    void shouldForgetItsIdentityInASnapshot() throws Exception {
        OperationReply before = invoke(request(new NamespaceOperation.Mkdirs(DIRECTORY, 0755, true)));

        handler.beforeCheckpoint(Core.getGlobalContext());
        handler.afterRestore(Core.getGlobalContext());

        OperationReply after = invoke(request(new ReadOperation.Stat(DIRECTORY)));
        assertThat(after.reply()).isInstanceOf(Reply.Status.class);
        assertThat(after.epoch()).isGreaterThan(before.epoch());
        assertThat(leases()).isZero();
    }
}
