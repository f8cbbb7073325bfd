package io.lambdafs.door.mount.wire;

import io.lambdafs.rpc.fuzz.Finding;
import java.nio.ByteBuffer;

/** Fuzzes requests: each is read to its end or refused, and what is read lies within it. */
public final class RequestFuzz {
    private RequestFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        try {
            Request request = new Request(ByteBuffer.wrap(input));
            Opcode opcode = request.opcode();
            if (opcode == Opcode.SETATTR) {
                SetAttributes.read(request);
            } else if (opcode == Opcode.SETXATTR) {
                int size = request.int32();
                request.int32();
                request.text();
                if (request.bytes(size).remaining() != size) {
                    throw new Finding("a value is not as long as its request says");
                }
            } else {
                request.int64();
                request.name();
                request.name();
            }
        } catch (ErrnoException refused) {
            return;
        }
    }
}
