package io.lambdafs.benchmarks.peers;

import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.model.disk.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The temporary systems of a bench and their folder, removed on close or, at the latest, when this process ends, by
 * Ctrl-C too. Used by one thread, except {@link #close}.
 */
public final class Bench implements AutoCloseable {
    private final Console console;
    private final Path folder;
    private final Deque<Runnable> ends = new ArrayDeque<>();

    public Bench(Console console) {
        this.console = console;
        try {
            folder = Files.createTempDirectory("lambdafs-micro-");
        } catch (IOException e) {
            throw CommandFailure.ofFile("cannot make a temporary directory", e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "end-bench-micro"));
    }

    /** Returns the folder for logs, also removed at the end. */
    public Path folder() {
        return folder;
    }

    /** Starts a λFS cluster. */
    public LocalCluster start(LocalCluster.StartOptions startOptions) {
        TemporaryCluster temporary = TemporaryCluster.start(startOptions, console);
        atEnd(temporary::close);
        return temporary.cluster();
    }

    public List<Path> hdfsJars() throws InterruptedException {
        console.progress("  finding HDFS");
        return PeerJars.find(Targets.HDFS, made("jars"));
    }

    public HdfsCluster startHdfs(List<Path> jars) throws InterruptedException {
        return startHdfs(jars, false);
    }

    HdfsCluster startHdfs(List<Path> jars, boolean tuned) throws InterruptedException {
        HdfsCluster cluster = HdfsCluster.in(made(tuned ? Targets.HDFS_TUNED : Targets.HDFS), jars, tuned);
        atEnd(cluster::close);
        cluster.start(console);
        return cluster;
    }

    /** Starts HDFS with a standby NameNode. */
    public HdfsPair startPair(List<Path> jars) throws InterruptedException {
        HdfsPair pair = new HdfsPair(made("hdfs-pair"), jars);
        atEnd(pair::close);
        pair.start(console);
        return pair;
    }

    /** Starts servers of IndexFS's design. */
    public IndexServers startIndexFs(int servers) throws InterruptedException {
        IndexServers started = new IndexServers(made(IndexServers.NAME));
        atEnd(started::close);
        started.start(servers, console);
        return started;
    }

    /** Starts an object store for S3A. */
    S3Store startS3() throws InterruptedException {
        return startS3("bench", "bench-password");
    }

    /** Starts an object store on loopback with the given credentials. */
    public S3Store startS3(String accessKey, String secretKey) throws InterruptedException {
        console.progress("  finding an object store");
        S3Store store = new S3Store(
                made(S3Store.NAME), PeerJars.find(S3Store.NAME, made("s3proxy-jars")), accessKey, secretKey);
        atEnd(store::close);
        store.start(console);
        return store;
    }

    List<Path> s3aJars() throws InterruptedException {
        console.progress("  finding S3A");
        return PeerJars.find(Targets.S3A, made("s3a-jars"));
    }

    private void atEnd(Runnable end) {
        synchronized (ends) {
            ends.push(end);
        }
    }

    private Path made(String name) {
        try {
            return Files.createDirectory(folder.resolve(name));
        } catch (IOException e) {
            throw CommandFailure.ofFile("cannot make a folder", e);
        }
    }

    /** Stops and removes everything. Idempotent; a second call waits for the first. */
    @Override
    public void close() {
        synchronized (ends) {
            while (!ends.isEmpty()) {
                ends.pop().run();
            }
            Folders.remove(folder, console::say);
        }
    }
}
