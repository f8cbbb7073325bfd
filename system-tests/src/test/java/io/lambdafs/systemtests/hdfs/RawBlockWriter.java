package io.lambdafs.systemtests.hdfs;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.BlockConstructionStage;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader;
import org.apache.hadoop.hdfs.protocol.datatransfer.PipelineAck;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;

/** A client that writes a block packet by packet, as no honest one would. */
final class RawBlockWriter implements Closeable {
    private static final DataChecksum CHECKSUM = DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private long sequence;

    RawBlockWriter(LocatedBlock block) throws IOException {
        DatanodeInfo door = block.getLocations()[0];
        socket = new Socket();
        socket.connect(new InetSocketAddress(door.getIpAddr(), door.getXferPort()));
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    /** Begins the block with a token, and returns the answer. */
    Status begin(LocatedBlock block, Token<BlockTokenIdentifier> token) throws IOException {
        return begin(block, token, BlockConstructionStage.PIPELINE_SETUP_CREATE);
    }

    /** Goes on with a block, at another connection than the one that it was begun at. */
    Status goOn(LocatedBlock block) throws IOException {
        return begin(block, block.getBlockToken(), BlockConstructionStage.PIPELINE_SETUP_STREAMING_RECOVERY);
    }

    private Status begin(LocatedBlock block, Token<BlockTokenIdentifier> token, BlockConstructionStage stage)
            throws IOException {
        new Sender(out)
                .writeBlock(
                        block.getBlock(),
                        StorageType.DISK,
                        token,
                        "raw",
                        new DatanodeInfo[0],
                        new StorageType[0],
                        null,
                        stage,
                        1,
                        0,
                        0,
                        block.getBlock().getGenerationStamp(),
                        CHECKSUM,
                        CachingStrategy.newDefaultStrategy(),
                        false,
                        false,
                        new boolean[0],
                        "door",
                        new String[0]);
        return BlockOpResponseProto.parseDelimitedFrom(in).getStatus();
    }

    /** Sends bytes for a position of the block, damaged on the way or not, and returns the answer. */
    Status send(long at, byte[] bytes, boolean damaged) throws IOException {
        ByteBuffer sums = ByteBuffer.allocate((bytes.length + 511) / 512 * CHECKSUM.getChecksumSize());
        CHECKSUM.calculateChunkedSums(ByteBuffer.wrap(bytes), sums);
        byte[] sent = bytes.clone();
        if (damaged) {
            sent[sent.length / 2]++;
        }
        new PacketHeader(Integer.BYTES + sums.capacity() + sent.length, at, sequence++, false, sent.length, false)
                .write(out);
        out.write(sums.array());
        out.write(sent);
        out.flush();
        PipelineAck ack = new PipelineAck();
        ack.readFields(in);
        return PipelineAck.getStatusFromHeader(ack.getHeaderFlag(0));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
