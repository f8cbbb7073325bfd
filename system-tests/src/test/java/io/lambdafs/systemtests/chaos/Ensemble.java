package io.lambdafs.systemtests.chaos;

import io.lambdafs.systemtests.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.zookeeper.client.FourLetterWordMain;
import org.apache.zookeeper.common.X509Exception.SSLContextException;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.awaitility.Awaitility;

/** Three ZooKeeper servers, each a process of its own, which elect a leader; killed when it is closed. Confined to one thread. */
final class Ensemble implements AutoCloseable {
    private static final int SERVERS = 3;
    private static final int PORTS_EACH = 3;
    private static final int LIMIT_SECONDS = 60;
    private static final int ANSWER_MILLIS = 1_000;
    private static final String LOOPBACK = "127.0.0.1";

    private final Path directory;
    private final int[] ports;
    private final List<Process> servers = new ArrayList<>();

    private Ensemble(Path directory, int[] ports) {
        this.directory = directory;
        this.ports = ports;
    }

    /** Starts it, and waits for a leader. */
    static Ensemble start(Path directory) throws IOException {
        Ensemble ensemble = new Ensemble(directory, FreePorts.take(SERVERS * PORTS_EACH));
        for (int i = 0; i < SERVERS; i++) {
            Path data = Files.createDirectories(ensemble.data(i));
            Files.writeString(data.resolve("myid"), (i + 1) + "\n");
            Files.writeString(ensemble.configuration(i), ensemble.describe(i));
            ensemble.servers.add(ensemble.run(i));
        }
        ensemble.awaitLeader();
        return ensemble;
    }

    private Path data(int server) {
        return directory.resolve("server" + server);
    }

    private Path configuration(int server) {
        return directory.resolve("server" + server + ".cfg");
    }

    private String describe(int server) {
        String peers = IntStream.range(0, SERVERS)
                .mapToObj(i -> "server.%d=%s:%d:%d\n"
                        .formatted(i + 1, LOOPBACK, ports[SERVERS + 2 * i], ports[SERVERS + 2 * i + 1]))
                .collect(Collectors.joining());
        return """
                tickTime=500
                initLimit=20
                syncLimit=4
                dataDir=%s
                clientPort=%d
                clientPortAddress=%s
                maxClientCnxns=0
                maxSessionTimeout=60000
                admin.enableServer=false
                4lw.commands.whitelist=srvr
                """.formatted(data(server), ports[server], LOOPBACK) + peers;
    }

    private Process run(int server) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx96m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        QuorumPeerMain.class.getName(),
                        configuration(server).toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("server" + server + ".log").toFile()))
                .start();
    }

    /** Returns the connection string for clients. */
    String connection() {
        return IntStream.range(0, SERVERS)
                .mapToObj(i -> LOOPBACK + ":" + ports[i])
                .collect(Collectors.joining(","));
    }

    /** The leader's process. */
    ProcessHandle leader() {
        return servers.get(awaitLeader()).toHandle();
    }

    private int awaitLeader() {
        return Awaitility.await("a leader of ZooKeeper")
                .atMost(LIMIT_SECONDS, TimeUnit.SECONDS)
                .until(this::findLeader, OptionalInt::isPresent)
                .getAsInt();
    }

    private OptionalInt findLeader() {
        return IntStream.range(0, SERVERS).filter(this::leads).findFirst();
    }

    private boolean leads(int server) {
        try {
            return servers.get(server).isAlive()
                    && FourLetterWordMain.send4LetterWord(LOOPBACK, ports[server], "srvr", false, ANSWER_MILLIS)
                            .contains("Mode: leader");
        } catch (IOException | SSLContextException e) {
            return false;
        }
    }

    /** Starts the servers that have ended. */
    void startMissing() throws IOException {
        for (int i = 0; i < SERVERS; i++) {
            if (!servers.get(i).isAlive()) {
                servers.set(i, run(i));
            }
        }
    }

    @Override
    public void close() {
        servers.forEach(Process::destroyForcibly);
    }
}
