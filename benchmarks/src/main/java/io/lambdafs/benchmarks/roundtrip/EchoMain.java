package io.lambdafs.benchmarks.roundtrip;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.FixedLengthFrameDecoder;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The main class of the bare exchange's server, which answers every request with a fixed number of bytes. Arguments:
 * bytes of a request, and of a reply. It prints its port and ends with its input.
 */
public final class EchoMain {
    private EchoMain() {}

    public static void main(String[] arguments) throws InterruptedException, IOException {
        int request = Integer.parseInt(arguments[0]);
        int reply = Integer.parseInt(arguments[1]);
        Channel server = Loops.server(Loops.one())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(new FixedLengthFrameDecoder(request), new Answering(reply));
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel();
        System.out.println(((InetSocketAddress) server.localAddress()).getPort());
        System.in.transferTo(OutputStream.nullOutputStream());
        System.exit(0);
    }

    private static final class Answering extends SimpleChannelInboundHandler<ByteBuf> {
        private final int reply;

        Answering(int reply) {
            this.reply = reply;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf request) {
            context.writeAndFlush(context.alloc().ioBuffer(reply).writeZero(reply), context.voidPromise());
        }
    }
}
