package io.lambdafs.door.hdfs.data;

import io.lambdafs.door.hdfs.calls.BlockSeals;
import io.lambdafs.door.hdfs.calls.WrittenFile;
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
    /** So many may be all that a client sends without an answer. */
    private static final int FEW_UNANSWERED = 5;

    private static final int FEW_MILLIS = 200;
    private static final int MANY_MILLIS = 50;

    private final DataContext context;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final Coming coming;
    private final List<Long> unanswered = new ArrayList<>();

    /** The bytes that come. */
    interface Coming {
        DataInputStream in();

        /** Returns whether any comes within a time. */
        boolean within(int millis) throws IOException;
    }

    BlockWriting(DataContext context, Coming coming, DataOutputStream out) {
        this.context = context;
        this.coming = coming;
        this.in = coming.in();
        this.out = out;
    }

    void serve(OpWriteBlockProto request) throws IOException {
        BlockSeals.Sealed what = context.open(request.getHeader().getBaseHeader(), true);
        DataChecksum checksum = DataTransferProtoUtil.fromProto(request.getRequestedChecksum());
        WrittenFile file = context.written().of(what.file());
        // The further targets are other ways to the same block, so there is nobody to pass it on to.
        switch (request.getStage()) {
            case PIPELINE_SETUP_CREATE -> file.begin(what.block());
            case PIPELINE_SETUP_STREAMING_RECOVERY, PIPELINE_CLOSE_RECOVERY -> file.goOn(what.block());
            default -> throw new IOException(what.path() + ": a door knows no " + request.getStage());
        }
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
            if (!unanswered.isEmpty()
                    && !coming.within(unanswered.size() < FEW_UNANSWERED ? FEW_MILLIS : MANY_MILLIS)) {
                file.keep();
                answer(Status.SUCCESS);
            }
            packet.read(in);
            if (packet.header().getSeqno() == HEARTBEAT) {
                send(HEARTBEAT, Status.SUCCESS);
                out.flush();
                continue;
            }
            unanswered.add(packet.header().getSeqno());
            packet.verify(file.path().toString());
            file.receive(block, packet.header().getOffsetInBlock(), packet.data());
            context.metrics().wrote(packet.header().getDataLen());
            last = packet.header().isLastPacketInBlock();
            settle(file, packet.header().getSyncBlock(), last);
        }
    }

    /** Does what must be done before packets are acknowledged, and acknowledges them, or waits for more. */
    private void settle(WrittenFile file, boolean sync, boolean last) throws IOException {
        boolean more = !last && in.available() > 0 && unanswered.size() < MOST_UNANSWERED;
        if (sync || (file.flushes() && !more)) {
            file.sync();
        } else if (file.flushes() || (file.isHandedOn() && !last && unanswered.size() < MOST_UNANSWERED)) {
            return;
        } else if (last) {
            file.endBlock();
        } else if (file.isHandedOn()) {
            file.keep();
        }
        answer(Status.SUCCESS);
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
        context.metrics().failed(why);
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
