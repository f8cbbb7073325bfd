package io.lambdafs.functions.openwhisk;

import io.lambdafs.coordinator.direct.CoordinatorMessages;
import io.lambdafs.rpc.fuzz.Promise;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.RpcMessages;

/** Fuzzes the messages between instances: invalidations, greetings, acknowledgements. */
public final class CoordinatorMessagesFuzz {
    private static final Codec CODEC =
            CoordinatorMessages.register(RpcMessages.register(Codec.builder())).build();

    private CoordinatorMessagesFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Promise.message(CODEC, input);
    }
}
