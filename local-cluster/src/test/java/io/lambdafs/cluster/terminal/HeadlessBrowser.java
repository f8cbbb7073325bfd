package io.lambdafs.cluster.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A Chromium without a window and one page in it, asked by its DevTools protocol. Ended when it is closed. */
public final class HeadlessBrowser implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final HttpClient http;
    private final WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
    private final List<String> errors = new CopyOnWriteArrayList<>();

    /** The browser of this machine, if there is one. */
    public static Optional<Path> installed() {
        return Stream.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
                .flatMap(name -> Arrays.stream(System.getenv("PATH").split(":")).map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** @param folder for its profile */
    public HeadlessBrowser(Path program, Path folder) throws Exception {
        process = new ProcessBuilder(
                        program.toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-extensions",
                        "--disable-sync",
                        "--no-first-run",
                        "--hide-scrollbars",
                        "--force-device-scale-factor=1",
                        "--window-size=1280,1000",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("browser.log").toFile())
                .start();
        http = HttpClient.newHttpClient();
        Path port = folder.resolve("profile/DevToolsActivePort");
        Awaitility.await()
                .until(() -> Files.exists(port) && Files.readAllLines(port).size() > 1);
        String devTools = "http://127.0.0.1:" + Files.readAllLines(port).get(0);
        URI page = Awaitility.await()
                .until(() -> pageOf(devTools), Optional::isPresent)
                .orElseThrow();
        socket = http.newWebSocketBuilder().buildAsync(page, new Answers()).get();
        ask("Page.enable", JSON.createObjectNode());
        ask("Runtime.enable", JSON.createObjectNode());
        ask("Log.enable", JSON.createObjectNode());
    }

    private Optional<URI> pageOf(String devTools) throws IOException, InterruptedException {
        HttpResponse<String> list = http.send(
                HttpRequest.newBuilder(URI.create(devTools + "/json/list")).build(),
                HttpResponse.BodyHandlers.ofString());
        for (JsonNode each : JSON.readTree(list.body())) {
            if (each.path("type").asText().equals("page")) {
                return Optional.of(URI.create(each.path("webSocketDebuggerUrl").asText()));
            }
        }
        return Optional.empty();
    }

    /** Gathers messages, whole ones of which are answers or events. */
    private final class Answers implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                try {
                    came(JSON.readTree(text.toString()));
                } catch (IOException e) {
                    errors.add("DevTools sent no JSON: " + e);
                }
                text.setLength(0);
            }
            from.request(1);
            return null;
        }
    }

    private void came(JsonNode message) {
        CompletableFuture<JsonNode> waiting = asked.remove(message.path("id").asInt(-1));
        if (waiting != null) {
            waiting.complete(message);
        } else if (message.path("method").asText().equals("Runtime.exceptionThrown")) {
            errors.add(message.path("params").path("exceptionDetails").toString());
        } else if (message.path("method").asText().equals("Log.entryAdded")
                && message.at("/params/entry/level").asText().equals("error")) {
            errors.add(message.at("/params/entry").toString());
        }
    }

    private JsonNode ask(String method, ObjectNode parameters) throws Exception {
        int id = ids.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        asked.put(id, answer);
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", parameters);
        socket.sendText(message.toString(), true).get();
        JsonNode reply = answer.get();
        if (reply.has("error")) {
            throw new IllegalStateException(method + ": " + reply.path("error"));
        }
        return reply.path("result");
    }

    public void open(String address) throws Exception {
        ask("Page.navigate", JSON.createObjectNode().put("url", address));
        Awaitility.await()
                .until(() ->
                        evaluate("document.readyState + location.href").asText().startsWith("complete")
                                && !evaluate("location.href").asText().equals("about:blank"));
    }

    /** The value of a JavaScript expression in the page. */
    public JsonNode evaluate(String expression) throws Exception {
        JsonNode result = ask(
                "Runtime.evaluate",
                JSON.createObjectNode().put("expression", expression).put("returnByValue", true));
        if (result.has("exceptionDetails")) {
            throw new IllegalStateException(expression + ": " + result.path("exceptionDetails"));
        }
        return result.path("result").path("value");
    }

    /** The text of the elements that a selector finds, each on a line. */
    public String text(String selector) throws Exception {
        return evaluate("[...document.querySelectorAll(" + JSON.writeValueAsString(selector)
                        + ")].map((e) => e.innerText).join('\\n')")
                .asText();
    }

    /** How many colours a plot has: 1 where nothing is drawn. */
    public int colours(String canvas) throws Exception {
        return evaluate("(() => { const c = document.getElementById('" + canvas + "');"
                        + "const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
                        + "const seen = new Set(); for (let i = 0; i < d.length; i += 4)"
                        + " seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]); return seen.size; })()")
                .asInt();
    }

    /**
     * Opens a page that is a file, and waits until its plots are drawn.
     *
     * @param plots how many it has at least
     * @param folder for the browser's profile
     */
    public static void check(Path program, Path page, int plots, Path folder) throws Exception {
        try (HeadlessBrowser browser = new HeadlessBrowser(program, Files.createDirectories(folder))) {
            browser.open(page.toUri().toString());
            Awaitility.await()
                    .until(() -> browser.evaluate(
                                            "[...document.querySelectorAll('canvas')].filter((c) => {"
                                                    + "if (!c.width) return false;"
                                                    + "const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
                                                    + "const seen = new Set(); for (let i = 0; i < d.length; i += 4)"
                                                    + " seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]); return seen.size > 8; }).length")
                                    .asInt()
                            >= plots);
            if (!browser.errors().isEmpty() || browser.text("table tr").isEmpty()) {
                throw new AssertionError(page + ": " + browser.errors());
            }
        }
    }

    /** Shows the page as on a desktop that is dark, or light. */
    public void dark(boolean dark) throws Exception {
        ObjectNode parameters = JSON.createObjectNode();
        parameters
                .putArray("features")
                .addObject()
                .put("name", "prefers-color-scheme")
                .put("value", dark ? "dark" : "light");
        ask("Emulation.setEmulatedMedia", parameters);
    }

    /** A picture of the whole page. */
    public void screenshot(Path file) throws Exception {
        JsonNode picture = ask(
                "Page.captureScreenshot",
                JSON.createObjectNode().put("format", "png").put("captureBeyondViewport", true));
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, Base64.getDecoder().decode(picture.path("data").asText()));
    }

    /** Returns the errors that the page has logged, and those that its scripts have thrown. */
    public List<String> errors() {
        return List.copyOf(errors);
    }

    @Override
    public void close() {
        socket.abort();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        try {
            process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
