package io.lambdafs.rpc.netty;

import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.framing.Frame;
import io.lambdafs.rpc.framing.FramedConnection;
import io.lambdafs.rpc.framing.HeldBytes;
import io.lambdafs.rpc.fuzz.Finding;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.RpcMessages;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * A stream of bytes from a peer, in pieces of as many bytes as the first one says. The connection closes exactly at the first
 * malformed frame; a well-formed frame with a malformed message is answered.
 */
public final class FramesFuzz {
    private static final FramedConnection.Settings SETTINGS = new FramedConnection.Settings(
            RpcMessages.codec(),
            TransportLimits.DEFAULT,
            new ConnectionHandler() {
                @Override
                public void request(Connection connection, Message message, Consumer<Message> reply) {
                    reply.accept(Done.DONE);
                }
            },
            new HeldBytes(TransportLimits.DEFAULT.maxHeldBytes()));

    private FramesFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        EmbeddedChannel channel = new EmbeddedChannel();
        FramedConnection connection =
                NettyWire.connection(channel, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), SETTINGS);
        channel.pipeline().addLast(new FrameDecoder(connection, null));
        connection.opened();
        int piece = 1 + (input[0] & 0xff);
        for (int at = 1; at < input.length && channel.isOpen(); at += piece) {
            channel.writeInbound(Unpooled.wrappedBuffer(input, at, Math.min(piece, input.length - at)));
        }
        boolean open = channel.isOpen();
        channel.finishAndReleaseAll();
        if (open != isWellFormed(ByteBuffer.wrap(input, 1, input.length - 1))) {
            throw new Finding(open ? "a malformed frame was taken" : "a connection closed over a well-formed stream");
        }
    }

    private static boolean isWellFormed(ByteBuffer in) {
        while (in.remaining() >= Frame.LENGTH_BYTES) {
            int at = in.position();
            int length = in.getInt(at);
            if (length <= Frame.HEAD_BYTES || length > Transport.MAX_FRAME_UNAUTHENTICATED) {
                return false;
            }
            if (in.remaining() > Frame.VERSION_AT && in.get(at + Frame.VERSION_AT) != Frame.VERSION) {
                return false;
            }
            if (in.remaining() >= Frame.BODY_AT + Integer.BYTES && in.get(at + Frame.KIND_AT) == Frame.TAILED_REPLY) {
                int head = in.getInt(at + Frame.BODY_AT);
                if (head < 1 || head > length - Frame.HEAD_BYTES - Integer.BYTES - 1) {
                    return false;
                }
            }
            if (in.remaining() < Frame.LENGTH_BYTES + length) {
                return true;
            }
            byte kind = in.get(at + Frame.KIND_AT);
            if (kind != Frame.REQUEST && kind != Frame.REPLY && kind != Frame.TAILED_REPLY) {
                return false;
            }
            in.position(at + Frame.LENGTH_BYTES + length);
        }
        return true;
    }
}
