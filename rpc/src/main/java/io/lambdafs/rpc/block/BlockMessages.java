package io.lambdafs.rpc.block;

import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.block.Block;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.RpcMessages;

/** Registers the messages of this package, 400–499. A number never changes its meaning. Stateless. */
public final class BlockMessages {
    static final int OPEN_WRITE = 400;
    static final int WRITE_OPENED = 401;
    static final int WRITE_CHUNK = 402;
    static final int FINISH_WRITE = 403;
    static final int WRITE_FINISHED = 404;
    static final int ABORT_WRITE = 405;
    static final int READ_BLOCK = 406;
    static final int BLOCK_BYTES = 407;
    static final int READ_PIECES = 408;
    static final int BLOCK_PIECES = 409;
    static final int FINISH_FOR_RECEIPT = 410;
    static final int WRITE_RECEIPT = 411;

    private static final int MOST_PIECES = WriteChunk.MAX_BYTES / Seal.GRANULE;

    private BlockMessages() {}

    /** Returns a codec of these messages and the connection's own. */
    public static Codec codec() {
        return register(RpcMessages.register(Codec.builder())).build();
    }

    /** Adds these messages to a codec that carries others too. */
    public static Codec.Builder register(Codec.Builder builder) {
        return builder.register(
                        OPEN_WRITE,
                        OpenWrite.class,
                        (out, m) -> out.writeBytes(m.token()),
                        in -> new OpenWrite(readToken(in)))
                .register(
                        WRITE_OPENED,
                        WriteOpened.class,
                        BlockMessages::writeOpened,
                        in -> new WriteOpened(in.readLong(), in.readInt()))
                .register(WRITE_CHUNK, WriteChunk.class, BlockMessages::writeChunk, BlockMessages::readChunk)
                .register(
                        FINISH_WRITE,
                        FinishWrite.class,
                        (out, m) -> writeFinish(out, m.stream(), m.length(), m.crc32c()),
                        in -> new FinishWrite(in.readLong(), in.readLength(), in.readInt()))
                .register(
                        WRITE_FINISHED,
                        WriteFinished.class,
                        (out, m) -> m.block().write(out),
                        in -> new WriteFinished(Block.read(in)))
                .register(
                        FINISH_FOR_RECEIPT,
                        FinishForReceipt.class,
                        (out, m) -> writeFinish(out, m.stream(), m.length(), m.crc32c()),
                        in -> new FinishForReceipt(in.readLong(), in.readLength(), in.readInt()))
                .register(
                        WRITE_RECEIPT,
                        WriteReceipt.class,
                        BlockMessages::writeReceipt,
                        in -> new WriteReceipt(Block.read(in), Block.readReceipt(in)))
                .register(
                        ABORT_WRITE,
                        AbortWrite.class,
                        (out, m) -> out.writeLong(m.stream()),
                        in -> new AbortWrite(in.readLong()))
                .register(
                        READ_BLOCK,
                        ReadBlock.class,
                        (out, m) -> writeRange(out, m.token(), m.offset(), m.length()),
                        in -> new ReadBlock(readToken(in), in.readLength(), readRangeLength(in)))
                .register(BLOCK_BYTES, BlockBytes.class, BlockMessages::writeBytes, BlockMessages::readBytes)
                .register(
                        READ_PIECES,
                        ReadPieces.class,
                        (out, m) -> writeRange(out, m.token(), m.offset(), m.length()),
                        in -> new ReadPieces(readToken(in), in.readLength(), readRangeLength(in)))
                .register(BLOCK_PIECES, BlockPieces.class, BlockMessages::writePieces, BlockMessages::readPieces);
    }

    private static byte[] readToken(WireReader in) {
        byte[] token = in.readBytes();
        if (token.length > BlockTokens.MAX_BYTES) {
            throw WireReader.bad("a token of " + token.length + " bytes");
        }
        return token;
    }

    private static byte[] readChunkBytes(WireReader in) {
        byte[] bytes = in.readBytes();
        if (bytes.length == 0 || bytes.length > WriteChunk.MAX_BYTES) {
            throw WireReader.bad("a chunk of " + bytes.length + " bytes");
        }
        return bytes;
    }

    private static void writeOpened(WireWriter out, WriteOpened message) {
        out.writeLong(message.stream());
        out.writeInt(message.windowBytes());
    }

    private static void writeChunk(WireWriter out, WriteChunk message) {
        out.writeLong(message.stream());
        out.writeLong(message.offset());
        out.writeBytes(message.bytes());
        out.writeInt(message.crc32c());
    }

    private static WriteChunk readChunk(WireReader in) {
        return new WriteChunk(in.readLong(), in.readLength(), readChunkBytes(in), in.readInt());
    }

    private static void writeFinish(WireWriter out, long stream, long length, int crc32c) {
        out.writeLong(stream);
        out.writeLong(length);
        out.writeInt(crc32c);
    }

    private static void writeReceipt(WireWriter out, WriteReceipt message) {
        message.block().write(out);
        out.writeBytes(message.receipt());
    }

    private static void writeRange(WireWriter out, byte[] token, long offset, int length) {
        out.writeBytes(token);
        out.writeLong(offset);
        out.writeInt(length);
    }

    private static int readRangeLength(WireReader in) {
        int length = in.readInt();
        if (length < 1 || length > WriteChunk.MAX_BYTES) {
            throw WireReader.bad("a read of " + length + " bytes");
        }
        return length;
    }

    private static void writePieces(WireWriter out, BlockPieces message) {
        out.writeLong(message.offset());
        out.writeSize(message.checksums().length);
        for (int checksum : message.checksums()) {
            out.writeInt(checksum);
        }
    }

    private static BlockPieces readPieces(WireReader in) {
        long offset = in.readLength();
        int[] checksums = new int[in.readCount(1)];
        if (checksums.length < 1 || checksums.length > MOST_PIECES) {
            throw WireReader.bad(checksums.length + " checksums");
        }
        for (int i = 0; i < checksums.length; i++) {
            checksums[i] = in.readInt();
        }
        return new BlockPieces(offset, checksums, null);
    }

    private static void writeBytes(WireWriter out, BlockBytes message) {
        out.writeLong(message.offset());
        out.writeBytes(message.bytes());
        out.writeInt(message.crc32c());
    }

    private static BlockBytes readBytes(WireReader in) {
        return new BlockBytes(in.readLength(), readChunkBytes(in), in.readInt());
    }
}
