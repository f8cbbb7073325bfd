package io.lambdafs.functions.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpReply;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An instance that its platform has started in advance, and that awaits its configuration. */
class AwaitingServerTest {
    private static HttpReply handle(AwaitingServer server, String method, String path, String body) {
        HttpCall call = new HttpCall(
                method,
                path,
                Map.of(),
                Map.of(),
                body.getBytes(StandardCharsets.UTF_8),
                new InetSocketAddress(Hosts.loopback(), 0));
        return server.handle(call).toCompletableFuture().join();
    }

    private static AwaitingServer failing(ErrorCode code) {
        return new AwaitingServer(
                environment -> {
                    throw new FsException(code, "because");
                },
                Runnable::run);
    }

    private static String text(HttpReply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    @Test
    void shouldSayThatItWaits() {
        AwaitingServer server = failing(ErrorCode.UNAVAILABLE);
        HttpReply health = handle(server, "GET", "/healthz", "");
        assertThat(health.status()).isEqualTo(200);
        assertThat(text(health)).contains("prewarmed");
        assertThat(handle(server, "GET", "/metrics", "").status()).isEqualTo(200);
        assertThat(handle(server, "POST", "/run", "{}").status()).isEqualTo(500);
        assertThat(server.keys()).isEmpty();
    }

    @Test
    void shouldBlameTheConfigurationOrElseItself() {
        String init = "{\"value\":{\"name\":\"nn0\"}}";
        HttpReply wrong = handle(failing(ErrorCode.INVALID_ARGUMENT), "POST", "/init", init);
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(text(wrong)).contains("because");
        assertThat(handle(failing(ErrorCode.UNAVAILABLE), "POST", "/init", init).status())
                .isEqualTo(502);
    }

    @Test
    void shouldTakeNoConfigurationOnceItLeaves() {
        AwaitingServer server = failing(ErrorCode.INVALID_ARGUMENT);
        assertThat(server.leave()).isCompleted();
        assertThat(handle(server, "POST", "/init", "{\"value\":{\"name\":\"nn0\"}}")
                        .status())
                .isEqualTo(502);
    }
}
