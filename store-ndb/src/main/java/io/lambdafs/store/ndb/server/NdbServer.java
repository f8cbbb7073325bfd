package io.lambdafs.store.ndb.server;

import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Leeway;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An NDB Cluster run from the installed programs, on loopback, in its own directory: a management server, and one data
 * node or two replicas. No MySQL server. Confined to one thread.
 */
public final class NdbServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NdbServer.class);
    private static final String HOST = "127.0.0.1";
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final int MANAGEMENT_NODE = 49;
    private static final int FIRST_API_NODE = 51;
    private static final int API_NODES = 16;
    /** The limit on a calm machine. */
    private static final Duration READY = Duration.ofMinutes(2);

    private static final long STOP_SECONDS = 20;
    private static final long AGAIN_MILLIS = 1_000;
    private static final int MANAGEMENT_TRIES = 60;

    private final NdbPrograms programs;
    private final Path directory;
    private final int port;
    private final Size size;
    private final ProcessBuilder.Redirect log;
    /** The management server first. */
    private final List<Process> nodes = new CopyOnWriteArrayList<>();
    /** The node numbers of the data nodes. */
    private final Map<Process, Integer> numbers = new ConcurrentHashMap<>();

    private volatile boolean closing;

    /**
     * The size of an NDB, and the pace of its checkpoints.
     *
     * @param replicas 1 or 2
     * @param memoryMb for rows, on each data node
     * @param checkpointMillis the interval between global checkpoints, 20–2,000
     */
    public record Size(int replicas, int memoryMb, int checkpointMillis) {
        /** NDB's default. */
        public static final int CHECKPOINT_MILLIS = 2_000;

        private static final int LEAST_CHECKPOINT_MILLIS = 20;

        public Size {
            if (checkpointMillis < LEAST_CHECKPOINT_MILLIS || checkpointMillis > CHECKPOINT_MILLIS) {
                throw new IllegalArgumentException("a global checkpoint comes every 20..2000 ms");
            }
            if (replicas < 1 || replicas > 2 || memoryMb < 64) {
                throw new IllegalArgumentException(
                        "an NDB of the cluster's own has 1 or 2 replicas, and at least 64 MB");
            }
        }
    }

    /**
     * Finds the programs; starts nothing yet.
     *
     * @param port the management server's; 0 for any free one
     * @param log the destination of the nodes' logs
     * @throws FsException {@code UNAVAILABLE}: the programs are missing
     */
    public NdbServer(Path directory, int port, Size size, ProcessBuilder.Redirect log) throws IOException {
        this.programs = NdbPrograms.demand();
        this.directory = directory;
        this.port = port == 0 ? freePort() : port;
        this.size = size;
        this.log = log;
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByAddress(LOOPBACK))) {
            return free.getLocalPort();
        }
    }

    public int port() {
        return port;
    }

    /** Returns the address that clients connect to. */
    public String connect() {
        return HOST + ":" + port;
    }

    /** Starts it, and creates it if it does not exist; returns when its tables can be used. */
    public void start() throws IOException, InterruptedException {
        closing = false;
        endFormer();
        boolean first = !Files.exists(data(1).resolve("ndb_1_fs"));
        Files.createDirectories(directory.resolve("management"));
        for (int node = 1; node <= size.replicas(); node++) {
            Files.createDirectories(data(node));
        }
        Files.writeString(directory.resolve("config.ini"), configuration());
        startManagement();
        for (int node = 1; node <= size.replicas(); node++) {
            startNode(node, first);
        }
        awaitReady();
        // Creates NDB's own statistics tables, which indexes need.
        demand(run("ndb_index_stat", "--ndb-connectstring=" + connect(), "--sys-create-if-not-exist"));
        LOG.info("NDB ready at {}", connect());
    }

    private Path data(int node) {
        return directory.resolve("data-" + node);
    }

    /** Data nodes keep their ports while it runs: clients find a restarted one again. */
    private String configuration() throws IOException {
        StringBuilder text = new StringBuilder();
        // Redo logs limit the writes between two local checkpoints; a lock waits for less time than a transaction of
        // the store may take.
        add(text, "[ndbd default]", "NoOfReplicas=" + size.replicas(), "DataMemory=" + size.memoryMb() + "M");
        add(text, "MaxNoOfExecutionThreads=2", "MaxNoOfConcurrentOperations=100000", "NoOfFragmentLogParts=4");
        add(text, "FragmentLogFileSize=16M", "NoOfFragmentLogFiles=16", "RedoBuffer=32M");
        add(text, "TransactionDeadlockDetectionTimeout=3000", "TransactionInactiveTimeout=10000");
        add(text, "TimeBetweenGlobalCheckpoints=" + size.checkpointMillis());
        add(text, "[ndb_mgmd]", "NodeId=" + MANAGEMENT_NODE, "HostName=" + HOST, "PortNumber=" + port);
        add(text, "DataDir=" + directory.resolve("management"));
        for (int node = 1; node <= size.replicas(); node++) {
            add(text, "[ndbd]", "NodeId=" + node, "HostName=" + HOST, "DataDir=" + data(node));
            add(text, "ServerPort=" + freePort());
        }
        for (int node = FIRST_API_NODE; node < FIRST_API_NODE + API_NODES; node++) {
            add(text, "[api]", "NodeId=" + node);
        }
        return text.toString();
    }

    private static void add(StringBuilder text, String... lines) {
        for (String line : lines) {
            text.append(line).append('\n');
        }
    }

    /** The port of a server that has just ended stays busy for a while. */
    private void startManagement() throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            // Uses the file's settings, not those kept from an earlier start.
            Process started = run(
                    "ndb_mgmd",
                    "--config-file=" + directory.resolve("config.ini"),
                    "--configdir=" + directory.resolve("management"),
                    "--initial",
                    "--bind-address=" + HOST,
                    "--nodaemon");
            while (started.isAlive()) {
                if (answers()) {
                    nodes.add(started);
                    return;
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
            if (attempt == MANAGEMENT_TRIES) {
                throw FsException.unavailable(
                        "NDB's management server in " + directory + " does not start; its log says why");
            }
            TimeUnit.MILLISECONDS.sleep(AGAIN_MILLIS);
        }
    }

    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getByAddress(LOOPBACK), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private void startNode(int node) throws IOException {
        startNode(node, false);
    }

    private void startNode(int node, boolean first) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("--ndb-connectstring=" + connect(), "--ndb-nodeid=" + node, "--foreground"));
        if (first) {
            arguments.add("--initial");
        }
        Process started = run("ndbmtd", arguments.toArray(String[]::new));
        nodes.add(started);
        numbers.put(started, node);
    }

    private void awaitReady() throws IOException, InterruptedException {
        demand(run(
                "ndb_waiter",
                "--ndb-connectstring=" + connect(),
                "--timeout=" + Leeway.of(READY).toSeconds()));
    }

    private void demand(Process ending) throws InterruptedException {
        if (ending.waitFor() != 0) {
            throw FsException.unavailable("NDB in " + directory + " was not ready in time; its log says why");
        }
    }

    private Process run(String program, String... arguments) throws IOException {
        return programs.start(directory, log, program, arguments);
    }

    /** Ends nodes left behind by a killed process: two data nodes must not write the same files. */
    private void endFormer() throws IOException {
        endNoted(directory.resolve("management").resolve("ndb_" + MANAGEMENT_NODE + ".pid"));
        for (int node = 1; node <= 2; node++) {
            endNoted(data(node).resolve("ndb_" + node + ".pid"));
        }
    }

    private void endNoted(Path note) throws IOException {
        if (!Files.exists(note)) {
            return;
        }
        String pid = Files.readString(note).strip();
        if (pid.matches("[0-9]{1,18}")) {
            ProcessHandle.of(Long.parseLong(pid)).filter(programs::isOne).ifPresent(process -> {
                process.destroyForcibly();
                process.onExit().orTimeout(STOP_SECONDS, TimeUnit.SECONDS).join();
            });
        }
        Files.deleteIfExists(note);
    }

    /**
     * Blocks until it has ended, and restarts one of two data nodes if it ends; returns whether {@link #close} has
     * ended it.
     */
    boolean awaitEnd() throws IOException, InterruptedException {
        while (!closing) {
            List<Process> ended = nodes.stream().filter(each -> !each.isAlive()).toList();
            if (!ended.isEmpty() && !mend(ended)) {
                break;
            }
            TimeUnit.MILLISECONDS.sleep(AGAIN_MILLIS);
        }
        return closing;
    }

    /** Restarts the data node that has ended; returns whether NDB continues. */
    private boolean mend(List<Process> ended) throws IOException {
        if (closing || nodes.isEmpty() || ended.size() > 1 || size.replicas() == 1 || ended.contains(nodes.get(0))) {
            return false;
        }
        int lost = numbers.getOrDefault(ended.get(0), 0);
        if (lost == 0) {
            return false;
        }
        LOG.warn("The data node {} of NDB has ended: it is started again", lost);
        nodes.removeAll(ended);
        startNode(lost);
        return true;
    }

    /** Kills all data nodes at once, as a crash does, and restarts them: changes after the last checkpoint are lost. */
    public void restartNodes() throws IOException, InterruptedException {
        killNodes();
        for (int node = 1; node <= size.replicas(); node++) {
            startNode(node);
        }
        awaitReady();
    }

    /** Kills a data node at once, as a crash does. */
    public void killNode(int node) {
        nodes.stream()
                .filter(each -> isNode(each, node))
                .toList()
                .forEach(each -> each.destroyForcibly().onExit().join());
        nodes.removeIf(each -> !each.isAlive());
    }

    /** Kills all data nodes at once, as a crash does. */
    public void killNodes() {
        for (int node = 1; node <= size.replicas(); node++) {
            killNode(node);
        }
    }

    private static boolean isNode(Process process, int node) {
        return process.info()
                .arguments()
                .map(arguments -> List.of(arguments).contains("--ndb-nodeid=" + node))
                .orElse(false);
    }

    /** Kills all nodes at once, as a crash does. */
    public void kill() {
        closing = true;
        nodes.forEach(Process::destroyForcibly);
        nodes.forEach(each -> each.onExit().join());
        nodes.clear();
    }

    /** Ends it cleanly: all commits are on disk. */
    @Override
    public void close() {
        closing = true;
        if (nodes.isEmpty()) {
            return;
        }
        try {
            run("ndb_mgm", "--ndb-connectstring=" + connect(), "-e", "shutdown")
                    .waitFor(STOP_SECONDS, TimeUnit.SECONDS);
            for (Process node : nodes) {
                node.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
            }
        } catch (IOException e) {
            LOG.warn("NDB could not be stopped in order: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        kill();
    }
}
