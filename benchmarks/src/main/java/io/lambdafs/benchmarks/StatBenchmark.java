package io.lambdafs.benchmarks;

import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Authentication;
import io.lambdafs.rpc.auth.Role;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.framing.FramedConnection;
import io.lambdafs.rpc.framing.HeldBytes;
import io.lambdafs.rpc.framing.LoopResources;
import io.lambdafs.rpc.message.Bind;
import io.lambdafs.rpc.message.Bound;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.message.RpcMessages;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures a stat from an instance's cache step by step, all on one thread: no step waits for another thread, so a real
 * stat costs their sum and that waiting. {@link #withoutSockets} runs all steps but the two through the kernel, with
 * the frames between client and instance; its time beyond the sum of those steps goes into frames, correlation and
 * time-outs.
 */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH sets the connection up before it measures.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class StatBenchmark {
    private static final Principal ALICE = new Principal("alice", List.of("users"));
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Codec codec = RpcMessages.codec();
    private final WireWriter out = new WireWriter();
    private final Tape fromClient = new Tape();
    private final Tape fromInstance = new Tape();
    private StatInstance instance;
    private FramedConnection client;
    private FramedConnection server;
    private Connection authenticated;
    private OperationRequest request;
    private OperationReply reply;
    private byte[] requestBytes;
    private byte[] replyBytes;
    private SocketChannel near;
    private SocketChannel far;
    private ByteBuffer requestFrame;
    private ByteBuffer replyFrame;
    private OperationReply answered;

    /**
     * As {@link io.lambdafs.functions.serving.ClientConnections} connects: the client proves its caller's identity,
     * then uses a handle.
     */
    @Setup
    public void connect() throws IOException {
        instance = new StatInstance();
        Tokens tokens = Tokens.insecure();
        ConnectionHandler behind = new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                authenticated = connection;
            }

            @Override
            public void request(Connection connection, Message message, Consumer<Message> to) {
                instance.clients().request(connection, message, to);
            }
        };
        client = connection(
                (connection, message, to) -> {
                    throw new IllegalStateException("a client is asked nothing");
                },
                fromClient);
        server = connection(Authentication.ofClients(tokens, behind), fromInstance);
        client.opened();
        server.opened();
        Message bound = exchange(new Bind(tokens.mint(ALICE, Role.CLIENT, Duration.ofHours(1))));
        request = instance.stat(((Bound) bound).principal());
        // The first stat fills the cache.
        instance.answer(ALICE, request, this::answered);
        requestBytes = bytes(request);
        openSockets();
        reply = lookUp();
        replyBytes = bytes(reply);
    }

    private FramedConnection connection(ConnectionHandler handler, Tape tape) {
        // Time-outs are added and removed; none is due.
        LoopResources resources = new LoopResources((nanos, task) -> {});
        FramedConnection.Settings settings = new FramedConnection.Settings(
                codec, TransportLimits.DEFAULT, handler, new HeldBytes(TransportLimits.DEFAULT.maxHeldBytes()));
        return new FramedConnection(
                tape, resources, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), settings);
    }

    private void openSockets() throws IOException {
        CompletableFuture<Message> sent = client.request(request, TIMEOUT_NANOS).toCompletableFuture();
        requestFrame = ByteBuffer.allocateDirect(fromClient.to(server));
        replyFrame = ByteBuffer.allocateDirect(fromInstance.to(client));
        if (!(sent.join() instanceof OperationReply found && found.cacheHit())) {
            throw new IllegalStateException("not answered from the cache: " + sent.join());
        }
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            near = SocketChannel.open(listener.getLocalAddress());
            far = listener.accept();
        }
        near.socket().setTcpNoDelay(true);
        far.socket().setTcpNoDelay(true);
    }

    @TearDown
    public void close() throws IOException {
        near.close();
        far.close();
        instance.close();
    }

    private byte[] bytes(Message message) {
        WireWriter writer = new WireWriter();
        codec.write(writer, message);
        return writer.toByteArray();
    }

    private void answered(OperationReply given) {
        answered = given;
    }

    private int written(Message message) {
        out.reset();
        codec.write(out, message);
        return out.size();
    }

    private static int through(SocketChannel from, SocketChannel to, ByteBuffer frame) throws IOException {
        frame.clear();
        while (frame.hasRemaining()) {
            from.write(frame);
        }
        frame.clear();
        while (frame.hasRemaining()) {
            to.read(frame);
        }
        return frame.position();
    }

    private Message exchange(Message message) {
        CompletableFuture<Message> sent = client.request(message, TIMEOUT_NANOS).toCompletableFuture();
        fromClient.to(server);
        fromInstance.to(client);
        return sent.join();
    }

    @Benchmark
    public int clientEncodes() {
        return written(request);
    }

    /** Sends the request's frame over a loopback connection, by write(2) and read(2). */
    @Benchmark
    public int requestThroughKernel() throws IOException {
        return through(near, far, requestFrame);
    }

    /** Decodes the request and finds the caller of its handle on this connection. */
    @Benchmark
    public Principal instanceDecodes() {
        OperationRequest read = (OperationRequest) codec.read(new WireReader(requestBytes));
        return Authentication.principal(authenticated, read.principal());
    }

    /**
     * Serves the request: admission, the walk of the trie, permissions of each directory, version and lease, and the
     * reply.
     */
    @Benchmark
    public OperationReply lookUp() {
        instance.answer(ALICE, request, this::answered);
        return answered;
    }

    @Benchmark
    public int instanceEncodes() {
        return written(reply);
    }

    @Benchmark
    public int replyThroughKernel() throws IOException {
        return through(far, near, replyFrame);
    }

    @Benchmark
    public Message clientDecodes() {
        return codec.read(new WireReader(replyBytes));
    }

    @Benchmark
    public Message withoutSockets() {
        return exchange(request);
    }
}
