package io.lambdafs.door.hdfs.data;

import io.lambdafs.door.hdfs.calls.BlockSeals;
import io.lambdafs.door.hdfs.calls.Users;
import io.lambdafs.door.hdfs.calls.WrittenFiles;
import io.lambdafs.door.hdfs.metrics.DoorMetrics;
import java.util.concurrent.Semaphore;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BaseHeaderProto;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;

/**
 * The parts that connections share. Thread-safe.
 *
 * @param readings permits to read ahead, a few megabytes each
 */
public record DataContext(
        Users users, WrittenFiles written, BlockSeals seals, DoorMetrics metrics, Semaphore readings) {
    private static final int READINGS = 48;

    public DataContext(Users users, WrittenFiles written, BlockSeals seals, DoorMetrics metrics) {
        this(users, written, seals, metrics, new Semaphore(READINGS));
    }

    BlockSeals.Sealed open(BaseHeaderProto header, boolean write) throws InvalidBlockTokenException {
        return seals.open(
                header.getToken().getIdentifier().toByteArray(),
                header.getToken().getPassword().toByteArray(),
                header.getBlock().getBlockId(),
                write);
    }
}
