package io.lambdafs.store.embedded;

import static org.awaitility.Awaitility.await;

import io.lambdafs.model.testkit.Waits;
import io.lambdafs.store.embedded.server.StoreMain;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A store server in a JVM of its own. */
public final class StoreProcess implements AutoCloseable {
    private final Process process;
    private final Path portFile;
    private final Path output;

    private StoreProcess(Process process, Path portFile, Path output) {
        this.process = process;
        this.portFile = portFile;
        this.output = output;
    }

    /**
     * Starts one.
     *
     * @param folder for its configuration, port file and output
     * @param keys of its configuration, as JSON without the braces; the port file is added
     */
    public static StoreProcess start(Path folder, String keys) throws IOException {
        return start(folder, keys, Map.of());
    }

    /** Starts one with an environment of its own. */
    static StoreProcess start(Path folder, String keys, Map<String, String> environment) throws IOException {
        Path portFile = folder.resolve("port");
        Files.deleteIfExists(portFile);
        Path config = folder.resolve("store.json");
        Files.writeString(config, "{" + keys + ", \"portFile\": \"" + portFile + "\"}");
        return run(folder, environment, config.toString());
    }

    /** Starts one with arguments as they are. */
    public static StoreProcess run(Path folder, String... arguments) throws IOException {
        return run(folder, Map.of(), arguments);
    }

    private static StoreProcess run(Path folder, Map<String, String> environment, String... arguments)
            throws IOException {
        Path output = folder.resolve("output");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder builder = new ProcessBuilder(
                java,
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                StoreMain.class.getName());
        builder.command().addAll(List.of(arguments));
        builder.environment().putAll(environment);
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new StoreProcess(process, folder.resolve("port"), output);
    }

    /** Where it listens, once it does. */
    public InetSocketAddress address() throws IOException {
        await().until(() -> Files.exists(portFile) || !process.isAlive());
        if (!Files.exists(portFile)) {
            throw new IllegalStateException("the store did not start:\n" + output());
        }
        int port = Integer.parseInt(Files.readString(portFile).strip());
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    public String output() throws IOException {
        return Files.readString(output);
    }

    /** Waits for its end. */
    public int exitCode() {
        return Waits.join(process.onExit()).exitValue();
    }

    /** SIGTERM. */
    public void terminate() {
        process.destroy();
    }

    /** SIGKILL; returns when the process is gone. */
    public void kill() {
        process.destroyForcibly();
        exitCode();
    }

    @Override
    public void close() {
        kill();
    }
}
