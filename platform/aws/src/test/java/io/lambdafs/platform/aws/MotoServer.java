package io.lambdafs.platform.aws;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** moto's server, which stands for AWS: the program that {@code lambdafs.moto} names, or {@code moto_server} on the path. */
public final class MotoServer implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final Process process;
    private final int port;

    private MotoServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts one; the test is skipped where there is no such program. */
    public static MotoServer start() throws IOException {
        Optional<Path> program = program();
        assumeTrue(
                program.isPresent(),
                "moto's server is not installed: pip install 'moto[server]', or name moto_server by -Dlambdafs.moto");
        System.setProperty("aws.accessKeyId", "test");
        System.setProperty("aws.secretAccessKey", "test");
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Process process = new ProcessBuilder(
                        program.orElseThrow().toString(), "-H", "127.0.0.1", "-p", Integer.toString(port))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        MotoServer server = new MotoServer(process, port);
        await().atMost(START_LIMIT).until(server::isListening);
        return server;
    }

    private static Optional<Path> program() {
        String named = System.getProperty("lambdafs.moto", "");
        if (!named.isEmpty()) {
            return Optional.of(Path.of(named));
        }
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, "moto_server"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private boolean isListening() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + port);
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
