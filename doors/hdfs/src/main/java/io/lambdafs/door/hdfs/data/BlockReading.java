package io.lambdafs.door.hdfs.data;

import io.lambdafs.client.FileReader;
import io.lambdafs.client.ReadAhead;
import io.lambdafs.door.hdfs.calls.BlockSeals;
import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.model.FsPath;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtoUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.ClientReadStatusProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpReadBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.ReadOpChecksumInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.util.DataChecksum;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a range of a block for a client, in packets with a CRC of every 512 bytes. Confined to one thread. */
final class BlockReading {
    private static final Logger LOG = LoggerFactory.getLogger(BlockReading.class);
    static final int CHUNK = 512;
    private static final int PACKET_BYTES = 64 << 10;

    private final DataContext context;
    private final DataInputStream in;
    private final DataOutputStream out;

    BlockReading(DataContext context, DataInputStream in, DataOutputStream out) {
        this.context = context;
        this.in = in;
        this.out = out;
    }

    /** Opens the file that a token is for, as its user, who must still be allowed to read it. */
    static FileReader reader(DataContext context, BlockSeals.Sealed what) throws IOException {
        FileReader reader =
                Failures.await(context.users().of(what.user()).client().reader(FsPath.of(what.path())), what.path());
        boolean same = reader.attributes().id() == what.file();
        if (!same || reader.length() < what.offset() + what.length()) {
            reader.close();
            throw new IOException(what.path() + (same ? " was cut" : " was replaced by another file") + " meanwhile");
        }
        return reader;
    }

    /** Returns whether the client has received everything. */
    boolean serve(OpReadBlockProto request) throws IOException {
        BlockSeals.Sealed what = context.open(request.getHeader().getBaseHeader(), false);
        long from = request.getOffset();
        long end = from + request.getLen();
        if (from < 0 || request.getLen() < 0 || end > what.length()) {
            throw new IOException(what.path() + ": block " + what.block() + " of " + what.length() + " bytes has no "
                    + request.getLen() + " at " + from);
        }
        DataChecksum checksum = DataChecksum.newDataChecksum(
                request.getSendChecksums() ? DataChecksum.Type.CRC32C : DataChecksum.Type.NULL, CHUNK);
        // Whole chunks, so that the client can check them.
        long begin = from - from % CHUNK;
        long until = Math.min(what.length(), (end + CHUNK - 1) / CHUNK * CHUNK);
        try (FileReader reader = reader(context, what)) {
            BlockOpResponseProto.newBuilder()
                    .setStatus(Status.SUCCESS)
                    .setReadOpChecksumInfo(ReadOpChecksumInfoProto.newBuilder()
                            .setChecksum(DataTransferProtoUtil.toProto(checksum))
                            .setChunkOffset(begin))
                    .build()
                    .writeDelimitedTo(out);
            context.readings().acquireUninterruptibly();
            try {
                send(new Range(what, begin, until), reader, checksum);
                return isTaken();
            } catch (IOException | RuntimeException e) {
                context.metrics().failed(e);
                // Between packets nothing can be said: the client sees the end, and asks again.
                LOG.info("A block of {} is not read to its end: {}", what.path(), e.toString());
                return false;
            } finally {
                context.readings().release();
            }
        }
    }

    private record Range(BlockSeals.Sealed what, long begin, long end) {}

    private void send(Range range, FileReader reader, DataChecksum checksum) throws IOException {
        ReadAhead ahead = new ReadAhead(reader);
        ByteBuffer data = ByteBuffer.allocate(PACKET_BYTES);
        ByteBuffer sums = ByteBuffer.allocate(PACKET_BYTES / CHUNK * checksum.getChecksumSize());
        long sequence = 0;
        long at = range.begin();
        try {
            while (at < range.end()) {
                data.clear().limit((int) Math.min(PACKET_BYTES, range.end() - at));
                fill(ahead, range.what(), at, data);
                int length = data.flip().limit();
                int chunks = (length + CHUNK - 1) / CHUNK;
                sums.clear().limit(chunks * checksum.getChecksumSize());
                if (sums.hasRemaining()) {
                    checksum.calculateChunkedSums(data, sums);
                }
                header(at, sequence++, false, length, sums.limit());
                out.write(sums.array(), 0, sums.limit());
                out.write(data.array(), 0, length);
                context.metrics().read(length);
                at += length;
            }
        } finally {
            ahead.drop();
        }
        header(at, sequence, true, 0, 0);
        out.flush();
    }

    /** Fills a buffer with bytes of a block. */
    static void fill(ReadAhead ahead, BlockSeals.Sealed what, long at, ByteBuffer data) throws IOException {
        while (data.hasRemaining()) {
            long from = what.offset() + at + data.position();
            Failures.call(() -> ahead.read(from, data), what.path());
        }
    }

    private void header(long at, long sequence, boolean last, int length, int sums) throws IOException {
        new PacketHeader(Integer.BYTES + sums + length, at, sequence, last, length, false).write(out);
    }

    /** A client that has received everything says so, and may continue on this connection. */
    private boolean isTaken() throws IOException {
        try {
            return ClientReadStatusProto.parseDelimitedFrom(in) != null;
        } catch (EOFException gone) {
            return false;
        }
    }
}
