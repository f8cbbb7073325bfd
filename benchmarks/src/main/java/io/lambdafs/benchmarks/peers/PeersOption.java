package io.lambdafs.benchmarks.peers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that choose the file systems measured along with λFS or instead. Confined to one thread. */
public final class PeersOption {
    @Option(
            names = "--fs",
            paramLabel = "URI",
            description = "Hadoop file system to measure, in a new directory below the URI's path; may be repeated.")
    private List<URI> fileSystems = new ArrayList<>();

    @Option(
            names = "--with",
            paramLabel = "PEER,…",
            split = ",",
            description = "Also start these, and measure them in turns (Maven fetches their jars): hdfs, unchanged; "
                    + "hdfs-tuned, with more reader and handler threads; s3a, on an object store on this disk; door, λFS by "
                    + "HDFS's own client at its cluster's hdfs door.")
    private List<String> with = new ArrayList<>();

    @Option(
            names = "--jars",
            paramLabel = "JAR,…",
            split = ",",
            description =
                    "Further jars that --fs needs, beside λFS's and Hadoop's; a folder may hold its core-site.xml.")
    private List<Path> jars = new ArrayList<>();

    /** Returns whether running file systems are to be measured; λFS's cluster then starts only if named. */
    public boolean namesFileSystems() {
        return !fileSystems.isEmpty();
    }

    /** Returns the settings of the λFS cluster to start, with the door that is to be measured. */
    public ObjectNode forCluster(ObjectNode keys) {
        return with.contains(Targets.DOOR) ? Targets.withDoor(keys) : keys;
    }

    /** @throws FsException {@link ErrorCode#INVALID_ARGUMENT} for an unknown peer */
    public void check() {
        Targets.checkPeers(with, Targets.PEERS);
        for (Path jar : jars) {
            if (!Files.isReadable(jar)) {
                throw FsException.invalidArgument("--jars: " + jar + " cannot be read");
            }
        }
        for (URI uri : fileSystems) {
            if (uri.getScheme() == null) {
                throw FsException.invalidArgument(
                        "--fs takes a URI like hdfs://host:8020 or file:///, not \"" + uri + "\"");
            }
        }
    }

    /**
     * Starts the chosen peers, which the bench ends.
     *
     * @param first the target of λFS's cluster, if that is measured
     */
    public List<Target> start(Bench bench, Optional<Target> first) throws InterruptedException {
        if (with.contains(Targets.DOOR) && first.isEmpty()) {
            throw FsException.invalidArgument("--with door measures λFS's cluster, which --fs leaves out: add --dir");
        }
        List<Target> targets = new ArrayList<>();
        boolean needsHdfs = with.stream().anyMatch(each -> !each.equals(Targets.S3A))
                || fileSystems.stream().anyMatch(uri -> Targets.HDFS.equals(uri.getScheme()));
        List<Path> hdfs = needsHdfs ? bench.hdfsJars() : null;
        for (URI uri : fileSystems) {
            targets.add(Targets.other(uri, Targets.HDFS.equals(uri.getScheme()) ? hdfs : null, jars));
        }
        for (String peer : with) {
            if (peer.equals(Targets.S3A)) {
                targets.add(Targets.s3a(bench.startS3(), bench.s3aJars()));
            } else if (hdfs != null && peer.equals(Targets.DOOR)) {
                targets.add(Targets.door(first.orElseThrow(), hdfs));
            } else if (hdfs != null) {
                targets.add(Targets.hdfs(peer, bench.startHdfs(hdfs, peer.equals(Targets.HDFS_TUNED)), hdfs));
            }
        }
        return targets;
    }
}
