package io.lambdafs.deploy.aws;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;

/** moto's server, which stands for AWS. */
public final class MotoServer implements AutoCloseable {

    private final Process process;
    private final int port;

    private MotoServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts one; the test is skipped where there is no such program. */
    public static MotoServer start() throws IOException {
        String program = AwsTools.find("moto_server");
        System.setProperty("aws.accessKeyId", "test");
        System.setProperty("aws.secretAccessKey", "test");
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Process process = new ProcessBuilder(program, "-H", "127.0.0.1", "-p", Integer.toString(port))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        MotoServer server = new MotoServer(process, port);
        await().until(server::isListening);
        return server;
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
