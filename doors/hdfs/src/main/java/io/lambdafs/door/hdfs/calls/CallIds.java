package io.lambdafs.door.hdfs.calls;

import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.auth.Secret;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.IntFunction;
import org.apache.hadoop.ipc.Server;

/**
 * Maps calls to requests: every door of a cluster maps a repeated call to the same request, which λFS answers with the
 * first result. A session has one request, so a later one never overtakes it, and its id is an HMAC, so no one else can
 * guess it. Thread-safe.
 */
public final class CallIds {
    private static final int SLOT = 1;
    private static final int FIRST = 1;

    private final Secret secret;

    public CallIds(Secret secret) {
        this.secret = secret;
    }

    /** Returns the request of the call being answered. */
    RequestId ofCall() throws IOException {
        return ofSteps().apply(0);
    }

    /** Returns the requests of the call being answered, if it takes several, by number from 0. */
    IntFunction<RequestId> ofSteps() throws IOException {
        byte[] client = Server.getClientId();
        if (client.length == 0) {
            // An old client, or one of a wire without ids, which never repeats a call that was not idempotent.
            return step -> {
                UUID fresh = UUID.randomUUID();
                return new RequestId(fresh.getMostSignificantBits(), fresh.getLeastSignificantBits(), SLOT, FIRST);
            };
        }
        int call = Server.getCallId();
        String user = Users.caller();
        return step -> of(client, call, user, step);
    }

    /** The user is part of it: the same ids from another user are another request. */
    RequestId of(byte[] client, int call, String user, int step) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(client.length);
            out.write(client);
            out.writeInt(call);
            out.writeUTF(user);
            if (step != 0) {
                out.writeInt(step);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ByteBuffer id = ByteBuffer.wrap(secret.sign(bytes.toByteArray()));
        return new RequestId(id.getLong(), id.getLong(), SLOT, FIRST);
    }
}
