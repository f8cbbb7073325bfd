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
import java.time.Duration;
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

    private static ClientConfig telegraph(ClientConfig.Distance distance) {
        return ClientConfig.builder()
                .gateway(URI.create("http://127.0.0.1:1"))
                .api("telegraph")
                .namespace("paris")
                .user("alice")
                .groups(List.of("staff"))
                .apiKey(ClientFixture.API_KEY)
                .insecure(true)
                .distance(distance)
                .build();
    }

    @Test
    void shouldFindAnApiOnTheClassPathByItsName() {
        assertThat(Invokers.open(
                        telegraph(ClientConfig.Distance.NONE), () -> null, RpcMessages.codec(), new ManualScheduler()))
                .isEqualTo(new Line("paris"));
    }

    @Test
    void shouldTellTheOutcomeOfACallLaterByItsDistance() {
        ManualScheduler clock = new ManualScheduler();
        Invoker far = Invokers.open(
                telegraph(new ClientConfig.Distance(Duration.ZERO, Duration.ofMillis(8))),
                () -> null,
                RpcMessages.codec(),
                clock);
        CompletableFuture<Optional<OperationReply>> reply =
                far.invoke(new Invocation(0, null, "", List.of(), false, 1)).toCompletableFuture();

        clock.advance(Duration.ofMillis(8).minusNanos(1));
        assertThat(reply).isNotDone();
        clock.advance(Duration.ofNanos(1));
        assertThat(reply).isCompletedWithValue(Optional.empty());
        assertThat(far.hasReached()).isFalse();
    }
}
