package io.lambdafs.datanode.block;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** An object store that is installed, or a fake of one, as a process on loopback. Ends with {@link #close}. */
public final class Emulator implements AutoCloseable {
    private static final int START_SECONDS = 30;

    private final Process process;
    private final int port;

    private Emulator(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts a program, and waits until it listens; skips the tests where it is not installed.
     *
     * @param name of the program on the PATH
     * @param variable of the environment that may name it, or its script for Node, in place of the PATH
     * @param arguments by the port where it has to listen
     */
    public static Emulator start(
            String name, String variable, Map<String, String> environment, IntFunction<List<String>> arguments)
            throws IOException, InterruptedException {
        String program = find(name, variable);
        int port = freePort();
        List<String> command = new ArrayList<>(program.endsWith(".js") ? List.of("node", program) : List.of(program));
        command.addAll(arguments.apply(port));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        Emulator emulator = new Emulator(builder.start(), port);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!emulator.listens()) {
            if (!emulator.process.isAlive() || System.nanoTime() > end) {
                emulator.close();
                throw new IOException(program + " did not start");
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return emulator;
    }

    private static String find(String name, String variable) {
        String named = System.getenv(variable);
        Stream<Path> places = named == null
                ? Arrays.stream(String.valueOf(System.getenv("PATH")).split(File.pathSeparator, -1))
                        .map(folder -> Path.of(folder, name))
                : Stream.of(Path.of(named));
        String found =
                places.filter(Files::isReadable).map(Path::toString).findFirst().orElse("");
        assumeTrue(!found.isEmpty(), name + " is neither on the PATH nor named by " + variable);
        return found;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    public int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroy();
    }
}
