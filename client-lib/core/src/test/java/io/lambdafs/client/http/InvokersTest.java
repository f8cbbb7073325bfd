package io.lambdafs.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.client.ClientFixture;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.RpcMessages;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class InvokersTest {
    /** An API that is on the tests' class path only. */
    public static final class Telegraph implements InvokerProvider {
        @Override
        public String api() {
            return "telegraph";
        }

        @Override
        public Invoker open(ClientConfig config, Supplier<HttpClient> http, Codec codec, Scheduler scheduler) {
            return new Line(config.namespace());
        }
    }

    record Line(String to) implements Invoker {
        @Override
        public CompletionStage<Optional<OperationReply>> invoke(Invocation invocation) {
            return CompletableFuture.completedFuture(Optional.empty());
        }

        @Override
        public boolean hasReached() {
            return false;
        }
    }

    @Test
    void shouldFindAnApiOnTheClassPathByItsName() {
        ClientConfig config = ClientConfig.builder()
                .gateway(URI.create("http://127.0.0.1:1"))
                .api("telegraph")
                .namespace("paris")
                .user("alice")
                .groups(List.of("staff"))
                .apiKey(ClientFixture.API_KEY)
                .insecure(true)
                .build();

        assertThat(Invokers.open(config, () -> null, RpcMessages.codec(), new ManualScheduler()))
                .isEqualTo(new Line("paris"));
    }
}
