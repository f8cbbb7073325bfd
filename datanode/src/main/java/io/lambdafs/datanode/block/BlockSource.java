package io.lambdafs.datanode.block;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.rpc.FileSlice;
import io.lambdafs.rpc.block.BlockPieces;
import io.lambdafs.rpc.block.Seal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads blocks from their objects. Checks every byte before returning it, or returns it with its checksums to a caller
 * that checks it. Keeps the seals of recently read blocks. Thread-safe.
 */
public final class BlockSource {
    /** For blocks of 128 MB, each takes 8 KB. */
    private static final int SEALS = 1_024;

    private static final int LOCKS = 64;

    private final BlockStore store;
    /** The reader of a seal holds its key's lock, so that others wait for the seal rather than read it too. */
    private final Object[] reading = new Object[LOCKS];

    private final Map<String, Seal> seals = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seal> eldest) {
            return size() > SEALS;
        }
    };

    public BlockSource(BlockStore store) {
        this.store = store;
        Arrays.setAll(reading, i -> new Object());
    }

    /**
     * Reads a range of a block.
     *
     * @throws FsException {@code INVALID_ARGUMENT}: the range is not within the block; {@code BLOCK_CORRUPT}: the
     *     object differs from the written one; else as the store specifies
     */
    public byte[] read(String key, Block block, long offset, int length) {
        check(block, offset, length);
        try {
            return readChecked(key, block, offset, length);
        } catch (FsException e) {
            if (e.code() == ErrorCode.BLOCK_CORRUPT && store.dropCopy(key)) {
                return readChecked(key, block, offset, length);
            }
            throw e;
        }
    }

    /**
     * Opens whole granules of a block for a caller that checks them against the checksums of the object's seal.
     *
     * @return null if the bytes are in no file of this machine, or it is too short: {@link #read} then reports the
     *     reason
     * @throws FsException as {@link #read}
     */
    public @Nullable BlockPieces pieces(String key, Block block, long offset, int length) {
        check(block, offset, length);
        if (!Seal.isWhole(block, offset, length)) {
            return null;
        }
        FileSlice slice = store.slice(key, offset, length);
        if (slice == null) {
            return null;
        }
        try {
            return new BlockPieces(offset, seal(key, block).checksums(offset, length), slice);
        } catch (RuntimeException e) {
            slice.close();
            if (FsException.of(e).code() == ErrorCode.BLOCK_CORRUPT) {
                return null;
            }
            throw e;
        }
    }

    private static void check(Block block, long offset, int length) {
        if (offset < 0 || length < 1 || offset > block.length() - length || block.length() > Seal.MAX_LENGTH) {
            throw FsException.invalidArgument(
                    length + " bytes at " + offset + " are not within the " + block.length() + " of " + block.label());
        }
    }

    private byte[] readChecked(String key, Block block, long offset, int length) {
        Seal seal = seal(key, block);
        long from = offset - offset % Seal.GRANULE;
        long end = offset + length;
        long to = Math.min(block.length(), (end + Seal.GRANULE - 1) / Seal.GRANULE * Seal.GRANULE);
        byte[] bytes = new byte[Math.toIntExact(to - from)];
        int count = store.read(key, from, bytes, 0, bytes.length);
        if (count < bytes.length) {
            throw corrupt(key, block, "it ends after " + (from + count) + " bytes");
        }
        if (!seal.matches(bytes, count, from)) {
            throw corrupt(key, block, "the bytes from " + from + " to " + to + " are not those that were written");
        }
        int skip = (int) (offset - from);
        return skip == 0 && length == bytes.length ? bytes : Arrays.copyOfRange(bytes, skip, skip + length);
    }

    private Seal seal(String key, Block block) {
        Seal known = known(key, block);
        if (known != null) {
            return known;
        }
        synchronized (reading[Math.floorMod(key.hashCode(), LOCKS)]) {
            Seal since = known(key, block);
            return since != null ? since : readSeal(key, block);
        }
    }

    private @Nullable Seal known(String key, Block block) {
        synchronized (seals) {
            Seal known = seals.get(key);
            return known != null && known.block().equals(block) ? known : null;
        }
    }

    private Seal readSeal(String key, Block block) {
        byte[] bytes = new byte[Seal.size(block.length())];
        int count = store.read(key, block.length(), bytes, 0, bytes.length);
        Seal seal = count < bytes.length ? null : Seal.read(block, bytes);
        if (seal == null) {
            throw corrupt(
                    key,
                    block,
                    count < bytes.length ? "it has been cut short" : "its seal is damaged or another block's");
        }
        synchronized (seals) {
            seals.put(key, seal);
        }
        return seal;
    }

    private FsException corrupt(String key, Block block, String why) {
        return new FsException(
                ErrorCode.BLOCK_CORRUPT,
                "the object " + key + " of " + block.label() + " in " + store.place() + " is damaged: " + why
                        + "; restore the object or the file from a copy");
    }
}
