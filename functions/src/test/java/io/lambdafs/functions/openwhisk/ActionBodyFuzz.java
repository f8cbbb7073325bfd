package io.lambdafs.functions.openwhisk;

import io.lambdafs.model.FsException;
import io.lambdafs.rpc.RpcMessages;
import io.lambdafs.rpc.fuzz.Finding;
import io.lambdafs.rpc.fuzz.Promise;

/** The bodies of {@code /init} and {@code /run}, and the request inside the latter. */
public final class ActionBodyFuzz {
    private ActionBodyFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        try {
            if (InitCall.parse(input).deployment() < 0) {
                throw new Finding("a negative deployment");
            }
        } catch (FsException refusal) {
            Promise.refused(refusal);
        }
        try {
            RunCall call = RunCall.parse(input);
            if (call.request() != null) {
                Promise.message(RpcMessages.codec(), call.request());
            }
        } catch (FsException refusal) {
            Promise.refused(refusal);
        }
    }
}
