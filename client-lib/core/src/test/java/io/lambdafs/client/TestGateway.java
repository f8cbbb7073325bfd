package io.lambdafs.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.client.tcp.TcpOffer;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpServer;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.rpc.transports.TransportKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A real HTTP server in the place of the platform's gateway; what it answers is the test's to say. Thread-safe. */
public final class TestGateway implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Codec CODEC = RpcMessages.codec();

    /** A received call. */
    public record Called(
            String path, String authorization, @Nullable OperationRequest request, String token, List<TcpOffer> tcp) {
        public int deployment() {
            return Integer.parseInt(path.replaceAll("^.*\\D", ""));
        }
    }

    private final HttpServer server;
    private final Queue<Called> calls = new ConcurrentLinkedQueue<>();
    private volatile Function<Called, CompletionStage<HttpReply>> behaviour =
            called -> CompletableFuture.completedFuture(HttpReply.text(500, "no behaviour"));

    public TestGateway() {
        try {
            server = HttpServer.start(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    this::handle,
                    HttpLimits.defaults().withMaxBodyBytes(8 << 20));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    /** Answers every call so from now on. */
    public TestGateway answers(Function<Called, CompletionStage<HttpReply>> newBehaviour) {
        behaviour = newBehaviour;
        return this;
    }

    public TestGateway answersStatus(int status, String body) {
        return answers(called -> CompletableFuture.completedFuture(HttpReply.json(status, body)));
    }

    /** Answers as a function of deployment and epoch 0 would. */
    public TestGateway answersWith(Function<OperationRequest, Reply> function) {
        return answers(called -> CompletableFuture.completedFuture(reply(called, function)));
    }

    public static HttpReply reply(Called called, Function<OperationRequest, Reply> function) {
        if (called.request() == null) {
            return HttpReply.json(200, "{\"v\":1}");
        }
        return reply(new OperationReply(called.deployment(), 0, false, function.apply(called.request())));
    }

    public static HttpReply reply(OperationReply reply) {
        WireWriter out = new WireWriter();
        CODEC.write(out, reply);
        return HttpReply.json(
                200, "{\"v\":1,\"reply\":\"" + Base64.getEncoder().encodeToString(out.toByteArray()) + "\"}");
    }

    public List<Called> calls() {
        return List.copyOf(calls);
    }

    private CompletionStage<HttpReply> handle(HttpCall call) {
        Called called = parse(call);
        calls.add(called);
        return behaviour.apply(called);
    }

    private static Called parse(HttpCall call) {
        try {
            JsonNode root = JSON.readTree(call.body());
            OperationRequest request = root.has("request")
                    ? (OperationRequest) CODEC.read(new WireReader(
                            Base64.getDecoder().decode(root.get("request").textValue())))
                    : null;
            List<TcpOffer> offers = new ArrayList<>();
            for (JsonNode offer : root.get("tcp")) {
                offers.add(new TcpOffer(
                        offer.get("host").textValue(),
                        offer.get("port").intValue(),
                        TransportKind.of(offer.get("transport").textValue()),
                        offer.get("registration").textValue()));
            }
            return new Called(
                    call.path(),
                    call.header("authorization").orElse(""),
                    request,
                    root.get("token").textValue(),
                    offers);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
