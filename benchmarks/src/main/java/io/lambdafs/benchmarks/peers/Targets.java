package io.lambdafs.benchmarks.peers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.benchmarks.micro.driver.DriverMain;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.process.JavaCommand;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.hammer.workload.OperationMix;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.ServiceMain;
import java.io.File;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Creates the target of each kind of file system. Stateless. */
public final class Targets {
    public static final String LAMBDAFS = "lambdafs";
    public static final String HDFS = "hdfs";
    /** HDFS with more threads than by default. */
    static final String HDFS_TUNED = "hdfs-tuned";

    public static final String S3A = "s3a";
    /** The hdfs door of the λFS cluster that is measured. */
    public static final String DOOR = "door";

    private static final String DIRECTORY = "lambdafs.dir";

    /** The peers that a bench can start. */
    static final List<String> PEERS = List.of(HDFS, HDFS_TUNED, S3A, DOOR);

    private Targets() {}

    /**
     * Returns the target of a λFS cluster.
     *
     * @param passing whether it is gone after the measurement
     */
    public static Target lambdafs(LocalCluster cluster, boolean passing) {
        return new Target(
                LAMBDAFS,
                URI.create("lambdafs:///"),
                Map.of(DIRECTORY, cluster.directory().toString()),
                cluster.directory().client(),
                own(),
                () -> servers(cluster),
                passing);
    }

    /**
     * Returns the target of the hdfs door of a λFS cluster, reached by HDFS's own client alone, with a directory apart
     * from the cluster's own target.
     *
     * @param lambdafs the target of the cluster
     * @param jars those of HDFS
     * @throws FsException if no door runs there
     */
    public static Target door(Target lambdafs, List<Path> jars) {
        ClusterDirectory directory =
                new ClusterDirectory(Path.of(lambdafs.configuration().getOrDefault(DIRECTORY, "")));
        int port = ServiceMain.readPort(directory.port(HDFS))
                .orElseThrow(() -> FsException.unavailable("no hdfs door runs in " + directory));
        return new Target(
                DOOR,
                URI.create("hdfs://" + Hosts.withPort(Hosts.loopback(), port) + "/" + DOOR),
                Map.of(),
                null,
                withDriver(jars),
                lambdafs.servers(),
                lambdafs.passing());
    }

    /** @throws FsException {@code INVALID_ARGUMENT} for a peer of {@code --with} that a bench does not know */
    public static void checkPeers(List<String> with, List<String> known) {
        for (String each : with) {
            if (!known.contains(each)) {
                throw FsException.invalidArgument(
                        "--with knows " + String.join(", ", known) + ", not \"" + each + "\"");
            }
        }
    }

    /** Adds to the settings of a cluster that it has an hdfs door. */
    public static ObjectNode withDoor(ObjectNode keys) {
        keys.withObject("doors").put("open", HDFS);
        return keys;
    }

    /** IndexFS's design, which the experiments in phases alone can ask. */
    public static Target indexfs(IndexServers servers) {
        return new Target(
                IndexServers.NAME, servers.uri(), servers.configuration(), null, own(), servers.servers(), true);
    }

    static Target s3a(S3Store store, List<Path> jars) {
        return new Target(S3A, store.uri(), store.configuration(), null, withDriver(jars), store.servers(), true);
    }

    public static Target hdfs(HdfsCluster cluster, List<Path> jars) {
        return hdfs(HDFS, cluster, jars);
    }

    static Target hdfs(String name, HdfsCluster cluster, List<Path> jars) {
        return new Target(name, cluster.uri(), Map.of(), null, withDriver(jars), cluster.servers(), true);
    }

    /**
     * Returns the target of any Hadoop file system.
     *
     * @param hdfs the jars of HDFS; null if nothing needs them
     * @param jars further jars that it may need
     */
    public static Target other(URI uri, @Nullable List<Path> hdfs, List<Path> jars) {
        List<Path> classPath = new ArrayList<>(hdfs == null ? own() : withDriver(hdfs));
        classPath.addAll(jars);
        Path client = null;
        if (LAMBDAFS.equals(uri.getScheme()) && uri.getAuthority() == null) {
            Path discovered = ClusterDirectory.find(null, System.getenv()).client();
            client = Files.exists(discovered) ? discovered : null;
        }
        return new Target(uri.toString(), uri, Map.of(), client, classPath, Servers.UNKNOWN, false);
    }

    private static List<Servers.Server> servers(LocalCluster cluster) {
        List<Servers.Server> servers = new ArrayList<>();
        cluster.processes().forEach((name, process) -> servers.add(new Servers.Server(name, process)));
        JsonNode instances;
        try {
            instances = cluster.gateway().client().instances();
        } catch (FsException busy) {
            return servers;
        }
        for (JsonNode each : instances) {
            ProcessHandle.of(each.path("pid").asLong(-1))
                    .ifPresent(process -> servers.add(new Servers.Server("instance", process)));
        }
        return servers;
    }

    /** Returns this process's class path. */
    private static List<Path> own() {
        return Arrays.stream(JavaCommand.classPath().split(File.pathSeparator, -1))
                .map(Path::of)
                .toList();
    }

    /** Returns the given jars and those of this process that a measuring process needs with any file system. */
    public static List<Path> withDriver(List<Path> jars) {
        List<Path> all = new ArrayList<>(jars);
        for (Class<?> needed :
                List.of(DriverMain.class, OperationMix.class, FsException.class, Options.class, Histogram.class)) {
            try {
                all.add(Path.of(needed.getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI()));
            } catch (URISyntaxException e) {
                throw new IllegalStateException(e);
            }
        }
        return all;
    }
}
