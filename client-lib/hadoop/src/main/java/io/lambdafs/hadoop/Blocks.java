package io.lambdafs.hadoop;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.model.DatanodeAddress;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.LocatedBlock;
import io.lambdafs.model.ReadOperation;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.BlockLocation;

/** Where the blocks of files are, in Hadoop's terms. Stateless. */
final class Blocks {
    private Blocks() {}

    /** The blocks that hold a part of a range; none of a file that is kept with the metadata. */
    static List<BlockLocation> locations(LambdaFs client, FsPath path, long start, long length)
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
            // In an object store: as near to one host as to another, which Hadoop says this way.
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
