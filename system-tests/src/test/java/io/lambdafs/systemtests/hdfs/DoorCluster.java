package io.lambdafs.systemtests.hdfs;

import io.lambdafs.datanode.local.LocalBlockStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A cluster of this JVM with a datanode, whose directory doors read. */
final class DoorCluster implements AutoCloseable {
    private final Path directory;
    private final LambdaServers servers;
    private final BlockServer datanode;

    private DoorCluster(Path directory, LambdaServers servers, BlockServer datanode) {
        this.directory = directory;
        this.servers = servers;
        this.datanode = datanode;
    }

    static DoorCluster start(Path folder) throws IOException {
        Path directory = Files.createDirectories(folder.resolve("cluster"));
        LambdaServers servers = new LambdaServers(LambdaServers.Caching.WARM, directory);
        Path blocks = Files.createDirectories(folder.resolve("blocks"));
        BlockServer datanode = new BlockServer("d1", LocalBlockStore.open(blocks, "door"), servers.store());
        Path file = directory.resolve("client.json");
        Files.writeString(file, Files.readString(file).replace("\"secretFile\"", "\"tcp\":false,\"secretFile\""));
        return new DoorCluster(directory, servers, datanode);
    }

    Path directory() {
        return directory;
    }

    @Override
    public void close() {
        datanode.close();
        servers.close();
    }
}
