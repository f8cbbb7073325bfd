package io.lambdafs.systemtests.hdfs;

import static io.lambdafs.systemtests.hdfs.StockHdfsProgram.check;
import static io.lambdafs.systemtests.hdfs.StockHdfsProgram.fails;
import static io.lambdafs.systemtests.hdfs.StockHdfsProgram.same;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;

/** Steps with names, attributes, rights and the shell. */
final class StockHdfsNames {
    /** More than a page of a listing. */
    private static final int MANY = 1_100;

    private final StockHdfsProgram program;
    private final Configuration configuration;
    private final java.nio.file.Path local;
    private final DistributedFileSystem fs;

    StockHdfsNames(StockHdfsProgram program, Configuration configuration, java.nio.file.Path local) {
        this.program = program;
        this.configuration = configuration;
        this.local = local;
        this.fs = program.fs;
    }

    void names() throws IOException {
        check(fs.mkdirs(new Path("/names/a/b")), "mkdirs");
        program.write(new Path("/names/a/file"), 3);
        check(fs.rename(new Path("/names/a"), new Path("/names/c")), "rename");
        check(!fs.rename(new Path("/names/none"), new Path("/names/d")), "rename of nothing");
        check(!fs.exists(new Path("/names/a")), "the old name");
        program.compare(new Path("/names/c/file"), 3);
        program.write(new Path("/names/other"), 4);
        fs.rename(new Path("/names/other"), new Path("/names/c/file"), org.apache.hadoop.fs.Options.Rename.OVERWRITE);
        program.compare(new Path("/names/c/file"), 4);
        fails(IOException.class, "", () -> fs.delete(new Path("/names"), false));
        check(fs.delete(new Path("/names"), true), "delete");
        check(!fs.delete(new Path("/names"), true), "delete of nothing");
        fails(FileNotFoundException.class, "", () -> fs.getFileStatus(new Path("/names")));
        fails(FileNotFoundException.class, "", () -> fs.listStatus(new Path("/names")));
        fails(FileNotFoundException.class, "", () -> fs.open(new Path("/names")).close());
    }

    void attributes() throws IOException {
        Path path = new Path("/attributes/file");
        program.write(path, 10);
        fs.setPermission(path, new FsPermission((short) 0640));
        fs.setOwner(path, "someone", "some");
        fs.setTimes(path, 1_000, 2_000);
        fs.setReplication(path, (short) 2);
        FileStatus found = fs.getFileStatus(path);
        same(found.getPermission(), new FsPermission((short) 0640));
        same(found.getOwner() + ":" + found.getGroup(), "someone:some");
        same(found.getModificationTime() + " " + found.getAccessTime(), "1000 2000");
        same(found.getReplication(), (short) 2);
        same(found.getPath().toUri().getPath(), "/attributes/file");
        fs.modifyAclEntries(path, AclEntry.parseAclSpec("user:alice:r--", true));
        same(fs.getAclStatus(path).getEntries().toString(), "[user:alice:r--, group::r--]");
        check(fs.getFileStatus(path).hasAcl(), "it has an ACL");
        fs.removeAcl(path);
        fs.setXAttr(path, "user.one", "1".getBytes(StandardCharsets.UTF_8));
        fs.setXAttr(path, "user.two", new byte[0]);
        same(fs.listXAttrs(path).stream().sorted().toList(), List.of("user.one", "user.two"));
        same(new String(fs.getXAttr(path, "user.one"), StandardCharsets.UTF_8), "1");
        fs.removeXAttr(path, "user.one");
        same(fs.getXAttrs(path).keySet().toString(), "[user.two]");
        ContentSummary summary = fs.getContentSummary(new Path("/attributes"));
        same(summary.getFileCount() + " " + summary.getDirectoryCount() + " " + summary.getLength(), "1 1 10");
        same(fs.getServerDefaults(path).getBytesPerChecksum(), 512);
    }

    void listings() throws IOException {
        Path many = new Path("/many");
        for (int i = 0; i < MANY; i++) {
            fs.create(new Path(many, "f" + i)).close();
        }
        same(fs.listStatus(many).length, MANY);
        same(fs.listStatus(new Path(many, "f7"))[0].getPath().toUri().getPath(), "/many/f7");
        int located = 0;
        for (var all = fs.listFiles(many, true); all.hasNext(); all.next()) {
            located++;
        }
        same(located, MANY);
        fs.mkdirs(new Path("/few/one"));
        int batched = 0;
        boolean failed = false;
        for (var all = fs.batchedListStatusIterator(List.of(many, new Path("/none"), new Path("/few")));
                all.hasNext(); ) {
            var page = all.next();
            try {
                batched += page.get().size();
            } catch (FileNotFoundException none) {
                same(page.getListedPath().toUri().getPath(), "/none");
                failed = true;
            }
        }
        same(batched, MANY + 1);
        check(failed, "a directory that is not there is told with the others");
    }

    private FileSystem of(String user) throws Exception {
        return UserGroupInformation.createRemoteUser(user)
                .doAs((PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(fs.getUri(), configuration));
    }

    void rights() throws Exception {
        fs.mkdirs(new Path("/shared"));
        fs.setPermission(new Path("/shared"), new FsPermission((short) 01777));
        try (FileSystem alice = of("alice");
                FileSystem bob = of("bob")) {
            Path path = new Path("/shared/alice");
            try (FSDataOutputStream out = alice.create(path)) {
                out.writeBytes("mine");
            }
            same(alice.getFileStatus(path).getOwner(), "alice");
            bob.open(path).close();
            alice.setPermission(path, new FsPermission((short) 0600));
            fails(AccessControlException.class, "", () -> bob.open(path).close());
            fails(AccessControlException.class, "", () -> bob.setPermission(path, new FsPermission((short) 0666)));
            fails(AccessControlException.class, "", () -> bob.delete(path, false));
            fails(AccessControlException.class, "", () -> bob.mkdirs(new Path("/attributes/of-bob")));
            Path open = new Path("/shared/open");
            try (FSDataOutputStream out = alice.create(open)) {
                out.writeBytes("mine");
                out.hflush();
                fails(AccessControlException.class, "", () -> ((DistributedFileSystem) bob).recoverLease(open));
                out.writeBytes(" still");
            }
            same(program.text(open), "mine still");
            alice.open(path).close();
        }
    }

    void absent() {
        fails(IOException.class, "UnsupportedOperationException", fs::getSnapshottableDirListing);
        fails(
                IOException.class,
                "UnsupportedOperationException",
                () -> fs.setQuotaByStorageType(new Path("/"), StorageType.SSD, 1));
    }

    void quotas() throws IOException {
        Path limited = new Path("/limited");
        check(fs.mkdirs(limited), "mkdirs");
        fs.setQuota(limited, 2, 1_000_000);
        check(fs.mkdirs(new Path(limited, "a")), "mkdirs within the quota");
        fails(
                NSQuotaExceededException.class,
                "The NameSpace quota (directories and files) of directory /limited is exceeded: quota=2 file count=3",
                () -> fs.mkdirs(new Path(limited, "b")));
        fails(
                NSQuotaExceededException.class,
                "",
                () -> fs.create(new Path(limited, "f")).close());
        QuotaUsage usage = fs.getQuotaUsage(limited);
        same(usage.getFileAndDirectoryCount() + " of " + usage.getQuota(), "2 of 2");
        same(usage.getSpaceConsumed() + " of " + usage.getSpaceQuota(), "0 of 1000000");
        fs.setQuota(limited, HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_DONT_SET);
        check(fs.mkdirs(new Path(limited, "b")), "mkdirs without the quota");
        ContentSummary summary = fs.getContentSummary(limited);
        same(summary.getQuota() + " and " + summary.getSpaceQuota(), "-1 and 1000000");
        fails(FileNotFoundException.class, "", () -> fs.setQuota(new Path(limited, "none"), 1, 1));
    }

    void snapshots() throws Exception {
        Path seen = new Path("/seen");
        program.write(new Path(seen, "file"), 3);
        check(fs.mkdirs(new Path(seen, "a")), "mkdirs");
        fails(IOException.class, "not a snapshottable directory: /seen", () -> fs.createSnapshot(seen, "s"));
        fs.allowSnapshot(seen);
        same(sh("-createSnapshot", "/seen", "s"), 0);
        check(fs.delete(new Path(seen, "file"), false), "delete");
        program.compare(new Path(seen, ".snapshot/s/file"), 3);
        fails(AccessControlException.class, "", () -> fs.delete(new Path(seen, ".snapshot/s/file"), false));
        check(fs.rename(new Path(seen, "a"), new Path(seen, "b")), "rename");
        same(
                fs.getSnapshotDiffReport(seen, "s", "").getDiffList().stream()
                        .map(Object::toString)
                        .collect(Collectors.joining("; ")),
                "M\t.; R\t./a -> ./b; -\t./file");
        fs.createSnapshot(seen, "u");
        same(fs.getSnapshotDiffReport(seen, "s", "u").getDiffList().size(), 3);
        fs.deleteSnapshot(seen, "u");
        same(sh("-renameSnapshot", "/seen", "s", "t"), 0);
        same(fs.listStatus(new Path(seen, ".snapshot")).length, 1);
        fails(IOException.class, "cannot be deleted", () -> fs.delete(seen, true));
        same(sh("-deleteSnapshot", "/seen", "t"), 0);
        fs.disallowSnapshot(seen);
        check(fs.delete(seen, true), "delete");
    }

    private int sh(String... arguments) throws Exception {
        return ToolRunner.run(configuration, new FsShell(), arguments);
    }

    void shell() throws Exception {
        java.nio.file.Path file = local.resolve("file");
        Files.writeString(file, "from the shell\n");
        String named = file.toUri().toString();
        same(sh("-mkdir", "-p", "/shell/dir"), 0);
        same(sh("-put", named, "/shell/dir/put"), 0);
        same(sh("-appendToFile", named, "/shell/dir/put"), 0);
        same(sh("-get", "/shell/dir/put", local.resolve("got").toString()), 0);
        same(Files.readString(local.resolve("got")), "from the shell\nfrom the shell\n");
        same(sh("-cp", "/shell/dir/put", "/shell/dir/copy"), 0);
        same(sh("-mv", "/shell/dir/put", "/shell/dir/moved"), 0);
        for (String[] each : new String[][] {
            {"-ls", "-R", "/shell"},
            {"-cat", "/shell/dir/moved"},
            {"-stat", "%n %b %u", "/shell/dir/moved"},
            {"-chmod", "600", "/shell/dir/moved"},
            {"-chown", "me:us", "/shell/dir/moved"},
            {"-setfacl", "-m", "user:you:r--", "/shell/dir/moved"},
            {"-getfacl", "/shell/dir/moved"},
            {"-setfattr", "-n", "user.x", "-v", "y", "/shell/dir/moved"},
            {"-getfattr", "-d", "/shell/dir/moved"},
            {"-checksum", "/shell/dir/copy"},
            {"-count", "/shell"},
            {"-du", "-s", "/shell"},
            {"-df", "/"},
            {"-tail", "/shell/dir/copy"},
            {"-test", "-f", "/shell/dir/copy"},
            {"-touchz", "/shell/dir/empty"},
            {"-rm", "-r", "-skipTrash", "/shell"},
        }) {
            check(sh(each) == 0, String.join(" ", each));
        }
        same(sh("-ls", "/shell"), 1);
    }
}
