package io.lambdafs.benchmarks.peers;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.process.JavaCommand;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.store.embedded.server.StoreMain;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The metadata servers of IndexFS's design, on loopback: a process for each partition of the namespace, with its own
 * LSM tree (this code's embedded store, its log forced to the disk). Used by one thread, except {@link #close}.
 */
public final class IndexServers implements AutoCloseable {
    /** In results. */
    public static final String NAME = "indexfs";
    /** In {@link #configuration}: ports, separated by commas, one for each partition. */
    public static final String PORTS = "ports";
    /** In {@link #configuration}: the file with the secret that servers and clients share. */
    public static final String SECRET_FILE = "secretFile";

    private static final int HEAP_MB = 256;
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final Path folder;
    private final Children children;
    private final List<String> ports = new ArrayList<>();

    /** @param folder that is empty, for data and logs */
    IndexServers(Path folder) {
        this.folder = folder;
        this.children = new Children(folder, ".log", GRACE);
    }

    /** Starts them; returns when all serve. */
    void start(int servers, Console console) throws InterruptedException {
        Secret.loadOrCreate(secret());
        try {
            for (int i = 0; i < servers; i++) {
                ObjectNode keys = new ObjectMapper()
                        .createObjectNode()
                        .put("directory", folder.resolve(name(i)).toString())
                        .put("secretFile", secret().toString())
                        .put("portFile", portFile(i).toString());
                Path file = Files.writeString(folder.resolve(name(i) + ".json"), keys.toString());
                List<String> command = JavaCommand.measuring(StoreMain.class, HEAP_MB, JavaCommand.classPath());
                command.add(file.toString());
                children.start(name(i), command);
            }
            for (int i = 0; i < servers; i++) {
                Path port = portFile(i);
                children.await(name(i), "a server of " + NAME, () -> Files.exists(port) && Files.size(port) > 0);
                ports.add(Files.readString(port).strip());
            }
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, ErrorCode.UNAVAILABLE, "cannot start " + NAME + ": " + e);
        }
        console.say("  indexfs   ready, " + servers + " servers");
    }

    private static String name(int server) {
        return "server-" + server;
    }

    private Path portFile(int server) {
        return folder.resolve(name(server) + ".port");
    }

    private Path secret() {
        return folder.resolve("secret");
    }

    URI uri() {
        return URI.create(NAME + ":///");
    }

    /** Returns the configuration of a client. */
    Map<String, String> configuration() {
        return Map.of(PORTS, String.join(",", ports), SECRET_FILE, secret().toString());
    }

    Servers servers() {
        return children::servers;
    }

    @Override
    public void close() {
        children.close();
    }
}
