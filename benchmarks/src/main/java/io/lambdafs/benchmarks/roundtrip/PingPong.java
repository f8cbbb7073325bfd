package io.lambdafs.benchmarks.roundtrip;

import io.lambdafs.client.BlockingLambdaFs;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.FixedLengthFrameDecoder;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;

/**
 * The client of the bare exchange: the calling thread hands a request to the event loop, which sends it, receives the
 * reply and completes the stage that the caller awaits, just as λFS does. It has equally many hand-offs as a blocking
 * call of λFS. For one caller at a time.
 */
final class PingPong implements AutoCloseable {
    private final EventLoopGroup loop = Loops.one();
    private final Exchange exchange;
    private final Channel channel;
    private volatile CompletableFuture<Integer> awaited = new CompletableFuture<>();

    PingPong(int port, Exchange exchange) throws InterruptedException {
        this.exchange = exchange;
        this.channel = Loops.client(loop)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel connected) {
                        connected.pipeline().addLast(new FixedLengthFrameDecoder(exchange.reply()), new Receiving());
                    }
                })
                .connect(InetAddress.getLoopbackAddress(), port)
                .sync()
                .channel();
    }

    private final class Receiving extends SimpleChannelInboundHandler<ByteBuf> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf reply) {
            awaited.complete(reply.readableBytes());
        }
    }

    void call() throws InterruptedException {
        CompletableFuture<Integer> reply = new CompletableFuture<>();
        awaited = reply;
        ByteBuf request = channel.alloc().ioBuffer(exchange.request()).writeZero(exchange.request());
        channel.writeAndFlush(request, channel.voidPromise());
        BlockingLambdaFs.await(reply);
    }

    @Override
    public void close() {
        loop.shutdownGracefully();
    }
}
