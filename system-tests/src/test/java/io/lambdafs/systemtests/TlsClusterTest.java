package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsFiles;
import io.lambdafs.rpc.tls.TlsPeers;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of real processes with TLS on every connection that λFS's own protocols use. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TlsClusterTest {
    private static final long LIMIT_SECONDS = 60;
    private static final String[] REPLACED = {"gateway", "instance", "store", "datanode"};

    @TempDir
    static Path directory;

    @TempDir
    static Path folder;

    private ClusterUnderTest cluster;

    @BeforeAll
    void start() {
        ObjectNode settings = JsonNodeFactory.instance.objectNode().put("logLevel", "INFO");
        settings.withObject("tls").put("enabled", true);
        cluster = ClusterUnderTest.start(directory, settings);
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    @Test
    void shouldKeepKeysToItsOwner() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("tls"))) {
            assertThat(files)
                    .hasSizeGreaterThan(REPLACED.length)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
    }

    @Test
    void shouldServeHadoopProgramsAndTheShell() throws Exception {
        Configuration conf = new Configuration();
        conf.set("lambdafs.dir", directory.toString());
        byte[] content = new byte[3 << 20];
        new Random(1).nextBytes(content);
        try (FileSystem fs = FileSystem.newInstance(URI.create("lambdafs://local/"), conf)) {
            org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/hadoop/d/file");
            try (FSDataOutputStream out = fs.create(file)) {
                out.write(content);
            }
            assertThat(fs.rename(new org.apache.hadoop.fs.Path("/hadoop"), new org.apache.hadoop.fs.Path("/moved")))
                    .isTrue();
            assertThat(fs.exists(file)).isFalse();
            byte[] read = new byte[content.length];
            try (FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path("/moved/d/file"))) {
                in.readFully(read);
            }
            assertThat(read).isEqualTo(content);
        }
        CommandRun shell = CommandRun.lambdafs("fs", "--dir", directory, "-ls", "/moved/d");
        assertThat(shell.exit()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("/moved/d/file");
        CommandRun status = CommandRun.lambdafs("cluster", "status", "--dir", directory);
        assertThat(status.exit()).as(status.err()).isZero();
        assertThat(status.out()).contains("https://");
    }

    @Test
    void shouldServeOverConnectionsFromInstances() throws Exception {
        try (BlockingLambdaFs client = cluster.client()) {
            write(client, "/tcp", 200);
            ClientMetrics.Snapshot counts = client.metrics().snapshot();
            assertThat(counts.connections()).isPositive();
            assertThat(counts.tcp()).isGreaterThan(counts.http());
        }
    }

    private static void write(BlockingLambdaFs client, String root, int files) throws InterruptedException {
        for (int i = 0; i < files; i++) {
            FsPath file = FsPath.of(root + "/d" + i % 8 + "/f" + i);
            client.create(file, new byte[10], CreateOptions.DEFAULT);
            assertThat(client.stat(file).name()).isEqualTo("f" + i);
        }
    }

    @Test
    void shouldTellAPlainClientWhatToDo() {
        ClientConfigBuilder plain = ClientConfigBuilder.discover(directory).tlsCa(null);
        plain.gateway(URI.create(cluster.clientConfig().gateway().toString().replace("https", "http")));

        try (BlockingLambdaFs client = BlockingLambdaFs.open(plain.build())) {
            assertThatExceptionOfType(FsException.class)
                    .isThrownBy(() -> client.stat(FsPath.of("/")))
                    .matches(why -> why.code() == ErrorCode.NOT_TRUSTED)
                    .withMessageContaining("use https");
        }
    }

    @Test
    void shouldRefuseServicesOfAnotherAuthorityAndPlainOnesAtTheStore() throws Exception {
        X509Bundle other = new CertificateBuilder()
                .ecp256()
                .subject("CN=another CA")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        Path certificate = Files.writeString(folder.resolve("other.pem"), other.getCertificatePEM());
        Path key = Files.writeString(folder.resolve("other-key.pem"), other.getPrivateKeyPEM());
        Tls stranger = Tls.of(new TlsFiles(
                directory.resolve("tls").resolve("ca.pem"), Optional.of(new TlsFiles.Own(certificate, key))));
        InetSocketAddress store = new InetSocketAddress(InetAddress.getLoopbackAddress(), cluster.port("store"));

        try (NettyTransport transport =
                new NettyTransport(RpcMessages.codec(), 1, "stranger", TransportLimits.DEFAULT)) {
            assertDropped(transport.secured(stranger, TlsPeers.SERVICES), store);
            assertDropped(transport, store);
        }
        await().untilAsserted(() -> assertThat(Files.readString(directory.resolve("logs/store.log")))
                .containsSubsequence("A connection is refused: LFS-204", "A connection is refused: LFS-204"));
    }

    private static void assertDropped(Transport transport, InetSocketAddress address) throws Exception {
        try {
            transport
                    .connect(address, new Silent())
                    .thenCompose(connection -> connection
                            .request(Done.DONE, TimeUnit.SECONDS.toNanos(LIMIT_SECONDS))
                            .handle((answer, lost) -> {
                                assertThat(answer).isNull();
                                return lost;
                            }))
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException refused) {
            assertThat(FsException.of(refused).code()).isIn(ErrorCode.NOT_TRUSTED, ErrorCode.UNAVAILABLE);
        }
    }

    /** Asks and answers nothing. */
    private static final class Silent implements ConnectionHandler {
        @Override
        public void request(Connection connection, Message message, Consumer<Message> reply) {
            throw new AssertionError("nobody asks " + message);
        }
    }

    @Test
    void shouldReplaceCertificatesUnderLoadWithoutAFailure() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Integer> load = CompletableFuture.supplyAsync(() -> clientsComeAndGo(over));
        String before = instances();

        for (String role : REPLACED) {
            Files.delete(directory.resolve("tls").resolve(role + ".pem"));
        }
        cluster.start();

        await().untilAsserted(() ->
                assertThat(instances()).isNotEqualTo(before).contains("TLS uses the certificates that are new"));
        over.set(true);
        assertThat(load.get()).isPositive();
    }

    /** Each client opens connections of its own. */
    private int clientsComeAndGo(AtomicBoolean over) {
        int served = 0;
        while (!over.get() || served < 2) {
            try (BlockingLambdaFs client = cluster.client()) {
                write(client, "/load" + served, 20);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            served++;
        }
        return served;
    }

    /** Returns the logs of all instances and of the gateway. */
    private static String instances() throws IOException {
        StringBuilder all = new StringBuilder(Files.readString(directory.resolve("logs/gateway.log")));
        try (Stream<Path> files = Files.list(directory.resolve("logs/instances"))) {
            for (Path file : files.toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }
}
