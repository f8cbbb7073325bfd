package io.lambdafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.rpc.message.DeafPeer;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.Ping;
import io.lambdafs.rpc.message.RpcMessages;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract of every {@link Transport} about limits, faults and bad peers. Each implementation extends it. */
public abstract class TransportFaultsContract extends TransportFixture {
    private static final TransportLimits LIMITS = TransportLimits.DEFAULT;

    private final RecordingHandler handler = new RecordingHandler();

    @Test
    void shouldRefuseMoreRequestsThanTheLimitAndRecover() {
        Transport server = transport(LIMITS);
        Transport client = transport(LIMITS.withMaxInFlightPerConnection(3));
        Queue<Runnable> answers = new ConcurrentLinkedQueue<>();
        handler.answer = (connection, message, reply) -> answers.add(() -> reply.accept(message));
        Connection connection = connect(client, listen(server, handler));
        List<CompletionStage<Message>> taken = IntStream.range(0, 3)
                .mapToObj(i -> connection.request(Ping.of(i), PATIENCE))
                .toList();

        assertFails(connection.request(Ping.of(3), PATIENCE), ErrorCode.OVERLOADED);
        await().until(() -> answers.size() == 3);
        answers.forEach(Runnable::run);
        taken.forEach(TransportFixture::get);
        handler.answer = (c, message, reply) -> reply.accept(message);

        assertEchoes(connection);
    }

    @Test
    void shouldAnswerOverloadedWhenThePeerAsksMoreThanTheLimit() {
        Transport server = transport(LIMITS.withMaxInFlightPerConnection(3));
        Transport client = transport(LIMITS);
        handler.answer = (connection, message, reply) -> {};
        Connection connection = connect(client, listen(server, handler));

        List<CompletionStage<Message>> sent = IntStream.range(0, 4)
                .mapToObj(i -> connection.request(Ping.of(i), PATIENCE))
                .toList();

        assertThat(((Failed) get(sent.get(3))).code()).isEqualTo(ErrorCode.OVERLOADED);
    }

    @Test
    void shouldRefuseRequestsWhenThePeerDoesNotRead() throws IOException {
        Transport client = transport(LIMITS.withPendingBytes(1 << 10, 1 << 20, 64 << 20));
        try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) deaf.getLocalSocketAddress();
            CompletionStage<Connection> connecting = client.connect(address, handler);
            try (Socket peer = deaf.accept()) {
                peer.getOutputStream().write(underTest().greeting());
                Connection connection = get(connecting);

                await().untilAsserted(() -> {
                    for (int i = 0; i < 8; i++) {
                        connection.request(Ping.ofBytes(1 << 20), PATIENCE);
                    }
                    assertFails(connection.request(Ping.of(1), SECOND / 100), ErrorCode.OVERLOADED);
                });
                assertThat(connection.isOpen()).isTrue();
            }
        }
    }

    private void send(Socket socket, byte[] frames) throws IOException {
        try {
            socket.getOutputStream().write(underTest().onTheWire(frames));
        } catch (SocketException closedMeanwhile) {
            assertThat(handler.closed).isNotEmpty();
        }
    }

    private static byte[] request(long id, Message message) {
        return DeafPeer.frame(codec(), id, message);
    }

    @Test
    void shouldCloseWhoDoesNotReadWhereAllTogetherHoldTooMuch() throws IOException {
        Transport server = transport(LIMITS.withMaxHeldBytes(24 << 20));
        Transport client = transport(LIMITS);
        handler.answer = (connection, message, reply) ->
                reply.accept(Ping.ofBytes(((Ping) message).number() == 1 ? 1 << 20 : 100));
        Transport.Listener listener = listen(server, handler);
        List<Socket> deaf = new ArrayList<>();
        try {
            for (int i = 0; i < 12; i++) {
                deaf.add(rawSocket(listener));
            }
            Connection honest = connect(client, listener);
            honest.markAuthenticated();

            await().untilAsserted(() -> {
                // The system takes some of what nobody reads.
                for (Socket socket : deaf) {
                    send(socket, request(1, Ping.of(1)));
                }
                assertThat(handler.closed).isNotEmpty();
            });

            for (int i = 0; i < 20; i++) {
                assertThat(((Ping) get(honest.request(Ping.of(1), PATIENCE))).payload())
                        .hasSize(1 << 20);
            }
            assertThat(underTest().bufferedBytes()).isLessThan(64 << 20);
        } finally {
            for (Socket socket : deaf) {
                socket.close();
            }
        }
    }

    @Test
    void shouldCloseWhomItHasDialledAsWell() throws IOException {
        Transport instance = transport(LIMITS.withMaxHeldBytes(24 << 20));
        handler.answer = (connection, message, reply) -> reply.accept(Ping.ofBytes(1 << 20));
        List<Socket> deaf = new ArrayList<>();
        try (ServerSocket clients = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) clients.getLocalSocketAddress();
            for (int i = 0; i < 12; i++) {
                CompletionStage<Connection> dialling = instance.connect(address, handler);
                deaf.add(clients.accept());
                deaf.get(i).getOutputStream().write(underTest().greeting());
                get(dialling).markAuthenticated();
            }
            await().untilAsserted(() -> {
                for (Socket socket : deaf) {
                    send(socket, request(1, Ping.of(1)));
                }
                assertThat(handler.closed).isNotEmpty();
            });
            assertThat(underTest().bufferedBytes()).isLessThan(64 << 20);
        } finally {
            for (Socket socket : deaf) {
                socket.close();
            }
        }
    }

    @Test
    void shouldCloseWhoSendsFramesInPartWhereAllTogetherHoldTooMuch() throws IOException {
        Transport server = transport(LIMITS.withMaxHeldBytes(8 << 20));
        Transport client = transport(LIMITS);
        handler.answer = (connection, message, reply) -> {
            connection.markAuthenticated();
            reply.accept(message);
        };
        Transport.Listener listener = listen(server, handler);
        List<Socket> liars = new ArrayList<>();
        try {
            for (int i = 0; i < 16; i++) {
                Socket socket = rawSocket(listener);
                liars.add(socket);
                send(socket, request(1, Ping.of(2)));
                send(socket, Arrays.copyOf(request(2, Ping.ofBytes(1 << 20)), 1 << 20));
            }
            await().untilAsserted(() -> assertThat(handler.closed).hasSizeGreaterThanOrEqualTo(8));

            Connection honest = connect(client, listener);
            honest.markAuthenticated();
            assertEchoes(honest);
        } finally {
            for (Socket socket : liars) {
                socket.close();
            }
        }
    }

    @Test
    void shouldCarryFramesUpToTheLimitOnceAuthenticated() {
        Transport transport = transport(LIMITS);
        handler.answer = (connection, message, reply) -> {
            connection.markAuthenticated();
            reply.accept(message);
        };
        Connection connection = connect(transport, listen(transport, handler));
        connection.markAuthenticated();
        assertEchoes(connection);

        Ping large = Ping.ofBytes(Transport.MAX_FRAME - 100);
        Ping reply = (Ping) get(connection.request(large, PATIENCE));

        assertThat(reply.payload()).hasSize(Transport.MAX_FRAME - 100);
        assertFails(connection.request(Ping.ofBytes(Transport.MAX_FRAME), PATIENCE), ErrorCode.BAD_FRAME);
        assertEchoes(connection);
    }

    @Test
    void shouldCloseAnUnauthenticatedConnectionThatSendsMoreThan64KiB() {
        Transport transport = transport(LIMITS);
        Transport.Listener listener = listen(transport, handler);
        Connection small = connect(transport, listener);
        Connection large = connect(transport, listener);
        Ping fitting = Ping.ofBytes(Transport.MAX_FRAME_UNAUTHENTICATED - 100);
        assertThat(((Ping) get(small.request(fitting, PATIENCE))).payload()).hasSize(fitting.payload().length);

        large.request(Ping.ofBytes(Transport.MAX_FRAME_UNAUTHENTICATED), PATIENCE);

        get(large.closed());
        assertEchoes(small);
    }

    @Test
    void shouldCloseAConnectionWhosePeerDoesNotProveWhoItIs() {
        Transport transport = transport(Timeouts.proof(LIMITS, Duration.ofMillis(300)));
        handler.answer = (connection, message, reply) -> {
            connection.markAuthenticated();
            reply.accept(message);
        };
        Transport.Listener listener = listen(transport, handler);
        Connection proven = connect(transport, listener);
        assertEchoes(proven);
        Connection silent = connect(transport, listener);

        get(silent.closed());

        assertEchoes(proven);
    }

    @Test
    void shouldAnswerBadFrameWhenAReplyIsTooLarge() {
        Transport transport = transport(LIMITS);
        handler.answer = (connection, message, reply) -> reply.accept(Ping.ofBytes(Transport.MAX_FRAME));
        Connection connection = connect(transport, listen(transport, handler));

        assertThat(((Failed) get(connection.request(Ping.of(1), PATIENCE))).code())
                .isEqualTo(ErrorCode.BAD_FRAME);
        handler.answer = (c, message, reply) -> reply.accept(message);

        assertEchoes(connection);
    }

    @Test
    void shouldAnswerBadFrameToAMessageThatTheServerDoesNotKnow() {
        Transport server = transport(RpcMessages.codec(), LIMITS);
        Transport client = transport(LIMITS);
        Connection connection = connect(client, listen(server, handler));

        assertThat(((Failed) get(connection.request(Ping.of(1), PATIENCE))).code())
                .isEqualTo(ErrorCode.BAD_FRAME);
        assertThat(get(connection.request(Done.DONE, PATIENCE))).isEqualTo(Done.DONE);
    }

    @Test
    void shouldFailARequestWhoseMessageIsNotRegistered() {
        Transport server = transport(LIMITS);
        Transport client = transport(RpcMessages.codec(), LIMITS);
        Connection connection = connect(client, listen(server, handler));

        assertFails(connection.request(Ping.of(1), PATIENCE), ErrorCode.INTERNAL);
        assertThat(get(connection.request(Done.DONE, PATIENCE))).isEqualTo(Done.DONE);
    }

    @Test
    void shouldAnswerInternalWhenTheHandlerThrows() {
        Transport transport = transport(LIMITS);
        handler.answer = (connection, message, reply) -> {
            throw new IllegalStateException("broken");
        };
        Connection connection = connect(transport, listen(transport, handler));

        assertThat(((Failed) get(connection.request(Ping.of(1), PATIENCE))).code())
                .isEqualTo(ErrorCode.INTERNAL);
        handler.answer = (c, message, reply) -> reply.accept(message);

        assertEchoes(connection);
    }

    @ParameterizedTest
    @ValueSource(strings = {"40000000", "ffffffff", "80000000", "00000000", "474554202f20485454502f312e310d0a0d0a"})
    void shouldCloseOnlyTheConnectionThatSendsGarbage(String hex) throws IOException {
        Transport transport = transport(LIMITS);
        Transport.Listener listener = listen(transport, handler);
        Connection good = connect(transport, listener);
        assertEchoes(good);
        long before = underTest().bufferedBytes();

        try (Socket socket = rawSocket(listener)) {
            OutputStream out = socket.getOutputStream();
            out.write(HexFormat.of().parseHex(hex));
            out.write(new byte[20]);
            out.flush();

            assertEndOfStream(socket);
        }

        assertThat(underTest().bufferedBytes() - before).isLessThan(16 << 20);
        assertEchoes(good);
        assertEchoes(connect(transport, listener));
    }

    /** Whatever is answered first, the stream ends; a reset is an end too. */
    private static void assertEndOfStream(Socket socket) throws IOException {
        try {
            while (socket.getInputStream().read() >= 0) {
                assertThat(socket.isClosed()).isFalse();
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the connection stays open", e);
        } catch (SocketException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
    }

    @Test
    void shouldSayWhichPortIsInUse() {
        Transport transport = transport(LIMITS);
        Transport.Listener listener = listen(transport, handler);
        InetSocketAddress taken = listener.address();

        assertThat(failureOf(transport.listen(taken, handler)))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
                .hasMessageContaining(Integer.toString(taken.getPort()))
                .hasMessageContaining("stop what holds the address");

        listener.close();
        assertThat(get(transport.listen(taken, handler)).address()).isEqualTo(taken);
    }

    @Test
    void shouldSayWhereNobodyAnswers() {
        Transport transport = transport(Timeouts.connect(LIMITS, Duration.ofSeconds(10)));
        Transport.Listener listener = listen(transport, handler);
        InetSocketAddress address = listener.address();
        listener.close();

        assertThat(failureOf(transport.connect(address, handler)))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
                .hasMessageContaining(Integer.toString(address.getPort()));
        assertThat(handler.opened).isEmpty();
    }
}
