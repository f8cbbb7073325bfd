package io.lambdafs.rpc.kryonet;

import com.esotericsoftware.kryonet.FrameworkMessage.KeepAlive;
import com.esotericsoftware.kryonet.FrameworkMessage.RegisterTCP;
import com.esotericsoftware.kryonet.KryoNetException;
import io.lambdafs.rpc.fuzz.Finding;
import java.nio.ByteBuffer;

/** One object of KryoNet, without its length: it is one of three kinds, or refused, and never made of more than its bytes. */
public final class KryoObjectsFuzz {
    private KryoObjectsFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            // KryoNet itself refuses objects without content.
            return;
        }
        ByteBuffer buffer = ByteBuffer.wrap(input);
        Object object;
        try {
            object = KryoObjects.INSTANCE.read(null, buffer);
        } catch (KryoNetException refused) {
            return;
        }
        boolean known = object instanceof ByteBuffer piece
                ? input[0] == KryoObjects.PIECE && piece.remaining() == input.length - 1 && !buffer.hasRemaining()
                : object instanceof RegisterTCP
                        ? input[0] == KryoObjects.NUMBER && buffer.position() == 1 + Integer.BYTES
                        : object instanceof KeepAlive && input[0] == KryoObjects.ALIVE && buffer.position() == 1;
        if (!known) {
            throw new Finding("read as " + object);
        }
    }
}
