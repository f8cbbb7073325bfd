package io.lambdafs.systemtests.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.model.FsPath;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The program of a {@link ClientProcess}: reads one request a line, does it with the client that it names, and writes one answer a line as
 * they come. Ends when its input does.
 */
final class ClientMain {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ClientMain() {}

    /** @param arguments the cluster's {@code client.json}, and how many clients */
    public static void main(String[] arguments) throws IOException {
        PrintStream out = System.out;
        // Whatever else is said goes to the log.
        System.setOut(System.err);
        ClientConfig config = ClientConfig.load(Path.of(arguments[0]));
        List<LambdaFs> clients = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
            clients.add(LambdaFs.open(config));
        }
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonNode asked = JSON.readTree(line);
            Request request = JSON.treeToValue(asked.get("request"), Request.class);
            Client.of(clients.get(asked.get("client").asInt()))
                    .ask(request, FsPath.of(asked.get("world").asText()))
                    .thenAccept(answer -> say(asked.get("id").asLong(), answer, out));
        }
        clients.forEach(LambdaFs::close);
    }

    private static void say(long id, Answer answer, PrintStream out) {
        ObjectNode line = JSON.createObjectNode().put("id", id).put("message", answer.message());
        line.set("shown", answer.shown());
        if (answer.code() != null) {
            line.put("error", answer.code().name());
        }
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (out) {
            out.write(bytes, 0, bytes.length);
            out.flush();
        }
    }
}
