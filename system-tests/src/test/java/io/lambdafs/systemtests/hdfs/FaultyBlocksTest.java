package io.lambdafs.systemtests.hdfs;

import java.io.IOException;

/** At datanodes. */
class FaultyBlocksTest extends FaultyBlocksCase {
    @Override
    BlockFaults start(java.nio.file.Path directory) throws IOException {
        servers = new LambdaServers(LambdaServers.Caching.WARM, directory);
        FaultyBlocks blocks = new FaultyBlocks();
        BlockServer datanode = new BlockServer("d1", blocks, servers.store());
        blocks.whenClosed(datanode::close);
        return blocks;
    }
}
