package io.lambdafs.functions.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.testkit.Waits;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.Register;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.rpc.netty.NettyTransport;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RehearsedClientTest {
    private static final Pattern OFFER =
            Pattern.compile("\\{\"host\":\"([^\"]+)\",\"port\":(\\d+),\"registration\":\"([^\"]+)\"}");
    private static final ConnectionHandler NOTHING = (connection, message, reply) -> {};

    private final NettyTransport transport =
            new NettyTransport(RpcMessages.codec(), 1, "rehearsed", TransportLimits.DEFAULT);
    private final RehearsedClient client = new RehearsedClient(transport);
    private final Matcher offer = OFFER.matcher(await(client.offer()));

    @BeforeEach
    void readOffer() {
        assertThat(offer.matches()).isTrue();
    }

    @AfterEach
    void close() {
        client.close();
        transport.close();
    }

    private static <T> T await(CompletionStage<T> step) {
        return Waits.join(step);
    }

    @Test
    void shouldTakeWhoWasTold() {
        Message answer = register(offer.group(3));

        assertThat(answer).isEqualTo(Done.DONE);
        assertThat(await(client.registered()).isAuthenticated()).isTrue();
    }

    @Test
    void shouldRefuseWhoWasNotTold() {
        Message answer = register("guessed");

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
        assertThat(client.registered().toCompletableFuture()).isNotDone();
    }

    private Message register(String registration) {
        Connection connection = await(
                transport.connect(new InetSocketAddress(offer.group(1), Integer.parseInt(offer.group(2))), NOTHING));
        return await(connection.request(new Register(0, "i", 1, registration), TimeUnit.SECONDS.toNanos(20)));
    }
}
