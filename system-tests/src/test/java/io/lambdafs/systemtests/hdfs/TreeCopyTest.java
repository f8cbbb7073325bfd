package io.lambdafs.systemtests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.door.hdfs.transfer.TreeCopy;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tree of HDFS that is copied into λFS and back. */
class TreeCopyTest {
    private static final org.apache.hadoop.fs.Path TREE = new org.apache.hadoop.fs.Path("/tree");
    private static final org.apache.hadoop.fs.Path BACK = new org.apache.hadoop.fs.Path("/back");

    @TempDir
    private Path folder;

    private DoorCluster cluster;
    private HdfsServers hdfs;
    private FileSystem ours;
    private FileSystem theirs;
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void start() throws Exception {
        cluster = DoorCluster.start(folder);
        hdfs = HdfsServers.start(Files.createDirectories(folder.resolve("hdfs")));
        Configuration own = new Configuration();
        own.set("lambdafs.dir", cluster.directory().toString());
        ours = as(() -> FileSystem.newInstance(URI.create("lambdafs:///"), own));
        theirs = as(() -> FileSystem.newInstance(hdfs.uri(), new Configuration()));
        Awaitility.await().until(() -> ((DistributedFileSystem) theirs).getDataNodeStats().length > 0);
        hdfs.beat();
    }

    private static FileSystem as(PrivilegedExceptionAction<FileSystem> opening) throws Exception {
        return User.ROOT.identity().doAs(opening);
    }

    @AfterEach
    void stop() throws IOException {
        ours.close();
        theirs.close();
        hdfs.close();
        cluster.close();
    }

    private static void write(FileSystem fs, String path, int size) throws IOException {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        try (FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path(path), true, 4_096, (short) 1, 1 << 20)) {
            out.write(content);
        }
    }

    /** Returns all that can be seen of a tree, by relative path. */
    private static Map<String, String> seen(FileSystem fs, org.apache.hadoop.fs.Path root) throws IOException {
        Map<String, String> all = new TreeMap<>();
        add(fs, fs.getFileStatus(root), "", all);
        return all;
    }

    private static void add(FileSystem fs, FileStatus at, String name, Map<String, String> all) throws IOException {
        StringBuilder text = new StringBuilder()
                .append(at.getPermission())
                .append(' ')
                .append(at.getOwner())
                .append(' ')
                .append(at.getGroup())
                .append(' ')
                .append(at.getModificationTime())
                .append(' ')
                .append(fs.getAclStatus(at.getPath()).getEntries());
        new TreeMap<>(fs.getXAttrs(at.getPath()))
                .forEach((key, value) -> text.append(key).append(new String(value, StandardCharsets.UTF_8)));
        if (at.isFile()) {
            try (InputStream in = fs.open(at.getPath())) {
                text.append(' ').append(java.util.Arrays.hashCode(in.readAllBytes()));
            }
        }
        all.put(name, text.toString());
        if (at.isDirectory()) {
            for (FileStatus child : fs.listStatus(at.getPath())) {
                add(fs, child, name + "/" + child.getPath().getName(), all);
            }
        }
    }

    private TreeCopy.Counts copy(FileSystem from, FileSystem to, org.apache.hadoop.fs.Path target) throws Exception {
        return new TreeCopy(from, to, true, new TreeCopy.Report() {
                    @Override
                    public void failed(org.apache.hadoop.fs.Path path, Exception why) {
                        failures.add(path + ": " + why);
                    }

                    @Override
                    public void progress(TreeCopy.Counts counts) {}
                })
                .copy(TREE, target, 4);
    }

    @Test
    void shouldCopyATreeOfHdfsWithItsAttributesAndBack() throws Exception {
        for (int size : new int[] {0, 1, 70_000, (3 << 20) + 5}) {
            write(theirs, "/tree/a/" + size, size);
            write(theirs, "/tree/b b/é/" + size, size);
        }
        theirs.mkdirs(new org.apache.hadoop.fs.Path("/tree/empty"));
        org.apache.hadoop.fs.Path special = new org.apache.hadoop.fs.Path("/tree/a/70000");
        theirs.setOwner(special, "somebody", "somegroup");
        theirs.setXAttr(special, "user.key", new byte[] {'v'});
        theirs.modifyAclEntries(special, AclEntry.parseAclSpec("user:other:rw-", true));
        theirs.setPermission(new org.apache.hadoop.fs.Path("/tree/a"), new FsPermission((short) 01750));
        theirs.setTimes(new org.apache.hadoop.fs.Path("/tree/a"), 1_000_000, -1);
        theirs.setTimes(special, 2_000_000, 3_000_000);

        TreeCopy.Counts in = copy(theirs, ours, TREE);

        assertThat(failures).isEmpty();
        assertThat(in.copied()).isEqualTo(8);
        assertThat(seen(ours, TREE)).isEqualTo(seen(theirs, TREE));
        assertThat(copy(ours, theirs, BACK).failed()).isZero();
        assertThat(seen(theirs, BACK)).isEqualTo(seen(theirs, TREE));
    }

    /** The rest of the tree is copied, and the copy does not count as whole. */
    @Test
    void shouldCountADirectoryThatMayNotBeListedAsFailed() throws Exception {
        write(theirs, "/tree/a/file", 1);
        write(theirs, "/tree/closed/file", 1);
        write(theirs, "/tree/z/file", 1);
        theirs.setPermission(new org.apache.hadoop.fs.Path("/tree/closed"), new FsPermission((short) 0700));
        try (FileSystem somebody = User.U1.open(hdfs.uri(), new Configuration())) {
            TreeCopy.Counts in = copy(somebody, ours, TREE);

            assertThat(in.failed()).isEqualTo(1);
            assertThat(in.copied()).isEqualTo(2);
        }
        assertThat(failures).singleElement().asString().contains("/tree/closed");
    }

    @Test
    void shouldGoOnWhereACopyWasEnded() throws Exception {
        for (int size = 1; size <= 5; size++) {
            write(theirs, "/tree/" + size, size);
        }
        copy(theirs, ours, TREE);
        // As a copy leaves a file whose contents are there, and that it has not come to the end of.
        write(ours, "/tree/1", 1);
        ours.delete(new org.apache.hadoop.fs.Path("/tree/2"), false);

        TreeCopy.Counts again = copy(theirs, ours, TREE);

        assertThat(again.copied()).isEqualTo(2);
        assertThat(again.same()).isEqualTo(3);
        assertThat(seen(ours, TREE)).isEqualTo(seen(theirs, TREE));
    }
}
