package io.lambdafs.door.hdfs;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtoUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.PipelineAck;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpWriteBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpWriteBlockProto.BlockConstructionStage;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.util.DataChecksum;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives a block from a client. A packet is acknowledged once its checksums are verified and the writer has it; once
 * it is durable and visible, if the client flushes. Confined to one thread.
 */
final class BlockWriting {
    private static final Logger LOG = LoggerFactory.getLogger(BlockWriting.class);
    private static final long HEARTBEAT = -1;
    /** Fewer than a client sends without an acknowledgement. */
    private static final int MOST_UNANSWERED = 32;

    private final DataConnection.Context context;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final List<Long> unanswered = new ArrayList<>();

    BlockWriting(DataConnection.Context context, DataInputStream in, DataOutputStream out) {
        this.context = context;
        this.in = in;
        this.out = out;
    }

    void serve(OpWriteBlockProto request) throws IOException {
        BlockSeals.Sealed what = context.open(request.getHeader().getBaseHeader(), true);
        if (request.getStage() != BlockConstructionStage.PIPELINE_SETUP_CREATE) {
            throw new IOException(what.path() + ": a door knows no " + request.getStage()
                    + ", because a block of it has no other copy to go on with");
        }
        if (request.getTargetsCount() > 0) {
            throw new IOException(what.path() + ": a door forwards blocks to no other datanode");
        }
        DataChecksum checksum = DataTransferProtoUtil.fromProto(request.getRequestedChecksum());
        WrittenFile file = context.written().of(what.file());
        file.begin(what.block());
        BlockOpResponseProto.newBuilder()
                .setStatus(Status.SUCCESS)
                .setFirstBadLink("")
                .build()
                .writeDelimitedTo(out);
        out.flush();
        try {
            receive(file, what.block(), checksum);
        } catch (ChecksumException e) {
            refuseLast(Status.ERROR_CHECKSUM, e);
        } catch (IOException | RuntimeException e) {
            refuseLast(Status.ERROR, e);
        }
    }

    private void receive(WrittenFile file, long block, DataChecksum checksum) throws IOException {
        Packet packet = new Packet(checksum);
        boolean last = false;
        while (!last) {
            packet.read(in);
            unanswered.add(packet.header().getSeqno());
            if (packet.header().getSeqno() == HEARTBEAT) {
                answer(Status.SUCCESS);
                continue;
            }
            packet.verify(file.path().toString());
            file.receive(block, packet.header().getOffsetInBlock(), packet.data());
            last = packet.header().isLastPacketInBlock();
            boolean sync = packet.header().getSyncBlock();
            boolean more = !last && in.available() > 0 && unanswered.size() < MOST_UNANSWERED;
            if (sync || (file.flushes() && !more)) {
                file.sync();
                answer(Status.SUCCESS);
            } else if (!file.flushes()) {
                answer(Status.SUCCESS);
            }
        }
    }

    private void answer(Status status) throws IOException {
        for (long each : unanswered) {
            send(each, status);
        }
        unanswered.clear();
        out.flush();
    }

    /** Refuses the last packet; earlier ones without an answer are not acknowledged. */
    private void refuseLast(Status status, Exception why) throws IOException {
        LOG.info("A block is not taken: {}", why.toString());
        if (!unanswered.isEmpty()) {
            send(unanswered.get(unanswered.size() - 1), status);
            out.flush();
        }
    }

    private void send(long sequence, Status status) throws IOException {
        new PipelineAck(sequence, new int[] {PipelineAck.combineHeader(PipelineAck.ECN.DISABLED, status)}).write(out);
    }
}
