package io.lambdafs.systemtests.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clients in a process of their own, which may be killed and started anew. What was under way at its end is answered as lost; what is asked
 * while there is none waits for the next one. One thread starts and ends it; its clients are thread-safe.
 */
final class ClientProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClientProcess.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path clientJson;
    private final int clients;
    private final Path log;
    /** Where answers are taken. */
    private final Executor executor;

    private final Map<Long, Asked> underWay = new HashMap<>();
    private final Queue<Asked> waiting = new ArrayDeque<>();
    private long lastId;
    private @Nullable Process process;
    private boolean answers;

    private static final class Asked {
        private final ObjectNode line;
        private final CompletableFuture<Answer> answer = new CompletableFuture<>();
        private long invoked;

        Asked(ObjectNode line) {
            this.line = line;
        }
    }

    ClientProcess(Path clientJson, int clients, Path log, Executor executor) {
        this.clientJson = clientJson;
        this.clients = clients;
        this.log = log;
        this.executor = executor;
    }

    Client client(int number) {
        return (request, world) -> ask(number, request, world);
    }

    private synchronized CompletionStage<Answer> ask(int client, Request request, FsPath world) {
        ObjectNode line = JSON.createObjectNode()
                .put("id", ++lastId)
                .put("client", client)
                .put("world", world.toString());
        line.set("request", JSON.valueToTree(request));
        Asked asked = new Asked(line);
        if (process == null) {
            waiting.add(asked);
        } else {
            send(asked, process);
        }
        return asked.answer;
    }

    private void send(Asked asked, Process to) {
        asked.invoked = System.nanoTime();
        underWay.put(asked.line.get("id").asLong(), asked);
        try {
            OutputStream out = to.getOutputStream();
            out.write((asked.line + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException ended) {
            LOG.debug("A request met the end of its client; it is lost when that has said its last", ended);
        }
    }

    synchronized void start() throws IOException {
        Process started = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ClientMain.class.getName(),
                        clientJson.toString(),
                        Integer.toString(clients))
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        process = started;
        answers = false;
        Thread reader = new Thread(() -> read(started), "client-process");
        reader.setDaemon(true);
        reader.start();
        while (!waiting.isEmpty()) {
            send(waiting.remove(), started);
        }
    }

    private void read(Process from) {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(from.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                JsonNode tree = JSON.readTree(line);
                Asked asked = take(tree.path("id").asLong());
                if (asked != null) {
                    Answer answer = answer(asked, tree);
                    executor.execute(() -> asked.answer.complete(answer));
                }
            }
        } catch (IOException tornOff) {
            LOG.debug("An answer was cut off by the end of its client: it is none", tornOff);
        }
        List<Asked> lost;
        synchronized (this) {
            lost = List.copyOf(underWay.values());
            underWay.clear();
            process = null;
        }
        lost.forEach(each -> executor.execute(() -> each.answer.complete(Answer.lost(each.invoked))));
    }

    private synchronized @Nullable Asked take(long id) {
        answers = true;
        return underWay.remove(id);
    }

    private static Answer answer(Asked asked, JsonNode tree) {
        JsonNode error = tree.get("error");
        return new Answer(
                asked.invoked,
                System.nanoTime(),
                (ObjectNode) tree.get("shown"),
                error == null ? null : ErrorCode.valueOf(error.asText()),
                tree.path("message").asText(),
                false);
    }

    /** The live one. */
    synchronized @Nullable ProcessHandle process() {
        return process == null ? null : process.toHandle();
    }

    /** Returns whether the live one has answered. */
    synchronized boolean answers() {
        return process != null && answers;
    }

    @Override
    public void close() {
        ProcessHandle last = process();
        if (last != null) {
            last.destroyForcibly();
        }
    }
}
