package io.lambdafs.rpc.message;

import io.lambdafs.rpc.fuzz.Promise;

/** Messages between clients and instances: operations, replies, registrations. */
public final class RpcMessagesFuzz {
    private static final Codec CODEC = RpcMessages.codec();

    private RpcMessagesFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Promise.message(CODEC, input);
    }
}
