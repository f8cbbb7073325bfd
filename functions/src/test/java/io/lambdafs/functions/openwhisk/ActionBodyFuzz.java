package io.lambdafs.functions.openwhisk;

import io.lambdafs.model.FsException;
import io.lambdafs.rpc.fuzz.Finding;
import io.lambdafs.rpc.fuzz.Promise;
import io.lambdafs.rpc.message.RpcMessages;
import java.util.function.Supplier;

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
        run(() -> RunCall.parse(input));
        run(() -> RunCall.parseBare(input));
        try {
            if (InitCall.environment(input).containsValue(null)) {
                throw new Finding("a variable without a value");
            }
        } catch (FsException refusal) {
            Promise.refused(refusal);
        }
    }

    private static void run(Supplier<RunCall> parsing) {
        try {
            RunCall call = parsing.get();
            if (call.request() != null) {
                Promise.message(RpcMessages.codec(), call.request());
            }
        } catch (FsException refusal) {
            Promise.refused(refusal);
        }
    }
}
