package io.lambdafs.hadoop.convert;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.operation.ReadOperation;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.BlockLocation;

/** Converts block locations to Hadoop's. Stateless. */
public final class Blocks {
    private Blocks() {}

    /** Returns the blocks that overlap a range; none for a file with inline content. */
    public static List<BlockLocation> locations(LambdaFs client, FsPath path, long start, long length)
            throws InterruptedException {
        List<BlockLocation> locations = new ArrayList<>();
        long end = start + Math.min(length, Long.MAX_VALUE - start);
        long at = start;
        while (at < end) {
            List<LocatedBlock> blocks = BlockingLambdaFs.await(client.execute(new ReadOperation.Open(path, at)))
                    .blocks();
            if (blocks.isEmpty()) {
                return locations;
            }
            for (LocatedBlock block : blocks) {
                if (block.offset() >= end) {
                    return locations;
                }
                locations.add(location(block));
                at = block.offset() + block.block().length();
            }
        }
        return locations;
    }

    private static BlockLocation location(LocatedBlock block) {
        if (block.direct() != null) {
            // In an object store, equally near to all hosts; Hadoop's convention for that.
            return new BlockLocation(
                    new String[] {"localhost:9866"},
                    new String[] {"localhost"},
                    block.offset(),
                    block.block().length());
        }
        List<DatanodeAddress> datanodes = block.datanodes();
        String[] hosts = datanodes.stream().map(DatanodeAddress::host).toArray(String[]::new);
        String[] names =
                datanodes.stream().map(each -> each.host() + ":" + each.port()).toArray(String[]::new);
        return new BlockLocation(names, hosts, block.offset(), block.block().length());
    }
}
