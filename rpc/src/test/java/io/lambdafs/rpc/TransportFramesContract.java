package io.lambdafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.rpc.framing.Frame;
import io.lambdafs.rpc.message.Bind;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.RpcMessages;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Contract of every {@link Transport} that carries {@link Frame}s, byte by byte. Each
 * implementation extends it.
 */
public abstract class TransportFramesContract extends TransportFixture {
    private static final Codec CODEC = RpcMessages.codec();

    private final List<Message> received = new CopyOnWriteArrayList<>();
    private final List<Connection> closed = new CopyOnWriteArrayList<>();
    private final ConnectionHandler handler = new ConnectionHandler() {
        @Override
        public void request(Connection connection, Message message, Consumer<Message> reply) {
            received.add(message);
            reply.accept(message);
        }

        @Override
        public void closed(Connection connection) {
            closed.add(connection);
        }
    };

    private Transport.Listener listener() {
        return listen(transport(CODEC, TransportLimits.DEFAULT), handler);
    }

    private static byte[] frame(int kind, long id, Message message) throws IOException {
        WireWriter body = new WireWriter();
        CODEC.write(body, message);
        return frame(Frame.HEAD_BYTES + body.size(), 1, kind, id, body.toByteArray());
    }

    private static byte[] frame(int length, int version, int kind, long id, byte[] body) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(length);
        out.writeByte(version);
        out.writeByte(kind);
        out.writeLong(id);
        out.write(body);
        return bytes.toByteArray();
    }

    /** Sends frames, or parts of them, as this kind of transport does. */
    private void send(Socket socket, byte[] frames) throws IOException {
        socket.getOutputStream().write(underTest().onTheWire(frames));
    }

    private DataInputStream frames(Socket socket) throws IOException {
        return new DataInputStream(underTest().framesIn(socket.getInputStream()));
    }

    private static Message readReply(DataInputStream in, long id) throws IOException {
        byte[] body = new byte[in.readInt() - Frame.HEAD_BYTES];
        assertThat(in.readByte()).isEqualTo(Frame.VERSION);
        assertThat(in.readByte()).isEqualTo(Frame.REPLY);
        assertThat(in.readLong()).isEqualTo(id);
        in.readFully(body);
        return CODEC.read(new WireReader(body));
    }

    @Test
    void shouldJoinFramesThatArriveInPieces() throws IOException {
        try (Socket socket = rawSocket(listener())) {
            socket.setTcpNoDelay(true);
            DataInputStream in = frames(socket);
            for (byte b : frame(Frame.REQUEST, 42, new Bind("in pieces"))) {
                send(socket, new byte[] {b});
                socket.getOutputStream().flush();
            }

            assertThat(readReply(in, 42)).isEqualTo(new Bind("in pieces"));
        }
    }

    @Test
    void shouldAnswerManyFramesThatArriveTogether() throws IOException {
        try (Socket socket = rawSocket(listener())) {
            DataInputStream in = frames(socket);
            ByteArrayOutputStream burst = new ByteArrayOutputStream();
            for (int i = 0; i < 2_000; i++) {
                burst.write(frame(Frame.REQUEST, i, new Bind("t" + i)));
            }
            send(socket, burst.toByteArray());

            for (int i = 0; i < 2_000; i++) {
                assertThat(readReply(in, i)).isEqualTo(new Bind("t" + i));
            }
        }
    }

    @Test
    void shouldSayWhyBeforeItClosesOnAnOversizedFrame() throws IOException {
        try (Socket socket = rawSocket(listener())) {
            DataInputStream in = frames(socket);
            send(socket, frame(1 << 30, 1, Frame.REQUEST, 42, new byte[0]));

            assertThat(((Failed) readReply(in, 42)).code()).isEqualTo(ErrorCode.BAD_FRAME);
            assertThat(in.read()).isEqualTo(-1);
        }
        await().until(() -> closed.size() == 1);
        assertThat(received).isEmpty();
    }

    @Test
    void shouldCloseOnAVersionThatItDoesNotKnow() throws IOException {
        try (Socket socket = rawSocket(listener())) {
            send(socket, frame(60_000, 2, Frame.REQUEST, 42, new byte[0]));

            assertThat(frames(socket).read()).isEqualTo(-1);
        }
        await().until(() -> closed.size() == 1);
    }

    @Test
    void shouldCloseOnAKindThatItDoesNotKnow() throws IOException {
        try (Socket socket = rawSocket(listener())) {
            DataInputStream in = frames(socket);
            send(socket, frame(11, 1, 9, 42, new byte[1]));

            assertThat(((Failed) readReply(in, 42)).code()).isEqualTo(ErrorCode.BAD_FRAME);
            assertThat(in.read()).isEqualTo(-1);
        }
        await().until(() -> closed.size() == 1);
    }

    @Test
    void shouldIgnoreRepliesThatNobodyWaitsFor() throws IOException {
        try (Socket socket = rawSocket(listener())) {
            DataInputStream in = frames(socket);
            for (long id : new long[] {0, -1, 65_536, Long.MIN_VALUE}) {
                send(socket, frame(Frame.REPLY, id, Done.DONE));
            }
            send(socket, frame(Frame.REQUEST, 7, Done.DONE));

            assertThat(readReply(in, 7)).isEqualTo(Done.DONE);
        }
        await().until(() -> closed.size() == 1);
    }

    @Test
    void shouldFailOnlyTheRequestWhoseReplyCannotBeRead() throws IOException {
        List<Connection> accepted = new CopyOnWriteArrayList<>();
        Transport.Listener listener = listen(transport(CODEC, TransportLimits.DEFAULT), new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                accepted.add(connection);
            }

            @Override
            public void request(Connection connection, Message message, Consumer<Message> reply) {
                reply.accept(message);
            }
        });
        try (Socket socket = rawSocket(listener)) {
            DataInputStream in = frames(socket);
            await().until(() -> accepted.size() == 1);
            CompletionStage<Message> asked = accepted.get(0).request(Done.DONE, PATIENCE);
            in.readInt();
            in.readByte();
            in.readByte();
            long id = in.readLong();
            in.readByte();
            send(socket, frame(Frame.HEAD_BYTES + 1, 1, Frame.REPLY, id, new byte[] {99}));

            assertFails(asked, ErrorCode.BAD_FRAME);
            send(socket, frame(Frame.REQUEST, 7, Done.DONE));
            assertThat(readReply(in, 7)).isEqualTo(Done.DONE);
        }
    }

    @Test
    void shouldCloseAConnectionWhosePeerDoesNotReadItsReplies() throws IOException {
        TransportLimits limits = TransportLimits.DEFAULT.withPendingBytes(1 << 10, 1 << 20, 5 << 18);
        Transport.Listener listener = listen(transport(CODEC, limits), handler);
        try (Socket socket = rawSocket(listener)) {
            byte[] request = frame(Frame.REQUEST, 1, new Bind("x".repeat(60_000)));
            await().until(() -> {
                try {
                    for (int i = 0; i < 64; i++) {
                        send(socket, request);
                    }
                } catch (SocketException closedByPeer) {
                    return closed.size() == 1;
                }
                return false;
            });
        }
        assertThat(underTest().bufferedBytes()).isLessThan(64 << 20);
    }

    @Test
    void shouldCloseConnectionsBeyondTheLimit() throws IOException {
        Transport.Listener listener = listen(transport(CODEC, TransportLimits.DEFAULT.withMaxConnections(1)), handler);
        try (Socket first = rawSocket(listener)) {
            send(first, frame(Frame.REQUEST, 7, Done.DONE));
            assertThat(readReply(frames(first), 7)).isEqualTo(Done.DONE);
            try (Socket second = rawSocket(listener)) {
                assertThat(frames(second).read()).isEqualTo(-1);
            }
        }
        await().until(() -> closed.size() == 1);
        try (Socket third = rawSocket(listener)) {
            send(third, frame(Frame.REQUEST, 8, Done.DONE));
            assertThat(readReply(frames(third), 8)).isEqualTo(Done.DONE);
        }
    }

    @Test
    void shouldFailToConnectWhenTheHandlerDoesNotTakeTheConnection() {
        Transport transport = transport(CODEC, TransportLimits.DEFAULT);
        Transport.Listener listener = listen(transport, handler);
        ConnectionHandler broken = new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                throw new FsException(ErrorCode.NOT_READY, "not now");
            }

            @Override
            public void request(Connection connection, Message message, Consumer<Message> reply) {}
        };

        assertFails(transport.connect(listener.address(), broken), ErrorCode.UNAVAILABLE);
    }
}
