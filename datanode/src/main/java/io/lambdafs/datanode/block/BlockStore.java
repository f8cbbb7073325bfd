package io.lambdafs.datanode.block;

import io.lambdafs.rpc.FileSlice;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Keeps immutable objects under keys ({@link io.lambdafs.model.ObjectKey}). An object appears whole, when its upload is committed, or not at all, and no
 * upload replaces one. Nothing relies on a list being up to date.
 *
 * <p>Methods block: datanodes call them on a bounded pool. Failures are {@code FsException}s: {@code BLOCK_MISSING}, {@code ALREADY_EXISTS},
 * {@code STORE_FULL}, {@code STORE_CONFLICT} (another request for the same object), {@code PERMISSION_DENIED} (credentials or rights do not suffice), {@code UNAVAILABLE} (not reached, or an error of
 * the store: another attempt may go better). Messages name the store's place and the key. Thread-safe.
 */
public interface BlockStore extends AutoCloseable {
    /** Where it is, as messages show it: {@code directory /data/blocks}, {@code s3://bucket/prefix}. */
    String place();

    /** Begins an object. */
    Upload upload(String key);

    /** Returns how many bytes an object has; empty where there is none. */
    OptionalLong length(String key);

    /**
     * Reads a range of an object.
     *
     * @return how many bytes were read: fewer than {@code length} only where the object ends
     */
    int read(String key, long offset, byte[] into, int at, int length);

    /**
     * Opens a range of an object that lies in a file of this machine, for the system to send it.
     *
     * @return null where it lies in none, or ends before; the caller closes it
     */
    default @Nullable FileSlice slice(String key, long offset, int length) {
        return null;
    }

    /** Drops a copy that turned out to be damaged, where the store keeps copies; true if the object can be read anew. */
    default boolean dropCopy(String key) {
        return false;
    }

    /** Removes an object; true if there was one. The second of two removals need not know. */
    boolean delete(String key);

    /** Objects whose keys begin with a prefix, in the order of the keys, at most {@code limit}, behind the key {@code after}. */
    List<StoredObject> list(String prefix, String after, int limit);

    /**
     * Uploads that have neither been committed nor dropped, and of which something is kept: of writers that are at it, and of those that have died.
     *
     * @param after the key of the last one of the page before; empty for the first page
     */
    List<UnfinishedUpload> unfinished(String prefix, String after, int limit);

    /** Drops what is kept of an upload, which cannot be committed any more; nothing where it has ended. */
    void drop(UnfinishedUpload upload);

    /** How much room there is. */
    Space space();

    @Override
    void close();

    /** An object that is being written. Confined to one thread at a time. */
    interface Upload extends AutoCloseable {
        /** Adds bytes; they may be changed afterwards. */
        void write(byte[] bytes, int offset, int length);

        /** Makes the object durable and visible; fails with {@code ALREADY_EXISTS} where another has its key. */
        void commit();

        /** Drops what was not committed. Idempotent; does not throw. */
        @Override
        void close();
    }

    /**
     * An object in a list.
     *
     * @param modifiedMillis when it was written, by the store's clock
     */
    record StoredObject(String key, long length, long modifiedMillis) {}

    /**
     * An upload that has not ended.
     *
     * @param id by which the store knows it
     */
    record UnfinishedUpload(String key, String id) {}

    /**
     * How much a store can hold.
     *
     * @param capacityBytes 0 where there is no limit
     * @param freeBytes what is left of it
     */
    record Space(long capacityBytes, long freeBytes) {
        public static final Space UNLIMITED = new Space(0, 0);
    }
}
