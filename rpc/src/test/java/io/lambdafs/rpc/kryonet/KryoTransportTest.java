package io.lambdafs.rpc.kryonet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.ConnectionRefusedException;
import io.lambdafs.rpc.Timeouts;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportContract;
import io.lambdafs.rpc.TransportFaultsContract;
import io.lambdafs.rpc.TransportFixture;
import io.lambdafs.rpc.TransportFramesContract;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.TransportUnderTest;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.rpc.netty.NettyTransport;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract on KryoNet, and what is its own. */
@Tag("once")
class KryoTransportTest {
    @Nested
    class OnKryoNet extends TransportContract {
        private final TransportUnderTest kryonet = new KryoUnderTest();

        @Override
        protected TransportUnderTest underTest() {
            return kryonet;
        }
    }

    @Nested
    class Faults extends TransportFaultsContract {
        private final TransportUnderTest kryonet = new KryoUnderTest();

        @Override
        protected TransportUnderTest underTest() {
            return kryonet;
        }
    }

    @Nested
    class Frames extends TransportFramesContract {
        private final TransportUnderTest kryonet = new KryoUnderTest();

        @Override
        protected TransportUnderTest underTest() {
            return kryonet;
        }
    }

    @Nested
    class OfItsOwn extends TransportFixture {
        private final TransportUnderTest kryonet = new KryoUnderTest();
        private final ConnectionHandler echo = (connection, message, reply) -> reply.accept(message);

        @Override
        protected TransportUnderTest underTest() {
            return kryonet;
        }

        @ParameterizedTest
        @ValueSource(bytes = {KryoObjects.NUMBER, 3, 4, -1})
        void shouldCloseOnObjectsThatItDoesNotSend(byte kind) throws IOException {
            Transport.Listener listener = listen(transport(TransportLimits.DEFAULT), echo);
            try (Socket socket = rawSocket(listener)) {
                socket.getOutputStream().write(KryoUnderTest.object(kind, new byte[] {1, 2}));

                assertThat(kryonet.framesIn(socket.getInputStream()).read()).isEqualTo(-1);
            }
        }

        @Test
        void shouldSayThatNothingListens() {
            Transport transport = transport(TransportLimits.DEFAULT);
            Transport.Listener listener = listen(transport, echo);
            listener.close();

            assertThat(ConnectionRefusedException.isCauseOf(failureOf(transport.connect(listener.address(), echo))))
                    .isTrue();
        }

        @Test
        void shouldNotConnectToATransportOfAnotherKind() {
            Transport transport = transport(Timeouts.connect(TransportLimits.DEFAULT, Duration.ofMillis(300)));
            try (Transport other = new NettyTransport(RpcMessages.codec(), 1, "other", TransportLimits.DEFAULT)) {
                assertFails(transport.connect(listen(other, echo).address(), echo), ErrorCode.UNAVAILABLE);
                Connection foreign = get(other.connect(listen(transport, echo).address(), echo));
                get(foreign.closed());
            }
        }

        @Test
        void shouldCloseItsConnectionsWithTheListener() {
            Transport.Listener listener = listen(transport(TransportLimits.DEFAULT), echo);
            Connection connection = connect(transport(TransportLimits.DEFAULT), listener);
            assertThat(get(connection.request(Done.DONE, PATIENCE))).isEqualTo(Done.DONE);

            listener.close();

            get(connection.closed());
        }

        @Test
        void shouldBeClosedByItsOwnHandlers() {
            Transport server = transport(TransportLimits.DEFAULT);
            Transport client = transport(TransportLimits.DEFAULT);
            Transport.Listener listener = listen(server, new ConnectionHandler() {
                @Override
                public void request(Connection connection, Message message, Consumer<Message> reply) {
                    reply.accept(message);
                    server.close();
                }
            });
            Connection connection = connect(client, listener);

            assertThat(get(connection.request(Done.DONE, PATIENCE))).isEqualTo(Done.DONE);
            get(connection.closed());
            assertFails(server.listen(anyPort(), echo), ErrorCode.UNAVAILABLE);
        }

        @Test
        void shouldEndItsThreads() {
            Transport server = transport(TransportLimits.DEFAULT);
            Transport client = transport(TransportLimits.DEFAULT);
            Transport.Listener listener = listen(server, echo);
            for (int i = 0; i < 10; i++) {
                connect(client, listener);
            }
            assertThat(threads()).isGreaterThan(10);

            server.close();
            client.close();

            await().until(() -> threads() == 0);
        }

        private long threads() {
            return Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().startsWith("test-kryonet"))
                    .count();
        }
    }
}
