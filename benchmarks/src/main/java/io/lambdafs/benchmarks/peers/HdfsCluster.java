package io.lambdafs.benchmarks.peers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.cluster.process.JavaCommand;
import io.lambdafs.cluster.terminal.Console;
import java.io.File;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An HDFS cluster of a NameNode and a DataNode, each in a separate process on loopback, with default settings or tuned;
 * the edit log is forced to disk. Otherwise only addresses, folders and logging are set. Used by one thread, except
 * {@link #close}.
 */
final class HdfsCluster implements AutoCloseable {
    static final String NAMENODE = "namenode";
    static final String DATANODE = "datanode";
    static final int NAMENODE_HEAP_MB = 1_024;
    static final int DATANODE_HEAP_MB = 256;

    /** Quieter than HDFS's default, to its advantage. */
    static final String LOGGING = """
            log4j.rootLogger=WARN,console
            log4j.appender.console=org.apache.log4j.ConsoleAppender
            log4j.appender.console.layout=org.apache.log4j.PatternLayout
            log4j.appender.console.layout.ConversionPattern=%d %p %c: %m%n
            """;

    private static final String LOOPBACK = "127.0.0.1";
    /** One by default. */
    private static final String TUNED_READERS = "4";
    /** Ten by default. */
    private static final String TUNED_HANDLERS = "64";

    private static final Duration GRACE = Duration.ofSeconds(10);

    private final Path folder;
    private final List<Path> jars;
    private final boolean tuned;
    private final int port;
    private final int webPort;
    private final Children children;

    private HdfsCluster(Path folder, List<Path> jars, boolean tuned) throws IOException {
        this.tuned = tuned;
        this.folder = folder;
        this.children = new Children(folder, ".log", GRACE);
        this.jars = jars;
        try (ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = one.getLocalPort();
            webPort = other.getLocalPort();
        }
    }

    /**
     * Creates a cluster that is not started.
     *
     * @param folder an empty folder for its data and logs
     * @param tuned whether it gets more reader and handler threads than by default
     */
    static HdfsCluster in(Path folder, List<Path> jars, boolean tuned) {
        try {
            return new HdfsCluster(folder, jars, tuned);
        } catch (IOException e) {
            throw Children.failed("cannot find ports for HDFS: " + e);
        }
    }

    /** Starts the cluster and waits until it serves. {@link #close} ends its processes, even after a failed start. */
    void start(Console console) throws InterruptedException {
        console.progress("  starting HDFS");
        try {
            format();
            children.start(NAMENODE, command(NAMENODE_HEAP_MB, "server.namenode.NameNode"));
            children.start(DATANODE, command(DATANODE_HEAP_MB, "server.datanode.DataNode"));
            children.await(NAMENODE, "HDFS", this::isReady);
        } catch (IOException e) {
            throw Children.failed("cannot start HDFS: " + e);
        }
        console.say("  hdfs      ready, port " + port);
    }

    private void format() throws IOException, InterruptedException {
        Path conf = Files.createDirectories(folder.resolve("conf"));
        Files.writeString(conf.resolve("core-site.xml"), xml(Map.of("fs.defaultFS", uri().toString())));
        Files.writeString(conf.resolve("hdfs-site.xml"), xml(settings()));
        Files.writeString(conf.resolve("log4j.properties"), LOGGING);
        // The jars lack the web pages, and the servers do not start without folders for them.
        Files.createDirectories(conf.resolve("webapps").resolve("hdfs"));
        Files.createDirectories(conf.resolve("webapps").resolve("datanode"));
        children.run(
                "format",
                "formatting HDFS",
                command(NAMENODE_HEAP_MB, "server.namenode.NameNode", "-format", "-nonInteractive"));
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("dfs.namenode.http-address", LOOPBACK + ":" + webPort);
        settings.put("dfs.namenode.name.dir", folder.resolve("name").toUri().toString());
        settings.put("dfs.datanode.data.dir", folder.resolve("data").toUri().toString());
        for (String address :
                List.of("dfs.datanode.address", "dfs.datanode.http.address", "dfs.datanode.ipc.address")) {
            settings.put(address, LOOPBACK + ":0");
        }
        settings.put("dfs.replication", "1");
        if (tuned) {
            settings.put("ipc.server.read.threadpool.size", TUNED_READERS);
            settings.put("dfs.namenode.handler.count", TUNED_HANDLERS);
        }
        return settings;
    }

    static String xml(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(each -> "  <property><name>" + each.getKey() + "</name><value>" + each.getValue()
                        + "</value></property>\n")
                .collect(Collectors.joining("", "<configuration>\n", "</configuration>\n"));
    }

    private List<String> command(int heapMb, String main, String... arguments) {
        List<String> words = new ArrayList<>(List.of("org.apache.hadoop.hdfs." + main));
        words.addAll(List.of(arguments));
        return command(folder, classPath(folder.resolve("conf"), jars), heapMb, words);
    }

    /** Returns a class path with the settings first. */
    static String classPath(Path conf, List<Path> jars) {
        return Stream.concat(Stream.of(conf), jars.stream())
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Returns the command of a JVM that logs into a folder. */
    static List<String> command(Path folder, String classPath, int heapMb, List<String> words) {
        List<String> command = new ArrayList<>(
                List.of(JavaCommand.java(), "-Xmx" + heapMb + "m", "-Dhadoop.log.dir=" + folder, "-cp", classPath));
        command.addAll(words);
        return command;
    }

    /** Returns whether the NameNode serves writes and knows the DataNode. */
    private boolean isReady() {
        JsonNode state = bean("FSNamesystemState");
        JsonNode info = bean("NameNodeInfo");
        return state.path("NumLiveDataNodes").asInt() == 1
                && info.has("Safemode")
                && info.path("Safemode").asText().isEmpty();
    }

    private JsonNode bean(String name) {
        URI question =
                URI.create("http://" + LOOPBACK + ":" + webPort + "/jmx?qry=Hadoop:service=NameNode,name=" + name);
        ObjectMapper json = new ObjectMapper();
        try (InputStream answer = question.toURL().openStream()) {
            return json.readTree(answer).path("beans").path(0);
        } catch (IOException notYet) {
            return json.createObjectNode();
        }
    }

    URI uri() {
        return URI.create("hdfs://" + LOOPBACK + ":" + port);
    }

    Servers servers() {
        return children::servers;
    }

    /** Ends all started processes. */
    @Override
    public void close() {
        children.close();
    }
}
