package io.lambdafs.systemtests.hdfs;

import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.store.MetadataStore;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/** Something that is asked: a file system of each user, and the servers behind them. Used by one thread. */
final class Target implements Closeable {
    private static final Path ROOT = new Path("/");
    /** After which HDFS's client asks again whether its last block has arrived. */
    private static final int SOON_MILLIS = 5;

    private final String name;
    private final Runnable beforeEach;
    private final Closeable servers;
    private final Map<User, FileSystem> fileSystems = new EnumMap<>(User.class);

    private final Map<User, OpenFile> open = new EnumMap<>(User.class);

    private Target(String name, Runnable beforeEach, OpenFile.Progress progress, Closeable servers) {
        this.name = name;
        this.beforeEach = beforeEach;
        this.servers = servers;
        for (User user : User.values()) {
            open.put(user, new OpenFile(progress));
        }
    }

    static Target hdfs(java.nio.file.Path folder) throws IOException, InterruptedException {
        HdfsServers servers = HdfsServers.start(folder);
        Target target = new Target("HDFS", () -> {}, servers::beat, servers);
        for (User user : User.values()) {
            Configuration conf = new Configuration();
            chooseChecksums(user, conf);
            conf.setInt(HdfsClientConfigKeys.BlockWrite.LOCATEFOLLOWINGBLOCK_INITIAL_DELAY_MS_KEY, SOON_MILLIS);
            target.fileSystems.put(user, user.open(servers.uri(), conf));
        }
        return target;
    }

    static Target lambda(LambdaServers.Caching caching, java.nio.file.Path folder)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        LambdaServers servers = new LambdaServers(caching, folder);
        return lambda(caching, folder, servers, servers.store(), () -> {});
    }

    /** With the metadata in a store of an engine, which is started for it. */
    static Target lambda(LambdaServers.Caching caching, java.nio.file.Path folder, String engine)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        EngineStore engineStore = EngineStore.start(engine, folder.resolve("store"));
        LambdaServers servers = new LambdaServers(caching, folder, engineStore.store());
        return lambda(caching, folder, servers, engineStore.store(), engineStore);
    }

    private static Target lambda(
            LambdaServers.Caching caching,
            java.nio.file.Path folder,
            LambdaServers servers,
            MetadataStore store,
            Closeable besides)
            throws IOException, InterruptedException {
        BlockServer datanode = new BlockServer("d1", new MemoryBlockStore(), store);
        String name = "λFS, " + caching.name().toLowerCase(Locale.ROOT) + " cache";
        Target target = new Target(name, servers::prepare, () -> {}, () -> {
            datanode.close();
            servers.close();
            besides.close();
        });
        for (User user : User.values()) {
            Configuration conf = new Configuration();
            conf.set("lambdafs.dir", folder.toString());
            conf.set("lambdafs.tcp.enabled", "false");
            conf.set("lambdafs.groups", user.groups());
            chooseChecksums(user, conf);
            target.fileSystems.put(user, user.open(URI.create("lambdafs://local/"), conf));
        }
        return target;
    }

    /** Both kinds are asked for, by different users. */
    private static void chooseChecksums(User user, Configuration conf) {
        conf.set("dfs.checksum.combine.mode", user == User.ROOT ? "MD5MD5CRC" : "COMPOSITE_CRC");
    }

    String name() {
        return name;
    }

    private FileSystem of(User user) {
        return fileSystems.get(user);
    }

    String answer(Step step) {
        beforeEach.run();
        return step.answer(of(step.user()), open.get(step.user()));
    }

    /** Makes the tree that every round begins with. */
    void reset() throws IOException {
        open.values().forEach(OpenFile::forget);
        FileSystem fs = of(User.ROOT);
        for (FileStatus each : fs.listStatus(ROOT)) {
            fs.delete(each.getPath(), true);
        }
        setUp(fs, "/", "root", "supergroup", 0755);
        setUp(fs, "/tmp", "root", "supergroup", 01777);
        setUp(fs, "/u1", "u1", "users", 0755);
        setUp(fs, "/u2", "u2", "g2", 0750);
        for (FileStatus each : fs.listStatus(ROOT)) {
            fs.setTimes(each.getPath(), 0, 0);
        }
        fs.setTimes(ROOT, 0, 0);
    }

    private static void setUp(FileSystem fs, String path, String owner, String group, int mode) throws IOException {
        Path directory = new Path(path);
        fs.mkdirs(directory);
        fs.setOwner(directory, owner, group);
        fs.setPermission(directory, new FsPermission((short) mode));
    }

    /** Everything that is there: paths, and what is said of each. */
    SortedMap<String, String> tree() throws IOException {
        SortedMap<String, String> tree = new TreeMap<>();
        FileSystem fs = of(User.ROOT);
        add(fs, fs.getFileStatus(ROOT), tree);
        return tree;
    }

    private static void add(FileSystem fs, FileStatus status, Map<String, String> tree) throws IOException {
        Path path = status.getPath();
        String text = Answers.of(status) + " " + Answers.of(fs.getXAttrs(path));
        tree.put(path.toUri().getPath(), status.isFile() ? text + " " + Answers.content(fs, path) : text);
        if (status.isDirectory()) {
            for (FileStatus each : fs.listStatus(path)) {
                add(fs, each, tree);
            }
        }
    }

    @Override
    public void close() throws IOException {
        open.values().forEach(OpenFile::forget);
        for (FileSystem each : fileSystems.values()) {
            each.close();
        }
        servers.close();
    }
}
