package io.lambdafs.door.hdfs.calls;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Answers calls of a client that has lost the connection by which it writes a block, and goes on by another, at this door
 * or as the client of one that is lost. Public methods are the protocol's. Thread-safe.
 */
public final class PipelineCalls {
    private final Successors successors;
    private final WrittenFiles written;
    private final BlockMap blocks;

    public PipelineCalls(WrittenFiles written, BlockMap blocks, Successors successors) {
        this.successors = successors;
        this.written = written;
        this.blocks = blocks;
    }

    public LocatedBlock updateBlockForPipeline(ExtendedBlock block, String clientName) throws IOException {
        BlockPlace place = BlockPlace.of(block);
        return successors
                .of(new Successors.Claim(place.file(), place.path(), clientName), block)
                .again(block, blocks);
    }

    /** The block is the same by whichever way it comes. */
    public void updatePipeline(
            String clientName,
            ExtendedBlock oldBlock,
            ExtendedBlock newBlock,
            DatanodeID[] newNodes,
            String[] newStorageIDs)
            throws IOException {
        BlockPlace place = BlockPlace.of(newBlock);
        written.of(place.file(), place.path(), Users.caller(), clientName).goOn(newBlock.getBlockId());
    }
}
