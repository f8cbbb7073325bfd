package io.lambdafs.rpc.kryonet;

import com.esotericsoftware.kryonet.Connection;
import com.esotericsoftware.kryonet.FrameworkMessage.KeepAlive;
import com.esotericsoftware.kryonet.FrameworkMessage.RegisterTCP;
import com.esotericsoftware.kryonet.KryoNetException;
import com.esotericsoftware.kryonet.Serialization;
import java.nio.ByteBuffer;

/**
 * KryoNet's objects as bytes: four of length (KryoNet's; of what follows, at most {@link #MAX_BYTES}), one that says what it is, then
 * nothing for a sign of life, the number that a server gives a connection, or a piece of the stream of frames. There are no others, and
 * Kryo itself is not used. Stateless.
 */
final class KryoObjects implements Serialization {
    static final KryoObjects INSTANCE = new KryoObjects();

    static final int LENGTH_BYTES = 4;
    /** Of an object, without its length. */
    static final int MAX_BYTES = 32 << 10;

    static final int MAX_PIECE_BYTES = MAX_BYTES - 1;
    /** Of the buffer from which KryoNet writes. */
    static final int WRITE_BUFFER_BYTES = LENGTH_BYTES + MAX_BYTES + Outbox.RESERVE;

    static final byte ALIVE = 0;
    static final byte NUMBER = 1;
    static final byte PIECE = 2;

    private KryoObjects() {}

    @Override
    public void write(Connection connection, ByteBuffer buffer, Object object) {
        if (object instanceof Outbox outbox) {
            int at = buffer.position();
            buffer.put(PIECE);
            if (!outbox.drainTo(buffer)) {
                // Nothing fits, and an object must not be empty.
                buffer.put(at, ALIVE);
            }
        } else if (object instanceof KeepAlive) {
            buffer.put(ALIVE);
        } else if (object instanceof RegisterTCP number) {
            buffer.put(NUMBER).putInt(number.connectionID);
        } else {
            throw new KryoNetException(
                    "this transport sends no " + object.getClass().getName());
        }
    }

    /** A piece is a view of the buffer, good until the next object is read. */
    @Override
    public Object read(Connection connection, ByteBuffer buffer) {
        byte kind = buffer.get();
        switch (kind) {
            case ALIVE -> {
                return new KeepAlive();
            }
            case NUMBER -> {
                if (buffer.remaining() < Integer.BYTES) {
                    throw new KryoNetException("a connection's number is cut off");
                }
                RegisterTCP number = new RegisterTCP();
                number.connectionID = buffer.getInt();
                return number;
            }
            case PIECE -> {
                ByteBuffer piece = buffer.slice();
                buffer.position(buffer.limit());
                return piece;
            }
            default -> throw new KryoNetException("there is no object of kind " + kind);
        }
    }

    @Override
    public int getLengthLength() {
        return LENGTH_BYTES;
    }

    @Override
    public void writeLength(ByteBuffer buffer, int length) {
        buffer.putInt(length);
    }

    @Override
    public int readLength(ByteBuffer buffer) {
        return buffer.getInt();
    }
}
