package io.lambdafs.store.server;

import io.lambdafs.rpc.fuzz.Promise;
import io.lambdafs.rpc.message.Codec;

/** Fuzzes the messages between store clients and servers: keys, rows, mutations. */
public final class StoreMessagesFuzz {
    private static final Codec CODEC = StoreMessages.codec();

    private StoreMessagesFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Promise.message(CODEC, input);
    }
}
