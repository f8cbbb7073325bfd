package io.lambdafs.benchmarks.micro;

import io.lambdafs.benchmarks.micro.driver.CephFileSystem;
import io.lambdafs.cluster.terminal.Console;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A CephFS cluster from this machine's packages: one monitor, one manager, one OSD in memory and one metadata server,
 * on loopback, as root. Its data are in RAM only: nothing is forced to disk. Used by one thread, except {@link #close}.
 */
final class CephCluster implements AutoCloseable {
    /** The jar that the packages install along with its library. */
    static final Path JAR = Path.of("/usr/share/java/libcephfs.jar");

    private static final String LIBRARIES = "/usr/lib/jni";
    private static final String LOOPBACK = "127.0.0.1";

    private final Path folder;
    private final Path conf;
    private final Children children;

    /** @param folder an empty folder for its data and logs */
    CephCluster(Path folder) {
        this.folder = folder;
        // Ceph's own logs have the other suffix.
        this.children = new Children(folder, ".out", Duration.ZERO);
        this.conf = folder.resolve("ceph.conf");
    }

    void start(Console console) throws InterruptedException {
        if (!Files.exists(JAR)) {
            throw Children.failed(
                    "CephFS is not installed: apt-get install --no-install-recommends ceph-mon ceph-mgr ceph-osd ceph-mds"
                            + " ceph-common libcephfs-java libcephfs-jni");
        }
        console.progress("  starting CephFS");
        String id = UUID.randomUUID().toString();
        String disk = UUID.randomUUID().toString();
        try {
            String monitor = "[v2:" + LOOPBACK + ":" + Children.freePort("CephFS") + "]";
            for (String each : List.of("run", "mon", "mgr", "osd", "mds")) {
                Files.createDirectories(folder.resolve(each));
            }
            Files.writeString(conf, settings(id, monitor));
            ran("monmaptool", "--create", "--addv", "a", monitor, "--fsid", id, path("monmap"));
            ran("ceph-mon", "--mkfs", "-i", "a", "--monmap", path("monmap"), "-c", conf.toString());
            serve("ceph-mon", "a");
            ran("ceph", "-c", conf.toString(), "osd", "new", disk);
            serve("ceph-mgr", "x");
            ran("ceph-osd", "-i", "0", "--mkfs", "--osd-uuid", disk, "-c", conf.toString());
            serve("ceph-osd", "0");
            ran("ceph", "-c", conf.toString(), "osd", "crush", "add", "osd.0", "1.0", "root=default", "host=localhost");
            serve("ceph-mds", "a");
            ran("ceph", "-c", conf.toString(), "osd", "pool", "create", "names", "4");
            ran("ceph", "-c", conf.toString(), "osd", "pool", "create", "content", "4");
            ran("ceph", "-c", conf.toString(), "fs", "new", "bench", "names", "content");
            children.await("ceph-mds", "CephFS", this::isActive);
        } catch (IOException e) {
            throw Children.failed("cannot start CephFS: " + e);
        }
        console.say("  cephfs    ready (in memory: nothing is forced to a disk)");
    }

    private String settings(String id, String monitor) {
        return String.join(
                "\n",
                "[global]",
                "fsid = " + id,
                "mon initial members = a",
                "mon host = " + monitor,
                "public addr = " + LOOPBACK,
                "auth cluster required = none",
                "auth service required = none",
                "auth client required = none",
                "osd pool default size = 1",
                "osd pool default min size = 1",
                "mon allow pool size one = true",
                "mon allow pool delete = true",
                "osd crush chooseleaf type = 0",
                "osd objectstore = memstore",
                "memstore device bytes = 4294967296",
                "keyring = " + path("keyring"),
                "run dir = " + path("run"),
                "admin socket = " + path("run") + "/$name.$pid.asok",
                "pid file = " + path("run") + "/$name.pid",
                "log file = " + folder + "/$name.log",
                "mon cluster log file = " + folder + "/cluster.log",
                "mon data = " + path("mon"),
                "mgr data = " + path("mgr"),
                "osd data = " + path("osd"),
                "mds data = " + path("mds"),
                "");
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private void serve(String program, String name) throws IOException {
        children.start(program, List.of(program, "-f", "-i", name, "-c", conf.toString()));
    }

    private void ran(String program, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(words));
        children.run("step", String.join(" ", command), command);
    }

    private boolean isActive() throws IOException {
        Process asked = new ProcessBuilder("ceph", "-c", conf.toString(), "mds", "stat").start();
        return new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8).contains("up:active");
    }

    static URI uri() {
        return URI.create("ceph:///");
    }

    /** Returns the configuration of the measuring process. */
    Map<String, String> configuration() {
        return Map.of("fs.ceph.impl", CephFileSystem.class.getName(), CephFileSystem.CONF, conf.toString());
    }

    /** Returns JVM options for the measuring process. */
    static List<String> options() {
        return List.of("-Djava.library.path=" + LIBRARIES);
    }

    Servers servers() {
        return () -> children.servers().stream()
                .filter(each -> each.name().startsWith("ceph-"))
                .toList();
    }

    /** Ends all started processes. */
    @Override
    public void close() {
        children.close();
    }
}
