package io.lambdafs.datanode.server;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The highest generation under which each block was recently written. Stops writers early that have lost their lease;
 * the metadata ensures that such a writer cannot complete its file, even if this has forgotten. Thread-safe.
 */
final class Generations {
    private static final int MOST = 65_536;

    private final Map<Long, Long> highest = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
            return size() > MOST;
        }
    };

    /**
     * Notes a generation.
     *
     * @throws FsException {@code STALE_GENERATION}: a higher one has been seen
     */
    synchronized void admit(Block block) {
        long seen = highest.merge(block.id(), block.generation(), Math::max);
        if (seen > block.generation()) {
            throw new FsException(
                    ErrorCode.STALE_GENERATION,
                    block.label() + " is being written under generation " + seen
                            + ": the file's writer lease was taken by another; open the file again");
        }
    }
}
