package io.lambdafs.door.hdfs;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.concurrent.Semaphore;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtocol;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BaseHeaderProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpBlockChecksumProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpReadBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpWriteBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.net.SocketInputWrapper;
import org.apache.hadoop.util.ProtoUtil;

/** A connection of the data transfer protocol: one operation after the other. Confined to one thread. */
final class DataConnection {
    private static final int IDLE_MILLIS = 10_000;
    private static final int WORK_MILLIS = 120_000;
    private static final int BUFFER_BYTES = 128 << 10;
    private static final int MOST_REQUEST_BYTES = 64 << 10;
    private static final int READ_BLOCK = 81;
    private static final int WRITE_BLOCK = 80;
    private static final int BLOCK_CHECKSUM = 85;

    private final SocketInputWrapper socket;
    private final Context context;
    private final DataInputStream in;
    private final DataOutputStream out;

    /**
     * The parts that connections share.
     *
     * @param readings permits for reading ahead, a few megabytes each
     */
    record Context(Users users, WrittenFiles written, BlockSeals seals, Semaphore readings) {
        private static final int READINGS = 48;

        Context(Users users, WrittenFiles written, BlockSeals seals) {
            this(users, written, seals, new Semaphore(READINGS));
        }

        BlockSeals.Sealed open(BaseHeaderProto header, boolean write) throws InvalidBlockTokenException {
            return seals.open(
                    header.getToken().getIdentifier().toByteArray(),
                    header.getToken().getPassword().toByteArray(),
                    header.getBlock().getBlockId(),
                    write);
        }
    }

    DataConnection(Socket socket, Context context) throws IOException {
        this.context = context;
        socket.setTcpNoDelay(true);
        this.socket = NetUtils.getInputStream(socket, IDLE_MILLIS);
        this.in = new DataInputStream(new BufferedInputStream(this.socket, BUFFER_BYTES));
        this.out = new DataOutputStream(
                new BufferedOutputStream(NetUtils.getOutputStream(socket, WORK_MILLIS), BUFFER_BYTES));
    }

    void serve() throws IOException {
        boolean again = true;
        while (again) {
            socket.setTimeout(IDLE_MILLIS);
            int version;
            try {
                version = in.readShort();
            } catch (EOFException done) {
                return;
            }
            if (version != DataTransferProtocol.DATA_TRANSFER_VERSION) {
                throw new IOException("version " + version + " of the data transfer protocol is not known");
            }
            int operation = in.readUnsignedByte();
            InputStream request = request();
            socket.setTimeout(WORK_MILLIS);
            try {
                again = serve(operation, request);
            } catch (InvalidBlockTokenException e) {
                refuse(Status.ERROR_ACCESS_TOKEN, e);
                throw e;
            } catch (IOException | RuntimeException e) {
                refuse(Status.ERROR, e);
                throw e;
            }
        }
    }

    /** Returns the request, limited in length. */
    private InputStream request() throws IOException {
        int length = ProtoUtil.readRawVarint32(in);
        if (length < 0 || length > MOST_REQUEST_BYTES) {
            throw new IOException("a request of " + length + " bytes is too long");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return new ByteArrayInputStream(bytes);
    }

    /** Returns whether another operation may follow. */
    private boolean serve(int operation, InputStream request) throws IOException {
        return switch (operation) {
            case READ_BLOCK -> new BlockReading(context, in, out).serve(OpReadBlockProto.parseFrom(request));
            case WRITE_BLOCK -> {
                new BlockWriting(context, in, out).serve(OpWriteBlockProto.parseFrom(request));
                yield false;
            }
            case BLOCK_CHECKSUM -> {
                new BlockChecksum(context, out).serve(OpBlockChecksumProto.parseFrom(request));
                yield true;
            }
            default ->
                throw new IOException("operation " + operation + " of the data transfer protocol is not for a door");
        };
    }

    private void refuse(Status status, Exception why) throws IOException {
        BlockOpResponseProto.newBuilder()
                .setStatus(status)
                .setMessage(String.valueOf(why.getMessage()))
                .build()
                .writeDelimitedTo(out);
        out.flush();
    }
}
