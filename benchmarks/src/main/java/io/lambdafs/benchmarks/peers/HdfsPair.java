package io.lambdafs.benchmarks.peers;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.cluster.process.JavaCommand;
import io.lambdafs.cluster.terminal.Console;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An HDFS cluster with a standby NameNode: two NameNodes with a failover controller each, a ZooKeeper server, and the
 * edit log in a shared directory. Time-outs are HDFS's defaults. Used by one thread, except {@link #close}.
 */
public final class HdfsPair implements AutoCloseable {
    private static final String SERVICE = "pair";
    private static final List<String> NODES = List.of("nn1", "nn2");
    private static final String LOOPBACK = "127.0.0.1";
    private static final String NAMENODE = "org.apache.hadoop.hdfs.server.namenode.NameNode";
    private static final String CONTROLLER = "org.apache.hadoop.hdfs.tools.DFSZKFailoverController";
    private static final int HEAP_MB = 768;
    private static final int SMALL_HEAP_MB = 128;

    private final Path folder;
    private final List<Path> jars;
    private final Map<String, Integer> ports = new LinkedHashMap<>();
    private final Children children;

    /** @param folder an empty folder for its data and logs */
    HdfsPair(Path folder, List<Path> jars) {
        this.folder = folder;
        this.children = new Children(folder, ".log", Duration.ZERO);
        this.jars = jars;
        List<ServerSocket> taken = new ArrayList<>();
        try {
            for (String name :
                    List.of("zookeeper", "nn1", "nn2", "nn1-http", "nn2-http", "nn1-controller", "nn2-controller")) {
                ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                taken.add(free);
                ports.put(name, free.getLocalPort());
            }
            for (ServerSocket each : taken) {
                each.close();
            }
        } catch (IOException e) {
            throw Children.failed("cannot find ports for HDFS: " + e);
        }
    }

    private int port(String name) {
        return ports.getOrDefault(name, 0);
    }

    /** Starts all processes and waits until one NameNode is active and the other in standby. */
    public void start(Console console) throws InterruptedException {
        console.progress("  starting HDFS with a NameNode that stands by");
        try {
            for (String node : NODES) {
                writeConf(node);
            }
            children.start(
                    "zookeeper",
                    HdfsCluster.command(
                            folder,
                            JavaCommand.classPath(),
                            SMALL_HEAP_MB,
                            List.of(
                                    "org.apache.zookeeper.server.ZooKeeperServerMain",
                                    zooKeeper().toString())));
            format("nn1", "nn1-format", HEAP_MB, NAMENODE, "-format");
            serve("nn1");
            awaitState("nn1", "standby");
            format("nn2", "nn2-format", HEAP_MB, NAMENODE, "-bootstrapStandby");
            serve("nn2");
            format("nn1", "zk-format", SMALL_HEAP_MB, CONTROLLER, "-formatZK");
            control("nn1");
            awaitState("nn1", "active");
            control("nn2");
            awaitState("nn2", "standby");
        } catch (IOException e) {
            throw Children.failed("cannot start HDFS: " + e);
        }
        console.say("  hdfs      ready, ports " + port("nn1") + " and " + port("nn2"));
    }

    /** Kills the active NameNode. */
    public void killActive() {
        Process active = children.started().get("nn1");
        if (active != null) {
            active.destroyForcibly();
        }
    }

    public URI uri() {
        return URI.create("hdfs://" + SERVICE + "/");
    }

    /** Returns the configuration of clients. */
    public Map<String, String> configuration() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("dfs.nameservices", SERVICE);
        settings.put("dfs.ha.namenodes." + SERVICE, String.join(",", NODES));
        settings.put(
                "dfs.client.failover.proxy.provider." + SERVICE,
                "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
        for (String node : NODES) {
            settings.put("dfs.namenode.rpc-address." + SERVICE + "." + node, LOOPBACK + ":" + port(node));
        }
        return settings;
    }

    /** Writes ZooKeeper's settings. */
    private Path zooKeeper() throws IOException {
        return Files.write(
                folder.resolve("zookeeper.cfg"),
                List.of(
                        "dataDir=" + Files.createDirectories(folder.resolve("zookeeper")),
                        "clientPort=" + port("zookeeper"),
                        "clientPortAddress=" + LOOPBACK,
                        "tickTime=2000",
                        "admin.enableServer=false"));
    }

    private void writeConf(String node) throws IOException {
        Map<String, String> settings = configuration();
        for (String each : NODES) {
            String suffix = "." + SERVICE + "." + each;
            settings.put("dfs.namenode.http-address" + suffix, LOOPBACK + ":" + port(each + "-http"));
            settings.put("dfs.ha.zkfc.port" + suffix, String.valueOf(port(each + "-controller")));
        }
        settings.put("dfs.ha.namenode.id", node);
        settings.put(
                "dfs.namenode.name.dir", folder.resolve(node + "-name").toUri().toString());
        settings.put(
                "dfs.namenode.shared.edits.dir", folder.resolve("edits").toUri().toString());
        settings.put("dfs.ha.automatic-failover.enabled", "true");
        settings.put("dfs.ha.fencing.methods", "shell(/bin/true)");
        settings.put("ha.zookeeper.quorum", LOOPBACK + ":" + port("zookeeper"));
        Path conf = Files.createDirectories(folder.resolve(node + "-conf"));
        Files.createDirectories(folder.resolve("edits"));
        Files.writeString(conf.resolve("core-site.xml"), HdfsCluster.xml(Map.of("fs.defaultFS", "hdfs://" + SERVICE)));
        Files.writeString(conf.resolve("hdfs-site.xml"), HdfsCluster.xml(settings));
        Files.writeString(conf.resolve("log4j.properties"), HdfsCluster.LOGGING);
        Files.createDirectories(conf.resolve("webapps").resolve("hdfs"));
    }

    private List<String> command(String node, int heapMb, String... words) {
        return HdfsCluster.command(
                folder, HdfsCluster.classPath(folder.resolve(node + "-conf"), jars), heapMb, List.of(words));
    }

    private void serve(String node) throws IOException {
        children.start(node, command(node, HEAP_MB, NAMENODE));
    }

    private void control(String node) throws IOException {
        children.start(node + "-controller", command(node, SMALL_HEAP_MB, CONTROLLER));
    }

    private void format(String node, String name, int heapMb, String main, String option)
            throws IOException, InterruptedException {
        children.run(name, "HDFS's " + name, command(node, heapMb, main, option, "-nonInteractive"));
    }

    private void awaitState(String node, String state) throws IOException, InterruptedException {
        children.await(node, "HDFS's " + node, () -> state.equals(state(node)));
    }

    private String state(String node) {
        URI question = URI.create("http://" + LOOPBACK + ":" + port(node + "-http")
                + "/jmx?qry=Hadoop:service=NameNode,name=NameNodeStatus");
        try (InputStream answer = question.toURL().openStream()) {
            return new ObjectMapper()
                    .readTree(answer)
                    .path("beans")
                    .path(0)
                    .path("State")
                    .asText();
        } catch (IOException notYet) {
            return "";
        }
    }

    /** Ends all started processes. */
    @Override
    public void close() {
        children.close();
    }
}
