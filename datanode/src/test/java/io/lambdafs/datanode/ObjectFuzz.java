package io.lambdafs.datanode;

import io.lambdafs.datanode.block.BlockSource;
import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.rpc.block.Seal;
import io.lambdafs.rpc.fuzz.Finding;
import java.util.Arrays;

/** Objects as a block store gives them back: whatever has become of them, what is read of a block is what was written, or it is refused. */
public final class ObjectFuzz {
    private static final int LENGTH = 300;
    private static final Block BLOCK = new Block(42, 7, LENGTH, Seal.crc(content(), 0, LENGTH));
    private static final String KEY = "blocks/fuzzed";

    private ObjectFuzz() {}

    /** The bytes of the block that the seeds hold. */
    static byte[] content() {
        byte[] content = new byte[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            content[i] = (byte) (i * 31);
        }
        return content;
    }

    public static void fuzzerTestOneInput(byte[] input) {
        MemoryBlockStore store = new MemoryBlockStore();
        try (BlockStore.Upload upload = store.upload(KEY)) {
            upload.write(input, 0, input.length);
            upload.commit();
        }
        byte[] read;
        try {
            read = new BlockSource(store).read(KEY, BLOCK, 0, LENGTH);
        } catch (FsException refusal) {
            if (refusal.code() != ErrorCode.BLOCK_CORRUPT) {
                throw refusal;
            }
            return;
        }
        if (!Arrays.equals(read, content())) {
            throw new Finding("read other bytes than were written");
        }
    }
}
