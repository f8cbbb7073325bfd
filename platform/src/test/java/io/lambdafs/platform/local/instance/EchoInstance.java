package io.lambdafs.platform.local.instance;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.platform.Json;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpHandler;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpServer;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A function instance as a process, for tests. The value of {@code /run} tells it what to do: {@code print} a line, {@code exit}
 * with a code, {@code hang} for ever; it answers with the value, its environment's ids, what {@code /init} gave it and
 * numbers of its random generators. As a {@code template} it waits to be told its environment.
 */
public final class EchoInstance implements HttpHandler {
    /** Made before an image is taken, as those of the JDK and of static fields are. */
    private static final SecureRandom RANDOM = new SecureRandom();

    private static final int CLINGING_MINUTES = 5;

    private static Map<String, String> variables = System.getenv();

    private volatile String initialised = "";

    private EchoInstance() {}

    @Override
    public List<Secret> keys() {
        return List.of(Secret.of(variable("LAMBDAFS_ACTION_KEY")));
    }

    @Override
    public Optional<HttpReply> refuse(HttpCall head) {
        boolean isAllowed = head.method().equals("GET")
                || keys().get(0).matches(head.header("authorization").orElse(""));
        return isAllowed ? Optional.empty() : Optional.of(HttpReply.empty(401));
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("fail")) {
            System.exit(7);
        }
        if (arguments.length > 1 && arguments[0].equals("template")) {
            random();
            Files.createFile(Path.of(arguments[1]));
            variables = letter();
            endWithInput();
        }
        if (arguments.length > 0 && arguments[0].equals("mute")) {
            new CountDownLatch(1).await();
        }
        HttpServer server = HttpServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), new EchoInstance(), HttpLimits.defaults());
        if (arguments.length == 0) {
            long parent = Long.parseLong(variable("LAMBDAFS_PARENT_PID"));
            ProcessHandle.of(parent).ifPresent(process -> process.onExit().thenRun(() -> System.exit(0)));
        }
        Path portFile = Path.of(variable("LAMBDAFS_ACTION_PORT_FILE"));
        Path temporary = portFile.resolveSibling(portFile.getFileName() + ".new");
        Files.writeString(temporary, Integer.toString(server.port()));
        Files.move(temporary, portFile, StandardCopyOption.ATOMIC_MOVE);
        System.out.println("listening");
        // A clinging one has nobody who ends it once its gateways are gone.
        if (!new CountDownLatch(1).await(CLINGING_MINUTES, TimeUnit.MINUTES)) {
            System.exit(0);
        }
    }

    private static Map<String, String> letter() throws IOException {
        Map<String, String> told = new HashMap<>();
        StringBuilder entry = new StringBuilder();
        for (int next = System.in.read(); next >= 0; next = System.in.read()) {
            if (next > 0) {
                entry.append((char) next);
            } else if (entry.isEmpty()) {
                return told;
            } else {
                String[] parts = entry.toString().split("=", 2);
                told.put(parts[0], parts[1]);
                entry.setLength(0);
            }
        }
        throw new EOFException();
    }

    private static void endWithInput() {
        Thread watch = new Thread(() -> {
            try {
                System.in.transferTo(OutputStream.nullOutputStream());
            } catch (IOException e) {
                System.err.println("the input failed: " + e);
            }
            System.exit(0);
        });
        watch.setDaemon(true);
        watch.start();
    }

    private static String variable(String name) {
        return String.valueOf(variables.get(name));
    }

    /** How it is started, with a template for images. */
    static KindCommand withTemplate(Map<String, String> environment) {
        KindCommand usual = command(environment);
        return new KindCommand(
                usual.command(),
                environment,
                usual.runtime(),
                command(Map.of(), "template").command());
    }

    /** How it is started. */
    public static KindCommand command(Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                "{java}",
                "-Xmx48m",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-XX:+UseSerialGC",
                "-cp",
                "{classPath}",
                EchoInstance.class.getName()));
        command.addAll(List.of(arguments));
        return new KindCommand(command, environment);
    }

    @Override
    public CompletionStage<HttpReply> handle(HttpCall call) {
        return switch (call.path()) {
            case "/init" -> {
                initialised =
                        Json.parseObject(call.body()).path("value").path("env").toString();
                yield done(HttpReply.json(200, "{\"ok\":true}"));
            }
            case "/run" -> run(Json.parseObject(call.body()).path("value"));
            case "/metrics" -> done(HttpReply.text(200, """
                        # TYPE lambdafs_billed_milliseconds_total counter
                        lambdafs_billed_milliseconds_total 4321.0
                        """));
            default -> done(HttpReply.empty(404));
        };
    }

    private CompletionStage<HttpReply> run(JsonNode value) {
        if (value.has("print")) {
            System.out.println(value.path("print").asText());
        }
        if (value.has("exit")) {
            Runtime.getRuntime().halt(value.path("exit").asInt());
        }
        if (value.has("hang")) {
            return new CompletableFuture<>();
        }
        return done(HttpReply.json(
                200,
                Json.bytes(Json.object()
                        .put("instance", variable("LAMBDAFS_INSTANCE_ID"))
                        .put("key", String.valueOf(variables.get(ProcessLauncher.API_KEY_VARIABLE)))
                        .put("random", random())
                        .put("flavour", variable("FLAVOUR"))
                        .put("init", initialised)
                        .set("value", value))));
    }

    private static String random() {
        return RANDOM.nextLong() + " " + UUID.randomUUID() + " "
                + new SystemScheduler("random", 1, 1).random().nextLong();
    }

    private static CompletionStage<HttpReply> done(HttpReply reply) {
        return CompletableFuture.completedFuture(reply);
    }
}
