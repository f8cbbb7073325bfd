package io.lambdafs.rpc.block;

import io.lambdafs.rpc.fuzz.Promise;
import io.lambdafs.rpc.message.Codec;

/** Fuzzes the messages between clients and datanodes. */
public final class BlockMessagesFuzz {
    private static final Codec CODEC = BlockMessages.codec();

    private BlockMessagesFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Promise.message(CODEC, input);
    }
}
