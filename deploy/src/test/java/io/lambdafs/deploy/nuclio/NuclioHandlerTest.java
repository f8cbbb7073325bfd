package io.lambdafs.deploy.nuclio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The handler in Python, called as Nuclio calls it. Skipped where there is no python3. */
class NuclioHandlerTest {
    /** Calls as Nuclio hands them to a handler, with the body as JSON, bytes and text. */
    private static final String CALLS = """
            import json, types
            import main
            class Response:
                def __init__(self, body, headers, content_type, status_code):
                    self.body, self.content_type, self.status_code = body, content_type, status_code
            context = types.SimpleNamespace(Response=Response)
            for body in ({"v": 1, "token": "t"}, b'{"v":1}', '{"v":1}'):
                answer = main.handler(context, types.SimpleNamespace(body=body))
                text = answer.body if isinstance(answer.body, str) else answer.body.decode()
                print(answer.status_code, answer.content_type, text)
            """;

    @TempDir
    private Path directory;

    @BeforeEach
    void demandPython() {
        boolean found = Arrays.stream(String.valueOf(System.getenv("PATH")).split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "python3")));
        assumeTrue(found, "python3 is not on the PATH: Nuclio's handler is not called");
    }

    private String calls(int port) throws IOException, InterruptedException {
        Files.write(directory.resolve("main.py"), NuclioFunction.handler());
        Files.writeString(directory.resolve("calls.py"), CALLS);
        ProcessBuilder builder = new ProcessBuilder("python3", "calls.py").directory(directory.toFile());
        builder.environment().put("LAMBDAFS_ACTION_PORT", Integer.toString(port));
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    @Test
    void shouldHandCallsOnAndAnswersBack() throws Exception {
        try (HttpServer instance = HttpServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                call -> CompletableFuture.completedFuture(HttpReply.json(
                        call.method().equals("POST") && call.path().equals("/") ? 200 : 404,
                        new String(call.body(), StandardCharsets.UTF_8))),
                HttpLimits.defaults())) {
            assertThat(calls(instance.port())).isEqualTo("""
                    200 application/json {"v": 1, "token": "t"}
                    200 application/json {"v":1}
                    200 application/json {"v":1}
                    """);
        }
    }

    @Test
    void shouldSayThatNothingWasSentWhereNoInstanceListensYet() throws Exception {
        int port;
        try (HttpServer gone = HttpServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                call -> CompletableFuture.completedFuture(HttpReply.empty(200)),
                HttpLimits.defaults())) {
            port = gone.port();
        }
        assertThat(calls(port).lines())
                .hasSize(3)
                .allMatch(line -> line.startsWith("503 application/json {\"error\":"));
    }
}
