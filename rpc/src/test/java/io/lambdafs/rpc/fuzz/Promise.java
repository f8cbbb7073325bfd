package io.lambdafs.rpc.fuzz;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.Message;
import java.util.Arrays;
import java.util.Set;

/** The promise of decoders: a value that survives being written and read again, or a typed refusal. Stateless. */
public final class Promise {
    private static final Set<ErrorCode> REFUSALS =
            Set.of(ErrorCode.BAD_FRAME, ErrorCode.INVALID_PATH, ErrorCode.INVALID_ARGUMENT, ErrorCode.NEEDS_DATANODE);

    private Promise() {}

    /** One message of a codec. */
    public static void message(Codec codec, byte[] input) {
        Message message;
        try {
            message = codec.read(new WireReader(input));
        } catch (FsException refusal) {
            refused(refusal);
            return;
        }
        byte[] once = write(codec, message);
        byte[] twice = write(codec, codec.read(new WireReader(once)));
        if (!Arrays.equals(once, twice)) {
            throw new Finding("read again it is another message: " + message);
        }
    }

    private static byte[] write(Codec codec, Message message) {
        WireWriter out = new WireWriter();
        codec.write(out, message);
        return out.toByteArray();
    }

    /** Passes a refusal that a sender of malformed input may be given. */
    public static void refused(FsException refusal) {
        if (!REFUSALS.contains(refusal.code())) {
            throw refusal;
        }
    }
}
