package io.lambdafs.functions.namenode;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.store.Guard;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Implements exactly-once semantics: the store keeps the last request of each slot of a client session with its reply,
 * looked up and written under the slot's lock in the write's own transaction. A transaction that creates a slot also
 * writes the note that the session has slots, under that note's shared lock; the clean-up takes it exclusively.
 * Stateless.
 */
public final class Slots {
    private static final Codec CODEC = RpcMessages.codec();

    private Slots() {}

    public static Key key(RequestId id) {
        return Rows.slotKey(id.client(), id.slot());
    }

    /** Returns the shared lock on the session's note, for a transaction that creates a slot. */
    static Read note(RequestId id) {
        return Read.shared(Schema.CLIENTS.key(0L, id.client()));
    }

    /** Returns the locks of a request: its slot, and for the first request of a slot also the {@link #note}. */
    static List<Read> locks(RequestId id) {
        Read slot = Read.exclusive(key(id));
        return isFirst(id) ? List.of(slot, note(id)) : List.of(slot);
    }

    /**
     * Returns the guards on {@link #locks} for a write that has not looked them up: the slot exists, unless the request
     * is the first.
     */
    static List<Guard> guards(RequestId id) {
        return isFirst(id) ? List.of(new Guard.Absent(), new Guard.Any()) : List.of(new Guard.Below(id.sequence()));
    }

    /** Returns whether a request is the first of its slot. */
    static boolean isFirst(RequestId id) {
        return id.sequence() <= 1;
    }

    /**
     * Looks a request up in its slot.
     *
     * @return the earlier reply; null if the request is new
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

    /**
     * Returns the mutations that record a reply under the {@link #key}.
     *
     * @param made whether the slot is new: then the transaction holds the lock of the {@link #note} and writes it
     */
    public static List<Mutation> record(RequestId id, Reply reply, long expiresMillis, boolean made) {
        WireWriter out = new WireWriter();
        CODEC.write(out, new OperationReply(0, 0, false, reply));
        Mutation slot = new Mutation.Put(new Row(key(id), id.sequence(), out.toByteArray(), expiresMillis));
        if (!made) {
            return List.of(slot);
        }
        Mutation client = new Mutation.Merge(
                note(id).key(), List.of(new Mutation.Delta(0, Mutation.Delta.Kind.MAX, expiresMillis)));
        return List.of(slot, client);
    }
}
