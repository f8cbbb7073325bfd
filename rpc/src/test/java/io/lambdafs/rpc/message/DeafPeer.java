package io.lambdafs.rpc.message;

import io.lambdafs.model.WireWriter;
import io.lambdafs.rpc.framing.Frame;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;

/** A peer that asks and does not read. For one thread. */
public final class DeafPeer implements AutoCloseable {
    private static final int ANSWER_MILLIS = 30_000;

    private final Socket socket;
    private final Codec codec;
    private long lastId;

    /** @param codec of whoever listens there */
    public DeafPeer(InetSocketAddress address, Codec codec) throws IOException {
        this(new Socket(address.getAddress(), address.getPort()), codec);
    }

    public DeafPeer(Socket socket, Codec codec) throws IOException {
        this.socket = socket;
        this.codec = codec;
        socket.setSoTimeout(ANSWER_MILLIS);
    }

    /** Sends a request; returns false where its connection has been closed. */
    public boolean ask(Message message) throws IOException {
        return send(frame(codec, ++lastId, message));
    }

    /** Sends any bytes; returns false where its connection has been closed. */
    public boolean send(byte[] bytes) throws IOException {
        try {
            socket.getOutputStream().write(bytes);
            return true;
        } catch (SocketException closed) {
            return false;
        }
    }

    /** Reads on, until so many bytes have come, or its connection is closed and it returns false. */
    public boolean read(int bytes) throws IOException {
        try {
            return socket.getInputStream().readNBytes(bytes).length == bytes;
        } catch (SocketException closed) {
            return false;
        }
    }

    /** Returns the frame of a request. */
    public static byte[] frame(Codec codec, long id, Message message) {
        WireWriter body = new WireWriter();
        codec.write(body, message);
        return ByteBuffer.allocate(Frame.BODY_AT + body.size())
                .putInt(Frame.HEAD_BYTES + body.size())
                .put(Frame.VERSION)
                .put(Frame.REQUEST)
                .putLong(id)
                .put(body.toByteArray())
                .array();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
