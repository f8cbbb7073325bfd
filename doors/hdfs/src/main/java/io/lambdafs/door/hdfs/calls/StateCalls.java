package io.lambdafs.door.hdfs.calls;

import io.lambdafs.hadoop.LambdaFileSystem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.CorruptFileBlocks;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.security.token.block.DataEncryptionKey;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;
import org.jspecify.annotations.Nullable;

/** Answers calls on the service itself. Public methods are the protocol's. Thread-safe. */
public final class StateCalls {
    private static final long BLOCK_SIZE = 128L << 20;
    private static final int CHECKSUM_BYTES = 512;
    private static final int PACKET_BYTES = 64 << 10;
    private static final short REPLICATION = 3;
    private static final int BUFFER_BYTES = 4_096;
    /** HDFS's numbers of its policies. */
    private static final Map<String, Integer> POLICIES = Map.of(
            "HOT",
            7,
            "WARM",
            5,
            "COLD",
            2,
            "ALL_SSD",
            12,
            "ONE_SSD",
            10,
            "LAZY_PERSIST",
            15,
            "ALL_NVDIMM",
            14,
            "PROVIDED",
            1);
    /** The first number of a block store's policy. */
    private static final int FIRST_OTHER_POLICY = 16;

    private static final int OTHER_POLICIES = 100;

    private final Users users;
    private final BlockMap blocks;

    public StateCalls(Users users, BlockMap blocks) {
        this.users = users;
        this.blocks = blocks;
    }

    public FsServerDefaults getServerDefaults() {
        return new FsServerDefaults(
                BLOCK_SIZE,
                CHECKSUM_BYTES,
                PACKET_BYTES,
                REPLICATION,
                BUFFER_BYTES,
                false,
                0,
                DataChecksum.Type.CRC32C,
                "");
    }

    /** There is no capacity: an object store reports none. */
    public long[] getStats() {
        long[] stats = new long[ClientProtocol.STATS_ARRAY_LENGTH];
        stats[ClientProtocol.GET_STATS_CAPACITY_IDX] = Long.MAX_VALUE;
        stats[ClientProtocol.GET_STATS_REMAINING_IDX] = Long.MAX_VALUE;
        return stats;
    }

    public DatanodeInfo[] getDatanodeReport(HdfsConstants.DatanodeReportType type) {
        return switch (type) {
            case ALL, LIVE -> new DatanodeInfo[] {blocks.door()};
            case DEAD, DECOMMISSIONING, ENTERING_MAINTENANCE, IN_MAINTENANCE -> new DatanodeInfo[0];
        };
    }

    /** Every door is active. */
    public HAServiceState getHAServiceState() {
        return HAServiceState.ACTIVE;
    }

    /** Nothing to wait for: reads reflect acknowledged writes. */
    public void msync() {}

    public boolean setSafeMode(HdfsConstants.SafeModeAction action, boolean isChecked) throws IOException {
        return users.ofCaller()
                .setSafeMode(
                        switch (action) {
                            case SAFEMODE_ENTER -> SafeModeAction.ENTER;
                            case SAFEMODE_LEAVE -> SafeModeAction.LEAVE;
                            case SAFEMODE_FORCE_EXIT -> SafeModeAction.FORCE_EXIT;
                            case SAFEMODE_GET -> SafeModeAction.GET;
                        },
                        isChecked);
    }

    /** None, as HDFS's without security: the data port has no encryption. */
    public @Nullable DataEncryptionKey getDataEncryptionKey() {
        return null;
    }

    /** None, as HDFS's without security. */
    public @Nullable Token<DelegationTokenIdentifier> getDelegationToken(Text renewer) {
        return null;
    }

    public BlockStoragePolicy[] getStoragePolicies() throws IOException {
        return users.ofCaller().getAllStoragePolicies().stream()
                .map(StateCalls::hdfs)
                .toArray(BlockStoragePolicy[]::new);
    }

    public BlockStoragePolicy getStoragePolicy(String src) throws IOException {
        return hdfs(users.ofCaller().getStoragePolicy(new Path(src)));
    }

    private static BlockStoragePolicy hdfs(BlockStoragePolicySpi policy) {
        int number = POLICIES.getOrDefault(
                policy.getName(),
                FIRST_OTHER_POLICY + Math.floorMod(policy.getName().hashCode(), OTHER_POLICIES));
        return new BlockStoragePolicy(
                (byte) number,
                policy.getName(),
                policy.getStorageTypes(),
                policy.getCreationFallbacks(),
                policy.getReplicationFallbacks());
    }

    /** All at once: the cookie only says that they have been sent. */
    public CorruptFileBlocks listCorruptFileBlocks(String src, @Nullable String cookie) throws IOException {
        List<String> files = new ArrayList<>();
        if (cookie == null) {
            LambdaFileSystem fs = users.ofCaller();
            RemoteIterator<Path> damaged = fs.listCorruptFileBlocks(new Path(src));
            while (damaged.hasNext()) {
                files.add(damaged.next().toUri().getPath());
            }
        }
        return new CorruptFileBlocks(files.toArray(String[]::new), "told");
    }
}
