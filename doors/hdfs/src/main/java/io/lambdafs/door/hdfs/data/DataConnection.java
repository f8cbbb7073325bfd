package io.lambdafs.door.hdfs.data;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpBlockChecksumProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpReadBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpWriteBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.net.SocketInputWrapper;

/** A connection of the data transfer protocol: one operation after the other. Confined to one thread. */
final class DataConnection implements BlockWriting.Coming {
    private static final int IDLE_MILLIS = 10_000;
    private static final int WORK_MILLIS = 120_000;
    private static final int BUFFER_BYTES = 128 << 10;

    private final SocketInputWrapper socket;
    private final DataContext context;
    private final DataInputStream in;
    private final DataOutputStream out;

    DataConnection(Socket socket, DataContext context) throws IOException {
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
            DataRequest request = DataRequest.read(in);
            if (request == null) {
                return;
            }
            socket.setTimeout(WORK_MILLIS);
            try {
                again = serve(request);
            } catch (InvalidBlockTokenException e) {
                refuse(Status.ERROR_ACCESS_TOKEN, e);
                throw e;
            } catch (IOException | RuntimeException e) {
                refuse(Status.ERROR, e);
                throw e;
            }
        }
    }

    @Override
    public DataInputStream in() {
        return in;
    }

    @Override
    public boolean within(int millis) throws IOException {
        if (in.available() > 0) {
            return true;
        }
        in.mark(1);
        socket.setTimeout(millis);
        try {
            // The end of the stream comes too.
            in.read();
            in.reset();
            return true;
        } catch (SocketTimeoutException nothing) {
            return false;
        } finally {
            socket.setTimeout(WORK_MILLIS);
        }
    }

    /** Returns whether another operation may follow. */
    private boolean serve(DataRequest asked) throws IOException {
        InputStream request = asked.body();
        return switch (asked.operation()) {
            case DataRequest.READ_BLOCK ->
                new BlockReading(context, in, out).serve(OpReadBlockProto.parseFrom(request));
            case DataRequest.WRITE_BLOCK -> {
                new BlockWriting(context, this, out).serve(OpWriteBlockProto.parseFrom(request));
                yield false;
            }
            case DataRequest.BLOCK_CHECKSUM -> {
                new BlockChecksum(context, out).serve(OpBlockChecksumProto.parseFrom(request));
                yield true;
            }
            default ->
                throw new IOException(
                        "operation " + asked.operation() + " of the data transfer protocol is not for a door");
        };
    }

    private void refuse(Status status, Exception why) throws IOException {
        context.metrics().failed(why);
        BlockOpResponseProto.newBuilder()
                .setStatus(status)
                .setMessage(String.valueOf(why.getMessage()))
                .build()
                .writeDelimitedTo(out);
        out.flush();
    }
}
