package io.lambdafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.PatientWaits;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.Ping;
import io.lambdafs.rpc.message.RpcMessages;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;

/** Fixture for tests of a transport: two of it, and words for what they do with them. */
public abstract class TransportFixture {
    protected static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    protected static final long PATIENCE = PatientWaits.PATIENCE.toNanos();
    private static final Duration UNPROVED = Duration.ofMinutes(2);

    private final List<Transport> transports = new ArrayList<>();

    /** The kind of transport under test; the same object each time. */
    protected abstract TransportUnderTest underTest();

    protected static Codec codec() {
        return Ping.register(RpcMessages.register(Codec.builder())).build();
    }

    protected Transport transport(TransportLimits limits) {
        return transport(codec(), limits);
    }

    /** Nobody proves who he is here: only a limit of the test's own ends that, not one that a busy machine overruns. */
    protected Transport transport(Codec codec, TransportLimits limits) {
        boolean own = !limits.proofTimeout().equals(TransportLimits.DEFAULT.proofTimeout());
        Transport transport = underTest().create(codec, own ? limits : Timeouts.proof(limits, UNPROVED));
        transports.add(transport);
        return transport;
    }

    @AfterEach
    void closeTransports() {
        transports.forEach(Transport::close);
        underTest().assertNothingLeaked();
    }

    protected static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    protected static Transport.Listener listen(Transport transport, ConnectionHandler handler) {
        return get(transport.listen(anyPort(), handler));
    }

    protected static Connection connect(Transport transport, Transport.Listener listener) {
        return get(transport.connect(listener.address(), new RecordingHandler()));
    }

    protected static Socket rawSocket(Transport.Listener listener) throws IOException {
        Socket socket =
                new Socket(listener.address().getAddress(), listener.address().getPort());
        // As long as a test may take: a read is not interrupted by its end.
        socket.setSoTimeout(300_000);
        return socket;
    }

    protected static <T> T get(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(PATIENCE, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw FsException.of(e);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("no outcome", e);
        }
    }

    protected static FsException failureOf(CompletionStage<?> stage) {
        return catchThrowableOfType(FsException.class, () -> get(stage));
    }

    protected static void assertFails(CompletionStage<?> stage, ErrorCode code) {
        assertThat(failureOf(stage)).isNotNull().extracting(FsException::code).isEqualTo(code);
    }

    protected static void assertEchoes(Connection connection) {
        Ping reply = (Ping) get(connection.request(Ping.of(4711), PATIENCE));
        assertThat(reply.number()).isEqualTo(4711);
    }
}
