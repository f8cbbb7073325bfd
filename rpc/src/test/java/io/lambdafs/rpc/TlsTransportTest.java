package io.lambdafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.block.BlockMessages;
import io.lambdafs.rpc.block.BlockPieces;
import io.lambdafs.rpc.kryonet.KryoTransport;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.Ping;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.rpc.tls.TestAuthority;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsFiles;
import io.lambdafs.rpc.tls.TlsPeers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who speaks with whom over a transport with TLS, and what the others are told. */
class TlsTransportTest {
    private static final long LIMIT_SECONDS = 30;
    private static final String[] HERE = {"localhost", "127.0.0.1", Tls.INSTANCE};

    @TempDir
    Path folder;

    private final Codec codec = Ping.register(BlockMessages.register(RpcMessages.register(Codec.builder())))
            .build();
    private final NettyTransport server = new NettyTransport(codec, 1, "tls-server", TransportLimits.DEFAULT);
    private final NettyTransport client = new NettyTransport(codec, 1, "tls-client", TransportLimits.DEFAULT);
    private final RecordingHandler accepted = new RecordingHandler();
    private TestAuthority authority;

    @BeforeEach
    void makeAuthority() throws Exception {
        authority = new TestAuthority(folder);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private InetSocketAddress listen(Tls tls, TlsPeers peers) throws Exception {
        return get(server.secured(tls, peers)
                        .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), accepted))
                .address();
    }

    private Connection connect(InetSocketAddress address, Tls tls, TlsPeers peers) throws Exception {
        return get(client.secured(tls, peers).connect(address, new RecordingHandler()));
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw FsException.of(e);
        }
    }

    private void assertAnswers(Connection connection) throws Exception {
        assertThat(get(connection.request(Ping.of(7), TimeUnit.SECONDS.toNanos(LIMIT_SECONDS))))
                .isNotNull();
    }

    private FsException refusal(InetSocketAddress address, Tls tls, TlsPeers peers) {
        FsException why = catchThrowableOfType(FsException.class, () -> connect(address, tls, peers));
        assertThat(why).isNotNull();
        assertThat(why.code()).isEqualTo(ErrorCode.NOT_TRUSTED);
        assertThat(why.getMessage()).hasLineCount(1);
        return why;
    }

    @Test
    void shouldConnectServicesOfOneAuthority() throws Exception {
        InetSocketAddress address = listen(authority.service(HERE), TlsPeers.SERVICES);

        assertAnswers(connect(address, authority.service("elsewhere"), TlsPeers.SERVICES));
    }

    @Test
    void shouldConnectInstancesWhateverTheirAddress() throws Exception {
        InetSocketAddress address = listen(authority.service(Tls.INSTANCE), TlsPeers.INSTANCES);

        assertAnswers(connect(address, authority.service("elsewhere"), TlsPeers.INSTANCES));
    }

    @Test
    void shouldConnectAnInstanceToAUserWithoutACertificate() throws Exception {
        InetSocketAddress address = listen(authority.user(), TlsPeers.INSTANCE_TO_USER);

        assertAnswers(connect(address, authority.service(Tls.INSTANCE), TlsPeers.INSTANCE_TO_USER));
    }

    @Test
    void shouldRefuseAnotherServiceInPlaceOfAnInstance() throws Exception {
        InetSocketAddress address = listen(authority.user(), TlsPeers.INSTANCE_TO_USER);

        connectInVain(address, authority.service("localhost"), TlsPeers.INSTANCE_TO_USER);
        assertThat(accepted.opened).isEmpty();
    }

    @Test
    void shouldConnectAUserToAService() throws Exception {
        InetSocketAddress address = listen(authority.service(HERE), TlsPeers.USERS);

        assertAnswers(connect(address, authority.user(), TlsPeers.USERS));
    }

    @Test
    void shouldRefuseAServiceOfAnotherAuthority() throws Exception {
        InetSocketAddress address = listen(authority.service(HERE), TlsPeers.SERVICES);
        TestAuthority other = new TestAuthority(folder);

        assertThat(refusal(address, other.service(HERE), TlsPeers.SERVICES))
                .hasMessageContaining("not of the CA that is trusted here");
        assertThat(accepted.opened).isEmpty();
    }

    @Test
    void shouldRefuseAUserWhereServicesAreExpected() throws Exception {
        InetSocketAddress address = listen(authority.service(HERE), TlsPeers.SERVICES);

        connectInVain(address, authority.user(), TlsPeers.USERS);
        assertThat(accepted.opened).isEmpty();
    }

    /** With TLS 1.3 an end may believe that the connection stands before it is refused. */
    private void connectInVain(InetSocketAddress address, Tls tls, TlsPeers peers) throws Exception {
        try {
            get(connect(address, tls, peers).closed());
        } catch (FsException refused) {
            assertThat(refused.code()).isIn(ErrorCode.NOT_TRUSTED, ErrorCode.UNAVAILABLE);
        }
    }

    @Test
    void shouldRefuseAnExpiredCertificate() throws Exception {
        Tls expired = Tls.of(authority.files(Instant.now().minus(Duration.ofDays(1)), HERE));
        InetSocketAddress address = listen(expired, TlsPeers.USERS);

        assertThat(refusal(address, authority.user(), TlsPeers.USERS)).hasMessageContaining("has expired: renew it");
    }

    @Test
    void shouldRefuseACertificateForAnotherAddress() throws Exception {
        InetSocketAddress address = listen(authority.service("elsewhere"), TlsPeers.USERS);

        assertThat(refusal(address, authority.user(), TlsPeers.USERS))
                .hasMessageContaining("a certificate that names this address");
    }

    @Test
    void shouldRefuseAPlainServer() throws Exception {
        // Bytes that are none of TLS come at once.
        try (ServerSocket greeting = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread greeter = new Thread(() -> {
                try (Socket socket = greeting.accept()) {
                    socket.getOutputStream()
                            .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    socket.getInputStream().readAllBytes();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            greeter.start();
            assertThat(refusal(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), greeting.getLocalPort()),
                            authority.user(),
                            TlsPeers.USERS))
                    .hasMessageContaining("it does not speak TLS");
        }
    }

    @Test
    void shouldRefuseAPlainClient() throws Exception {
        InetSocketAddress address = listen(authority.service(HERE), TlsPeers.SERVICES);
        Connection plain = get(client.connect(address, new RecordingHandler()));
        CompletionStage<?> answer = plain.request(Ping.of(7), TimeUnit.SECONDS.toNanos(LIMIT_SECONDS));

        assertThatExceptionOfType(FsException.class)
                .isThrownBy(() -> get(answer))
                .matches(why -> why.code() == ErrorCode.CONNECTION_LOST);
        assertThat(accepted.opened).isEmpty();
    }

    @Test
    void shouldUseACertificateThatIsReplacedForNewConnections() throws Exception {
        TlsFiles files = authority.files(Instant.now().plus(Duration.ofDays(1)), "elsewhere");
        InetSocketAddress address = listen(Tls.of(files), TlsPeers.USERS);
        refusal(address, authority.user(), TlsPeers.USERS);

        authority.issue(files, Instant.now().plus(Duration.ofDays(1)), HERE);

        await().ignoreExceptionsInstanceOf(FsException.class)
                .untilAsserted(() -> assertAnswers(connect(address, authority.user(), TlsPeers.USERS)));
    }

    @Test
    void shouldKeepWhatItHasWhileKeyAndCertificateDoNotFit() throws Exception {
        TlsFiles files = authority.files(Instant.now().plus(Duration.ofDays(1)), HERE);
        TlsFiles others = authority.files(Instant.now().plus(Duration.ofDays(1)), HERE);
        InetSocketAddress address = listen(Tls.of(files), TlsPeers.USERS);
        long begun = System.nanoTime();

        Files.copy(
                others.own().orElseThrow().key(), files.own().orElseThrow().key(), StandardCopyOption.REPLACE_EXISTING);

        do {
            assertAnswers(connect(address, authority.user(), TlsPeers.USERS));
        } while (System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(1_200));
    }

    @Test
    void shouldSayWhatIsWrongWithFiles() throws Exception {
        TlsFiles missing = TlsFiles.ofUser(folder.resolve("none.pem"));

        assertThatExceptionOfType(FsException.class)
                .isThrownBy(() -> Tls.of(missing))
                .matches(why -> why.code() == ErrorCode.NOT_TRUSTED)
                .withMessageContaining("none.pem");
    }

    @Test
    void shouldRefuseTlsOverKryoNet() {
        try (Transport kryo = new KryoTransport(codec, "kryo", TransportLimits.DEFAULT)) {
            assertThatExceptionOfType(FsException.class)
                    .isThrownBy(() -> kryo.secured(authority.user(), TlsPeers.USERS))
                    .matches(why -> why.code() == ErrorCode.UNSUPPORTED)
                    .withMessageContaining("use netty");
        }
    }

    @Test
    void shouldSendAPartOfAFileEncrypted() throws Exception {
        byte[] content = new byte[1 << 20];
        new Random(1).nextBytes(content);
        Path file = Files.write(folder.resolve("content"), content);
        accepted.answer = (connection, message, reply) -> {
            try {
                reply.accept(new BlockPieces(0, new int[] {1}, FileSlice.open(file, 10, 1_000_000)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        Connection connection =
                connect(listen(authority.service(HERE), TlsPeers.USERS), authority.user(), TlsPeers.USERS);
        connection.markAuthenticated();
        ByteArrayOutputStream came = new ByteArrayOutputStream();
        TailSink sink = new TailSink() {
            @Override
            public void begin(Tailed answer, int bytes) {}

            @Override
            public void take(ByteBuffer bytes) {
                byte[] part = new byte[bytes.remaining()];
                bytes.get(part);
                came.writeBytes(part);
            }
        };

        get(connection.request(Ping.of(1), sink, TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)));

        assertThat(came.toByteArray()).isEqualTo(Arrays.copyOfRange(content, 10, 1_000_010));
    }
}
