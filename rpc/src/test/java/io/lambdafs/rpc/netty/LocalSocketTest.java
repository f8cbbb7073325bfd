package io.lambdafs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Timeouts;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportFixture;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.TransportUnderTest;
import io.lambdafs.rpc.message.Bind;
import io.lambdafs.rpc.message.Message;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sockets in the file system, on epoll and on NIO: what is said over them is as over TCP. */
class LocalSocketTest {
    abstract static class Contract extends TransportFixture {
        private static final ConnectionHandler ECHO = (connection, message, reply) -> reply.accept(message);

        @TempDir
        Path folder;

        private final TransportUnderTest netty;

        Contract(boolean nativeIo) {
            netty = new NettyUnderTest(nativeIo);
        }

        @Override
        protected TransportUnderTest underTest() {
            return netty;
        }

        private Path socket() {
            return folder.resolve("socket");
        }

        @Test
        void shouldCarryRequestsOfBothEnds() {
            Transport transport = transport(TransportLimits.DEFAULT);
            get(transport.listen(socket(), new ConnectionHandler() {
                @Override
                public void request(Connection connection, Message message, Consumer<Message> reply) {
                    connection.request(message, PATIENCE).thenAccept(reply);
                }
            }));

            Connection connection = get(transport(TransportLimits.DEFAULT).connect(socket(), ECHO));

            for (int i = 0; i < 1_000; i++) {
                assertEchoes(connection);
            }
            Bind large = new Bind("x".repeat(50_000));
            assertThat(get(connection.request(large, PATIENCE))).isEqualTo(large);
        }

        @Test
        void shouldFailWhereNobodyListens() throws Exception {
            Transport transport = transport(TransportLimits.DEFAULT);

            assertFails(transport.connect(socket(), ECHO), ErrorCode.UNAVAILABLE);
            Files.createFile(socket());
            assertFails(transport.connect(socket(), ECHO), ErrorCode.UNAVAILABLE);
            assertFails(transport.listen(folder.resolve("x".repeat(200)), ECHO), ErrorCode.UNAVAILABLE);
            transport.close();
            assertFails(transport.connect(socket(), ECHO), ErrorCode.UNAVAILABLE);
            assertFails(transport.listen(socket(), ECHO), ErrorCode.UNAVAILABLE);
        }

        @Test
        void shouldAcceptNoMoreWhenClosedAndLeaveThePathAlone() throws Exception {
            Transport transport = transport(TransportLimits.DEFAULT);
            Transport.LocalListener first = get(transport.listen(socket(), ECHO));
            Connection before = get(transport.connect(socket(), ECHO));

            get(first.close());
            Files.deleteIfExists(socket());
            get(transport.listen(socket(), ECHO));
            get(first.close());

            assertEchoes(get(transport.connect(socket(), ECHO)));
            assertEchoes(before);
        }

        @Test
        void shouldFailWhatIsUnderWayWhenTheOtherEndGoes() {
            Transport server = transport(TransportLimits.DEFAULT);
            get(server.listen(socket(), (connection, message, reply) -> {}));
            Connection connection = get(transport(TransportLimits.DEFAULT).connect(socket(), ECHO));
            var asked = connection.request(new Bind("t"), PATIENCE);

            server.close();

            assertFails(asked, ErrorCode.CONNECTION_LOST);
        }

        @Test
        void shouldCloseWhoDoesNotProveWhoHeIs() {
            Transport server = transport(Timeouts.proof(TransportLimits.DEFAULT, Duration.ofMillis(50)));
            get(server.listen(socket(), ECHO));

            Connection connection = get(transport(TransportLimits.DEFAULT).connect(socket(), ECHO));

            await().until(() -> !connection.isOpen());
        }
    }

    @Nested
    class OnEpoll extends Contract {
        OnEpoll() {
            super(true);
        }
    }

    @Nested
    class OnNio extends Contract {
        OnNio() {
            super(false);
        }
    }
}
