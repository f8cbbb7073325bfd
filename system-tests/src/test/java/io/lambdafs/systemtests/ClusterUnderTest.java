package io.lambdafs.systemtests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.store.Resizing;
import io.lambdafs.cluster.terminal.Console;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A local cluster of real processes in a directory of a test's own; stopped when it is closed. */
public final class ClusterUnderTest implements AutoCloseable {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final LocalCluster cluster;
    private final String javaHome;

    private ClusterUnderTest(Path directory, String javaHome) {
        this.javaHome = javaHome;
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        cluster = new LocalCluster(new ClusterDirectory(directory), new Console(out, out, 0));
    }

    public static ClusterUnderTest start(Path directory) {
        return start(directory, Path.of(System.getProperty("java.home")));
    }

    /** @param javaHome whose {@code bin/java} runs its services */
    public static ClusterUnderTest start(Path directory, Path javaHome) {
        return start(directory, javaHome, JsonNodeFactory.instance.objectNode());
    }

    /** @param settings other than the defaults, by their keys */
    public static ClusterUnderTest start(Path directory, ObjectNode settings) {
        return start(directory, Path.of(System.getProperty("java.home")), settings);
    }

    /**
     * @param javaHome whose {@code bin/java} runs its services
     * @param settings other than the defaults, by their keys
     */
    public static ClusterUnderTest start(Path directory, Path javaHome, ObjectNode settings) {
        ClusterUnderTest started = new ClusterUnderTest(directory, javaHome.toString());
        started.start(new LocalCluster.StartOptions(null, settings));
        return started;
    }

    /** Starts what does not run, with the settings that it has. */
    public void start() {
        start(LocalCluster.StartOptions.none());
    }

    private void start(LocalCluster.StartOptions startOptions) {
        String own = System.setProperty("java.home", javaHome);
        try {
            cluster.start(startOptions);
        } finally {
            System.setProperty("java.home", own);
        }
    }

    /** The port that a service listens on. */
    public int port(String service) throws IOException {
        return Integer.parseInt(
                Files.readString(cluster.directory().port(service)).strip());
    }

    /** Ports of those services that this cluster has. */
    public Set<Integer> ports(String... services) throws IOException {
        Set<Integer> ports = new TreeSet<>();
        for (String each : services) {
            if (Files.exists(cluster.directory().port(each))) {
                ports.add(port(each));
            }
        }
        return ports;
    }

    void stop() {
        cluster.stop();
    }

    /** Changes the number of deployments. */
    public Resizing.Result resize(int deployments) {
        return cluster.resize(deployments);
    }

    /** The cluster as commands see it. */
    LocalCluster asCommandsSeeIt() {
        return cluster;
    }

    public Path data(String service) {
        return cluster.directory().data(service);
    }

    public Path directory() {
        return cluster.directory().root();
    }

    public BlockingLambdaFs client() {
        return BlockingLambdaFs.open(ClientConfig.load(cluster.directory().client()));
    }

    /** SIGKILL to every service and every instance, at once. */
    public void killAll() throws Exception {
        kill(processes());
    }

    /** SIGKILL to a service and the processes that it has started. */
    public void kill(String service) throws Exception {
        ProcessHandle killed = service(service).orElseThrow();
        List<ProcessHandle> all = new ArrayList<>(killed.descendants().toList());
        all.add(0, killed);
        kill(all);
    }

    private static void kill(List<ProcessHandle> all) throws Exception {
        all.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle process : all) {
            process.onExit().get();
        }
    }

    /** Every live process: services, then instances. */
    List<ProcessHandle> processes() throws IOException {
        List<ProcessHandle> services = new ArrayList<>();
        for (String service : List.of("zookeeper", "store", "gateway", "datanode-1")) {
            service(service).ifPresent(services::add);
        }
        List<ProcessHandle> all = new ArrayList<>(services);
        services.forEach(process -> process.descendants().forEach(all::add));
        return all;
    }

    /** The live process of a service. */
    public Optional<ProcessHandle> service(String name) throws IOException {
        Path file = cluster.directory().pid(name);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        String pid = Files.readString(file).strip().split("\\s+")[0];
        return ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive);
    }

    /** Instances that serve a deployment: prewarmed ones aside. */
    int servingInstances() {
        return instances().size();
    }

    /**
     * An instance that serves a deployment.
     *
     * @param deployment that it serves, by number
     * @param endpoint of its HTTP server
     */
    public record LiveInstance(int deployment, ProcessHandle process, URI endpoint) {}

    /** The live instances that serve a deployment. */
    public List<LiveInstance> instances() {
        List<LiveInstance> serving = new ArrayList<>();
        for (JsonNode each : cluster.gateway().client().instances()) {
            String action = each.path("deployment").asText();
            if (action.startsWith(LocalCluster.ACTION_PREFIX)) {
                int deployment = Integer.parseInt(action.substring(LocalCluster.ACTION_PREFIX.length()));
                URI endpoint = URI.create(each.path("endpoint").asText());
                ProcessHandle.of(each.path("pid").asLong())
                        .filter(ProcessHandle::isAlive)
                        .ifPresent(process -> serving.add(new LiveInstance(deployment, process, endpoint)));
            }
        }
        return serving;
    }

    /** How a client of it is configured. */
    public ClientConfig clientConfig() {
        return ClientConfig.load(cluster.directory().client());
    }

    @Override
    public void close() {
        cluster.stop();
    }

    @Override
    public String toString() {
        return said.toString(StandardCharsets.UTF_8);
    }
}
