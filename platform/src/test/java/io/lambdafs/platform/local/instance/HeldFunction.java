package io.lambdafs.platform.local.instance;

import io.lambdafs.platform.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** A function whose replies a test gives by hand; it keeps what it was sent. Thread-safe. */
public final class HeldFunction implements ActionFunction {
    public final List<Held> runs = new CopyOnWriteArrayList<>();
    public final List<String> inits = new CopyOnWriteArrayList<>();
    public final CompletableFuture<byte[]> init = new CompletableFuture<>();
    public volatile boolean closed;
    public volatile boolean aborted;
    public volatile String metrics = "";

    /** One invocation. */
    public record Held(String json, CompletableFuture<byte[]> reply) {
        /** Answers with an object that echoes the invocation's value. */
        public void release() {
            reply.complete(Json.bytes(Json.object()
                    .set(
                            "echo",
                            Json.parseObject(json.getBytes(StandardCharsets.UTF_8))
                                    .get("value"))));
        }
    }

    @Override
    public CompletionStage<byte[]> init(byte[] json) {
        inits.add(new String(json, StandardCharsets.UTF_8));
        return init;
    }

    @Override
    public CompletionStage<byte[]> run(byte[] json) {
        Held held = new Held(new String(json, StandardCharsets.UTF_8), new CompletableFuture<>());
        runs.add(held);
        return held.reply();
    }

    /** Invocations that wait for their reply. */
    public List<Held> open() {
        return runs.stream().filter(each -> !each.reply().isDone()).toList();
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public void abort() {
        aborted = true;
    }

    @Override
    public String metrics() {
        return metrics;
    }
}
