package io.lambdafs.hadoop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.testkit.MemoryNamespace;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpServer;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.message.RpcMessages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A service behind a real HTTP gateway that keeps a namespace in memory, and the directory that its clients find it by. */
final class TestService implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Codec CODEC = RpcMessages.codec();

    final MemoryNamespace namespace = new MemoryNamespace();
    private final Tokens tokens;
    private final HttpServer server;
    private final Queue<Integer> listed = new ConcurrentLinkedQueue<>();

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

    /** Returns how many directories each message has listed since the last call. */
    List<Integer> listed() {
        List<Integer> each = List.copyOf(listed);
        listed.clear();
        return each;
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
            if (request.operation() instanceof ReadOperation.ListEach each) {
                listed.add(each.paths().size());
            }
            return CompletableFuture.completedFuture(answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
