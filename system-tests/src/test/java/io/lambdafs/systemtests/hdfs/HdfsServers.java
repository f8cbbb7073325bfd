package io.lambdafs.systemtests.hdfs;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.namenode.EditLogFileOutputStream;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** A NameNode and a DataNode of HDFS within this JVM, on loopback; the NameNode's superuser is {@link User#ROOT}. Thread-safe. */
final class HdfsServers implements Closeable {
    private static final String ANY_PORT = "127.0.0.1:0";
    /** Longer than since 1970: reading does not change access times. */
    private static final long NEVER_MILLIS = 1L << 50;

    private final NameNode nameNode;
    private final DataNode dataNode;

    private HdfsServers(NameNode nameNode, DataNode dataNode) {
        this.nameNode = nameNode;
        this.dataNode = dataNode;
    }

    /** @param folder that is empty, for their data */
    static HdfsServers start(Path folder) throws IOException, InterruptedException {
        // Both in one JVM, and nothing that outlives it.
        DefaultMetricsSystem.setMiniClusterMode(true);
        EditLogFileOutputStream.setShouldSkipFsyncForTesting(true);
        Configuration conf = settings(folder);
        return User.ROOT.identity().doAs((PrivilegedExceptionAction<HdfsServers>) () -> {
            NameNode.format(conf);
            NameNode nameNode = new NameNode(conf);
            conf.set(CommonConfigurationKeys.FS_DEFAULT_NAME_KEY, uri(nameNode).toString());
            DataNode dataNode = DataNode.instantiateDataNode(new String[0], conf);
            dataNode.runDatanodeDaemon();
            return new HdfsServers(nameNode, dataNode);
        });
    }

    private static Configuration settings(Path folder) throws IOException {
        Configuration conf = new Configuration();
        conf.set(CommonConfigurationKeys.FS_DEFAULT_NAME_KEY, "hdfs://" + ANY_PORT);
        conf.set(
                DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY,
                folder.resolve("name").toUri().toString());
        conf.set(
                DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY,
                Files.createDirectories(folder.resolve("data")).toUri().toString());
        for (String address : List.of(
                DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY,
                DFSConfigKeys.DFS_DATANODE_ADDRESS_KEY,
                DFSConfigKeys.DFS_DATANODE_HTTP_ADDRESS_KEY,
                DFSConfigKeys.DFS_DATANODE_IPC_ADDRESS_KEY)) {
            conf.set(address, ANY_PORT);
        }
        conf.setLong(DFSConfigKeys.DFS_NAMENODE_ACCESSTIME_PRECISION_KEY, NEVER_MILLIS);
        return conf;
    }

    private static URI uri(NameNode nameNode) {
        return URI.create("hdfs://127.0.0.1:" + nameNode.getNameNodeAddress().getPort());
    }

    URI uri() {
        return uri(nameNode);
    }

    /** Has the DataNode fetch now what the NameNode wants of it, such as to agree on the last block of a file whose writer is gone. */
    void beat() throws IOException {
        DataNodeTestUtils.triggerHeartbeat(dataNode);
    }

    @Override
    public void close() {
        dataNode.shutdown();
        nameNode.stop();
        nameNode.join();
    }
}
