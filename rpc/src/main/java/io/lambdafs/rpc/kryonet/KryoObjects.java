package io.lambdafs.rpc.kryonet;

import com.esotericsoftware.kryonet.Connection;
import com.esotericsoftware.kryonet.FrameworkMessage.KeepAlive;
import com.esotericsoftware.kryonet.FrameworkMessage.RegisterTCP;
import com.esotericsoftware.kryonet.KryoNetException;
import com.esotericsoftware.kryonet.Serialization;
import java.nio.ByteBuffer;

/**
 * Serialises KryoNet's objects without Kryo: four bytes of length (KryoNet's; of what follows, at most {@link
 * #MAX_BYTES}), a type byte, then nothing for a keep-alive, the number assigned to a connection, or a piece of the
 * frame stream. There are no other types. Stateless.
 */
final class KryoObjects implements Serialization {
    static final KryoObjects INSTANCE = new KryoObjects();

    static final int LENGTH_BYTES = 4;
    /** Maximum size of an object, without its length. */
    static final int MAX_BYTES = 32 << 10;

    static final int MAX_PIECE_BYTES = MAX_BYTES - 1;
    /** Size of KryoNet's write buffer. */
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

    /** Reads an object; a piece is a view of the buffer, valid until the next one is read. */
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
