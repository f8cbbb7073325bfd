package io.lambdafs.hadoop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.model.Principal;
import io.lambdafs.model.ReadOperation;
import io.lambdafs.model.Reply;
import io.lambdafs.model.testkit.MemoryNamespace;
import io.lambdafs.rpc.Codec;
import io.lambdafs.rpc.OperationReply;
import io.lambdafs.rpc.OperationRequest;
import io.lambdafs.rpc.RpcMessages;
import io.lambdafs.rpc.WireReader;
import io.lambdafs.rpc.WireWriter;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A service behind a real HTTP gateway that keeps a namespace in memory, and the directory that its clients find it by. */
final class TestService implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Codec CODEC = RpcMessages.codec();

    final MemoryNamespace namespace = new MemoryNamespace();
    private final Tokens tokens;
    private final HttpServer server;
    private final AtomicInteger listsUnderWay = new AtomicInteger();
    private final AtomicInteger mostListsAtOnce = new AtomicInteger();
    private volatile boolean listsSlowly;

    TestService(Path directory) {
        try {
            tokens = Tokens.signed(Secret.loadOrCreate(directory.resolve("secret")));
            server = HttpServer.start(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), this::handle, HttpLimits.defaults());
            Files.writeString(
                    directory.resolve("client.json"),
                    "{\"schema\":1,\"gateway\":\"http://127.0.0.1:" + server.port()
                            + "\",\"deployments\":4,\"secretFile\":\"secret\"}");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answers a listing, from now on, so late that others can come meanwhile. */
    void listsSlowly() {
        listsSlowly = true;
    }

    int mostListsAtOnce() {
        return mostListsAtOnce.get();
    }

    int port() {
        return server.port();
    }

    private CompletionStage<HttpReply> handle(HttpCall call) {
        try {
            JsonNode root = JSON.readTree(call.body());
            OperationRequest request = (OperationRequest) CODEC.read(new WireReader(
                    Base64.getDecoder().decode(root.get("request").textValue())));
            Reply reply;
            try {
                Principal caller = tokens.verify(root.get("token").textValue()).principal();
                reply = namespace.answer(caller, request.operation());
            } catch (RuntimeException e) {
                reply = Reply.Failure.of(e);
            }
            WireWriter out = new WireWriter();
            CODEC.write(out, new OperationReply(0, 1, false, reply));
            HttpReply answer = HttpReply.json(
                    200, "{\"v\":1,\"reply\":\"" + Base64.getEncoder().encodeToString(out.toByteArray()) + "\"}");
            return listsSlowly && request.operation() instanceof ReadOperation.ListPage
                    ? later(answer)
                    : CompletableFuture.completedFuture(answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private CompletionStage<HttpReply> later(HttpReply answer) {
        mostListsAtOnce.accumulateAndGet(listsUnderWay.incrementAndGet(), Math::max);
        return CompletableFuture.supplyAsync(
                () -> {
                    listsUnderWay.decrementAndGet();
                    return answer;
                },
                CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS));
    }

    @Override
    public void close() {
        server.close();
    }
}
