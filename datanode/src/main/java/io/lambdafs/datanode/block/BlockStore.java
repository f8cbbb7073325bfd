package io.lambdafs.datanode.block;

import io.lambdafs.rpc.FileSlice;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Keeps immutable objects under keys ({@link io.lambdafs.model.block.ObjectKey}). An object appears whole, when its upload is
 * committed, or not at all, and no upload replaces one. No code relies on a list being up to date.
 * <p>Methods block: datanodes call them on a bounded pool. Failures are {@code FsException}s: {@code BLOCK_MISSING},
 * {@code ALREADY_EXISTS}, {@code STORE_FULL}, {@code STORE_CONFLICT} (another request for the same object),
 * {@code PERMISSION_DENIED} (credentials or rights do not suffice), {@code UNAVAILABLE} (not reached, or an error of
 * the store: another attempt may succeed). Messages name the store's place and the key. Thread-safe.
 */
public interface BlockStore extends AutoCloseable {
    /**
     * Returns the store's place in the form for messages: {@code directory /data/blocks}, {@code s3://bucket/prefix}.
     */
    String place();

    /** Starts an object. */
    Upload upload(String key);

    /** Returns an object's length in bytes; empty if there is no such object. */
    OptionalLong length(String key);

    /**
     * Reads a range of an object.
     *
     * @return the number of bytes read: fewer than {@code length} only if the object ends
     */
    int read(String key, long offset, byte[] into, int at, int length);

    /**
     * Opens a range of an object in a file of this machine, for the system to send it.
     *
     * @return null if no file has it, or it ends before; the caller closes it
     */
    default @Nullable FileSlice slice(String key, long offset, int length) {
        return null;
    }

    /** Drops a damaged copy, if the store keeps copies; returns whether the object can be read anew. */
    default boolean dropCopy(String key) {
        return false;
    }

    /** Deletes an object; returns whether there was one. The second of two deletions may return true, too. */
    boolean delete(String key);

    /**
     * Returns objects whose keys begin with a prefix, in key order, at most {@code limit}, after the key {@code after}.
     */
    List<StoredObject> list(String prefix, String after, int limit);

    /**
     * Returns uploads neither committed nor dropped that have left something in the store: those of active writers, and
     * of dead ones.
     *
     * @param after the last key of the previous page; empty for the first page
     */
    List<UnfinishedUpload> unfinished(String prefix, String after, int limit);

    /** Drops the remains of an upload, which can then no longer be committed; does nothing if it has ended. */
    void drop(UnfinishedUpload upload);

    /** Returns the store's capacity and free space. */
    Space space();

    @Override
    void close();

    /** An object being written. Confined to one thread at a time. */
    interface Upload extends AutoCloseable {
        /** Adds bytes; they may be changed afterwards. */
        void write(byte[] bytes, int offset, int length);

        /** Makes the object durable and visible; fails with {@code ALREADY_EXISTS} if another has its key. */
        void commit();

        /** Drops the object unless it was committed. Idempotent; does not throw. */
        @Override
        void close();
    }

    /**
     * An object in a list.
     *
     * @param modifiedMillis the time of its writing, by the store's clock
     */
    record StoredObject(String key, long length, long modifiedMillis) {}

    /**
     * An unfinished upload.
     *
     * @param id the store's id of it
     */
    record UnfinishedUpload(String key, String id) {}

    /**
     * The capacity of a store.
     *
     * @param capacityBytes 0 if there is no limit
     * @param freeBytes the unused part of it
     */
    record Space(long capacityBytes, long freeBytes) {
        public static final Space UNLIMITED = new Space(0, 0);
    }
}
