package io.lambdafs.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a registry that wants a token of everybody, and keeps its bytes elsewhere, as public ones do. */
class RegistryTest {
    private final Registry registry = new Registry();
    private HttpServer server;
    private boolean givesTokens = true;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                call -> CompletableFuture.completedFuture(answer(call)),
                HttpLimits.defaults());
    }

    @AfterEach
    void close() {
        registry.close();
        server.close();
    }

    private HttpReply answer(HttpCall call) {
        String here = "http://127.0.0.1:" + server.port();
        if (call.path().equals("/token")) {
            return givesTokens && call.query().get("scope").equals("repository:team/lambdafs:pull")
                    ? HttpReply.json(200, "{\"token\":\"t\"}")
                    : HttpReply.json(401, "{}");
        }
        if (call.path().equals("/bytes")) {
            return HttpReply.json(200, "{\"architecture\":\"arm64\",\"os\":\"linux\"}");
        }
        if (!call.header("authorization").orElse("").equals("Bearer t")) {
            return HttpReply.json(401, "{}")
                    .withHeader(
                            "WWW-Authenticate",
                            "Bearer realm=\"" + here
                                    + "/token\",service=\"registry\",scope=\"repository:team/lambdafs:pull\"");
        }
        return switch (call.path()) {
            case "/v2/team/lambdafs/manifests/one" ->
                HttpReply.json(200, "{\"schemaVersion\":2,\"config\":{\"digest\":\"sha256:1\"}}");
            case "/v2/team/lambdafs/blobs/sha256:1" -> HttpReply.empty(307).withHeader("Location", here + "/bytes");
            case "/v2/team/lambdafs/manifests/latest" ->
                HttpReply.json(
                        200,
                        "{\"manifests\":[{\"platform\":{\"architecture\":\"amd64\"}},"
                                + "{\"platform\":{\"architecture\":\"unknown\"}}]}");
            default -> HttpReply.json(404, "{\"errors\":[]}");
        };
    }

    private Optional<Problem> look(String tag, String... architectures) {
        return registry.look("127.0.0.1:" + server.port() + "/team/lambdafs" + tag, Set.of(architectures));
    }

    @Test
    void shouldFindAnImageForTheMachinesThatRunIt() {
        assertThat(look(":one", "arm64")).isEmpty();
        assertThat(look("", "amd64")).isEmpty();
        assertThat(look(":one")).isEmpty();
    }

    @Test
    void shouldSayThatThereIsNoneOrThatItIsForOthers() {
        assertThat(look(":none", "amd64")).hasValueSatisfying(each -> {
            assertThat(each.code()).isEqualTo(Problem.Code.IMAGE);
            assertThat(each.isFault()).isTrue();
        });
        assertThat(look(":one", "amd64")).hasValueSatisfying(each -> {
            assertThat(each.code()).isEqualTo(Problem.Code.ARCHITECTURE);
            assertThat(each.isFault()).isTrue();
        });
        assertThat(look("", "amd64", "arm64"))
                .hasValueSatisfying(each -> assertThat(each.isFault()).isFalse());
    }

    @Test
    void shouldSayNothingOfWhatItCannotAsk() {
        givesTokens = false;
        assertThat(look(":none", "amd64")).isEmpty();
        server.close();
        assertThat(look(":none", "amd64")).isEmpty();
        assertThat(registry.look("lambdafs:1", Set.of("amd64"))).isEmpty();
    }
}
