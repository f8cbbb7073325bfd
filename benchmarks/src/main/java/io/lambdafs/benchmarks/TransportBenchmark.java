package io.lambdafs.benchmarks;

import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.rpc.transports.TransportKind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Exchanges a stat's request and reply over one loopback connection, one at a time and with 64 in flight; the thread
 * that reads a request answers it. The transports of one instance and one client run in one process.
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the parameter and connects before it measures.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class TransportBenchmark {
    static final int WINDOW = 64;
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);

    @Param({"NETTY", "KRYONET"})
    public TransportKind transport;

    private Transport instance;
    private Transport client;
    private Connection toInstance;

    /** The client listens and the instance dials, as in a cluster. */
    @Setup
    public void connect() {
        instance = transport.create(RpcMessages.codec(), 1, "instance", TransportLimits.DEFAULT);
        client = transport.create(RpcMessages.codec(), 1, "client", TransportLimits.DEFAULT);
        CompletableFuture<Connection> accepted = new CompletableFuture<>();
        Transport.Listener listener = client.listen(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), new ConnectionHandler() {
                            @Override
                            public void opened(Connection connection) {
                                connection.markAuthenticated();
                                accepted.complete(connection);
                            }

                            @Override
                            public void request(Connection connection, Message message, Consumer<Message> reply) {
                                throw new IllegalStateException("a client is asked nothing");
                            }
                        })
                .toCompletableFuture()
                .join();
        instance.connect(listener.address(), (connection, message, reply) -> reply.accept(StatMessages.REPLY))
                .toCompletableFuture()
                .join();
        toInstance = accepted.join();
    }

    @TearDown
    public void close() {
        client.close();
        instance.close();
    }

    private CompletionStage<Message> stat() {
        return toInstance.request(StatMessages.REQUEST, TIMEOUT_NANOS);
    }

    @Benchmark
    public Message oneAfterTheOther() {
        return stat().toCompletableFuture().join();
    }

    @Benchmark
    @OperationsPerInvocation(WINDOW)
    public void manyInFlight() {
        CompletableFuture<?>[] replies = new CompletableFuture<?>[WINDOW];
        for (int i = 0; i < WINDOW; i++) {
            replies[i] = stat().toCompletableFuture();
        }
        CompletableFuture.allOf(replies).join();
    }
}
