package io.lambdafs.client.block;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.ConnectionState;
import io.lambdafs.rpc.TailSink;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.block.BlockBytes;
import io.lambdafs.rpc.block.BlockPieces;
import io.lambdafs.rpc.block.FinishForReceipt;
import io.lambdafs.rpc.block.FinishWrite;
import io.lambdafs.rpc.block.OpenWrite;
import io.lambdafs.rpc.block.ReadBlock;
import io.lambdafs.rpc.block.ReadPieces;
import io.lambdafs.rpc.block.Seal;
import io.lambdafs.rpc.block.WriteChunk;
import io.lambdafs.rpc.block.WriteFinished;
import io.lambdafs.rpc.block.WriteOpened;
import io.lambdafs.rpc.block.WriteReceipt;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Datanodes that share a block store in memory, and the transport to them. They do what is asked, unless the test answers. Not thread-safe. */
public final class MemoryDatanodes implements Transport {
    private static final int SENT_AT_ONCE = 50_001;
    public static final int WINDOW_BYTES = 4 << 20;

    /** Answers in place of a datanode; null leaves it to the datanode. */
    public BiFunction<Line, Message, @Nullable CompletionStage<Message>> hook = (line, message) -> null;
    /** In place of a new connection; null where there shall be one. */
    public @Nullable CompletionStage<Connection> connecting;

    /** Maps written bytes to those in the datanode's file. */
    public UnaryOperator<byte[]> sent = UnaryOperator.identity();
    /** True if they answer {@link ReadPieces}, which those of an earlier version do not know. */
    public boolean sendPieces;

    /** True if they know {@link FinishForReceipt}, which those of an earlier version do not. */
    public boolean givesReceipts = true;

    public final List<Line> lines = new ArrayList<>();
    /** By labels. */
    public final Map<String, byte[]> blocks = new HashMap<>();

    /** Returns the receipt for a block. */
    public static byte[] receipt(Block block) {
        return ("receipt of " + block).getBytes(StandardCharsets.UTF_8);
    }

    /** A request and its connection. */
    public record Asked(Line line, Message message) {
        public int port() {
            return line.port;
        }
    }

    public final List<Asked> asked = new ArrayList<>();

    /** A connection, which has one stream at a time. */
    public final class Line extends ConnectionState {
        public final int port;
        public final ConnectionHandler handler;
        private final ByteArrayOutputStream written = new ByteArrayOutputStream();
        private String token = "";

        Line(int port, ConnectionHandler handler) {
            super(port);
            this.port = port;
            this.handler = handler;
        }

        @Override
        public CompletionStage<Message> request(Message message, long timeoutNanos) {
            if (!isOpen()) {
                return CompletableFuture.failedFuture(new FsException(ErrorCode.CONNECTION_LOST, "closed"));
            }
            asked.add(new Asked(this, message));
            CompletionStage<Message> instead = hook.apply(this, message);
            return instead != null ? instead : CompletableFuture.completedFuture(serve(message));
        }

        @Override
        public CompletionStage<Message> request(Message message, TailSink sink, long timeoutNanos) {
            if (!sendPieces) {
                return CompletableFuture.completedFuture(
                        new Failed(ErrorCode.BAD_FRAME, "malformed message: unknown message type"));
            }
            ReadPieces read = (ReadPieces) message;
            return request(message, timeoutNanos)
                    .thenApply(answer -> answer instanceof BlockPieces pieces ? send(read, pieces, sink) : answer);
        }

        /** The bytes come in parts that have nothing to do with granules. */
        private Message send(ReadPieces read, BlockPieces pieces, TailSink sink) {
            byte[] content = Objects.requireNonNull(sent.apply(blocks.get(text(read.token()))));
            sink.begin(pieces, read.length());
            int end = (int) read.offset() + read.length();
            for (int at = (int) read.offset(); at < end; at += SENT_AT_ONCE) {
                sink.take(ByteBuffer.wrap(content, at, Math.min(SENT_AT_ONCE, end - at))
                        .asReadOnlyBuffer());
            }
            return pieces;
        }

        /** Serves a message; returns the answer. */
        public Message serve(Message message) {
            if (message instanceof OpenWrite open) {
                token = text(open.token());
                written.reset();
                return new WriteOpened(port, WINDOW_BYTES);
            }
            if (message instanceof WriteChunk chunk) {
                boolean fits = chunk.stream() == port
                        && chunk.offset() == written.size()
                        && chunk.crc32c() == DatanodeWriter.crc(chunk.bytes());
                if (!fits) {
                    return new Failed(ErrorCode.INVALID_ARGUMENT, "not the next chunk: " + chunk);
                }
                written.writeBytes(chunk.bytes());
                return Done.DONE;
            }
            if (message instanceof FinishForReceipt finish && givesReceipts) {
                Message plain = serve(new FinishWrite(finish.stream(), finish.length(), finish.crc32c()));
                return plain instanceof WriteFinished done
                        ? new WriteReceipt(done.block(), receipt(done.block()))
                        : plain;
            }
            if (message instanceof FinishForReceipt) {
                return new Failed(ErrorCode.BAD_FRAME, "malformed message: unknown message type");
            }
            if (message instanceof FinishWrite finish) {
                byte[] content = written.toByteArray();
                int crc = DatanodeWriter.crc(content);
                if (finish.stream() != port || finish.length() != content.length || finish.crc32c() != crc) {
                    return new Failed(ErrorCode.BLOCK_CORRUPT, "not what was written: " + finish);
                }
                blocks.put(token, content);
                String[] parts = token.split(" ");
                return new WriteFinished(
                        new Block(Long.parseLong(parts[1]), Long.parseLong(parts[4]), content.length, crc));
            }
            if (message instanceof ReadPieces read) {
                return pieces(read);
            }
            ReadBlock read = (ReadBlock) message;
            byte[] content = blocks.get(text(read.token()));
            if (content == null) {
                return new Failed(ErrorCode.BLOCK_MISSING, "no such block");
            }
            byte[] part = Arrays.copyOfRange(content, (int) read.offset(), (int) read.offset() + read.length());
            return new BlockBytes(read.offset(), part, DatanodeWriter.crc(part));
        }

        private Message pieces(ReadPieces read) {
            byte[] content = blocks.get(text(read.token()));
            if (content == null) {
                return new Failed(ErrorCode.BLOCK_MISSING, "no such block");
            }
            int[] checksums = new int[(read.length() + Seal.GRANULE - 1) / Seal.GRANULE];
            for (int i = 0; i < checksums.length; i++) {
                int at = (int) read.offset() + i * Seal.GRANULE;
                checksums[i] = Seal.crc(content, at, Math.min(Seal.GRANULE, content.length - at));
            }
            return new BlockPieces(read.offset(), checksums, null);
        }

        @Override
        public void close() {
            markClosed();
        }

        @Override
        public SocketAddress remoteAddress() {
            return InetSocketAddress.createUnresolved("datanode", port);
        }

        @Override
        public int inFlight() {
            return 0;
        }
    }

    @Override
    public CompletionStage<Connection> connect(InetSocketAddress address, ConnectionHandler handler) {
        CompletionStage<Connection> instead = connecting;
        if (instead != null) {
            return instead;
        }
        Line line = new Line(address.getPort(), handler);
        lines.add(line);
        return CompletableFuture.completedFuture(line);
    }

    /** A connection that no one has asked for. */
    public Line line(int port) {
        return new Line(port, (connection, message, reply) -> {});
    }

    @Override
    public CompletionStage<Listener> listen(InetSocketAddress address, ConnectionHandler handler) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}

    private static String text(byte[] token) {
        return new String(token, StandardCharsets.UTF_8);
    }

    /** A block at datanodes whose ids are {@code dn-PORT}. */
    public static LocatedBlock located(Block block, long offset, int... ports) {
        List<DatanodeAddress> datanodes = Arrays.stream(ports)
                .mapToObj(port -> new DatanodeAddress("dn-" + port, "127.0.0.1", port))
                .toList();
        return new LocatedBlock(
                block, offset, "blocks", "key", datanodes, block.label().getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the requests of one kind, in order. */
    public <M extends Message> List<M> asked(Class<M> kind) {
        return messages().filter(kind::isInstance).map(kind::cast).toList();
    }

    private Stream<Message> messages() {
        return asked.stream().map(Asked::message);
    }

    /** The ports of those that were asked, in order. */
    public List<Integer> ports(Class<? extends Message> kind) {
        return asked.stream()
                .filter(each -> kind.isInstance(each.message()))
                .map(Asked::port)
                .toList();
    }

    public static CompletionStage<Message> failed(ErrorCode code) {
        return CompletableFuture.completedFuture(new Failed(code, "says the test"));
    }

    public static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}
