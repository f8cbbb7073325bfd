package io.lambdafs.functions.namenode;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Reply;
import io.lambdafs.model.RequestId;
import io.lambdafs.rpc.Codec;
import io.lambdafs.rpc.OperationReply;
import io.lambdafs.rpc.RpcMessages;
import io.lambdafs.rpc.WireReader;
import io.lambdafs.rpc.WireWriter;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Exactly once: the last request of each slot of a client session, with its answer, in the store. Looked up and written under the
 * slot's lock, in the transaction of the write itself. Stateless.
 */
public final class Slots {
    private static final Codec CODEC = RpcMessages.codec();

    private Slots() {}

    public static Key key(RequestId id) {
        return Rows.slotKey(id.client(), id.slot());
    }

    /**
     * What the slot says of a request.
     *
     * @return the answer given before; null if the request is new
     * @throws FsException {@code STALE_SEQUENCE} for a request older than the slot's last
     */
    public static @Nullable Reply answered(RequestId id, @Nullable Row slot) {
        if (slot == null || slot.int64(0) < id.sequence()) {
            return null;
        }
        if (slot.int64(0) > id.sequence()) {
            throw new FsException(
                    ErrorCode.STALE_SEQUENCE,
                    "request " + id + " is older than the last of its slot (" + slot.int64(0)
                            + "): its answer was taken long ago");
        }
        OperationReply stored = (OperationReply) CODEC.read(new WireReader(slot.bytes(1)));
        return stored.reply();
    }

    /** Records the answer under the {@link #key}; with the first of a slot also that the session has slots, for their clean-up. */
    public static List<Mutation> record(RequestId id, Key key, Reply reply, long expiresMillis) {
        WireWriter out = new WireWriter();
        CODEC.write(out, new OperationReply(0, 0, false, reply));
        Mutation slot = new Mutation.Put(new Row(key, id.sequence(), out.toByteArray(), expiresMillis));
        if (id.sequence() > 1) {
            return List.of(slot);
        }
        Mutation client = new Mutation.Merge(
                Schema.CLIENTS.key(0L, id.client()),
                List.of(new Mutation.Delta(0, Mutation.Delta.Kind.MAX, expiresMillis)));
        return List.of(slot, client);
    }
}
