package io.lambdafs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a closed file system while another of the same user continues. */
class ClosingTest {
    private static final Path DIRECTORY = new Path("/d");
    private static final Path FILE = new Path("/d/f");

    @TempDir
    private java.nio.file.Path directory;

    private TestService service;
    private FileSystem closed;
    private FileSystem other;

    @BeforeEach
    void open() throws IOException {
        service = new TestService(directory);
        Configuration conf = new Configuration(false);
        conf.set("lambdafs.dir", directory.toString());
        conf.set("lambdafs.user", "alice");
        conf.set("lambdafs.groups", "staff");
        closed = FileSystem.newInstance(URI.create("lambdafs:///"), conf);
        other = FileSystem.newInstance(URI.create("lambdafs:///"), conf);
        try (FSDataOutputStream out = closed.create(FILE)) {
            out.writeUTF("content");
        }
    }

    @AfterEach
    void close() throws IOException {
        other.close();
        service.close();
    }

    private static void assertClosed(Map<String, ThrowingCallable> calls) {
        calls.forEach((name, call) -> assertThatThrownBy(call)
                .as(name)
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("Filesystem closed"));
    }

    @Test
    @SuppressWarnings("deprecation") // The newer rename is protected in FileSystem.
    void shouldRefuseEveryCall() throws IOException {
        LambdaFileSystem fs = (LambdaFileSystem) closed;
        FileStatus status = fs.getFileStatus(FILE);
        RemoteIterator<FileStatus> listing = fs.listStatusIterator(DIRECTORY);
        RemoteIterator<LocatedFileStatus> files = fs.listFiles(DIRECTORY, true);
        PathHandle handle = fs.getPathHandle(status);
        List<AclEntry> acl = AclEntry.parseAclSpec("user:bob:r--", true);
        FsPermission permission = new FsPermission((short) 0700);
        fs.close();
        fs.close();

        Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
        calls.put("getFileStatus", () -> fs.getFileStatus(FILE));
        calls.put("exists", () -> fs.exists(FILE));
        calls.put("listStatus", () -> fs.listStatus(DIRECTORY));
        calls.put("listStatusIterator", () -> fs.listStatusIterator(DIRECTORY));
        calls.put("a listing begun", listing::hasNext);
        calls.put("open", () -> fs.open(FILE));
        calls.put("create", () -> fs.create(FILE));
        calls.put(
                "createNonRecursive",
                () -> fs.createNonRecursive(
                        FILE, permission, EnumSet.of(CreateFlag.CREATE), 1, (short) 1, 1 << 20, null));
        calls.put("append", () -> fs.append(FILE));
        calls.put("truncate", () -> fs.truncate(FILE, 1));
        calls.put("concat", () -> fs.concat(FILE, new Path[0]));
        calls.put("mkdirs", () -> fs.mkdirs(DIRECTORY));
        calls.put("rename", () -> fs.rename(FILE, DIRECTORY));
        calls.put("rename with options", () -> fs.rename(FILE, DIRECTORY, Options.Rename.NONE));
        calls.put("delete", () -> fs.delete(FILE, true));
        calls.put("delete of the root", () -> fs.delete(new Path("/"), true));
        calls.put("setPermission", () -> fs.setPermission(FILE, permission));
        calls.put("setOwner", () -> fs.setOwner(FILE, "a", "b"));
        calls.put("setTimes", () -> fs.setTimes(FILE, 1, 1));
        calls.put("setReplication", () -> fs.setReplication(FILE, (short) 1));
        calls.put("access", () -> fs.access(FILE, FsAction.READ));
        calls.put("getContentSummary", () -> fs.getContentSummary(DIRECTORY));
        calls.put("getFileBlockLocations", () -> fs.getFileBlockLocations(status, 0, 1));
        calls.put("getServerDefaults", () -> fs.getServerDefaults(FILE));
        calls.put("getStatus", fs::getStatus);
        calls.put("msync", fs::msync);
        calls.put("listFiles", () -> fs.listFiles(DIRECTORY, true));
        calls.put("files of a tree begun", files::hasNext);
        calls.put("listLocatedStatus", () -> fs.listLocatedStatus(DIRECTORY));
        calls.put("globStatus", () -> fs.globStatus(new Path("/d/*")));
        calls.put("getFileLinkStatus", () -> fs.getFileLinkStatus(FILE));
        calls.put("resolvePath", () -> fs.resolvePath(FILE));
        calls.put("open of a handle", () -> fs.open(handle));
        calls.put("createFile", () -> fs.createFile(FILE).build());
        calls.put("appendFile", () -> fs.appendFile(FILE).build());
        calls.put("createBulkDelete", () -> fs.createBulkDelete(DIRECTORY));
        calls.put("createMultipartUploader", () -> fs.createMultipartUploader(DIRECTORY));
        calls.put("getFileChecksum", () -> fs.getFileChecksum(FILE));
        calls.put("getFileChecksum of a part", () -> fs.getFileChecksum(FILE, 3));
        calls.put("recoverLease", () -> fs.recoverLease(FILE));
        calls.put("isFileClosed", () -> fs.isFileClosed(FILE));
        calls.put("setSafeMode", () -> fs.setSafeMode(SafeModeAction.GET, false));
        calls.put("setXAttr", () -> fs.setXAttr(FILE, "user.a", new byte[1]));
        calls.put("removeXAttr", () -> fs.removeXAttr(FILE, "user.a"));
        calls.put("getXAttr", () -> fs.getXAttr(FILE, "user.a"));
        calls.put("getXAttrs", () -> fs.getXAttrs(FILE));
        calls.put("getXAttrs of names", () -> fs.getXAttrs(FILE, List.of("user.a")));
        calls.put("listXAttrs", () -> fs.listXAttrs(FILE));
        calls.put("modifyAclEntries", () -> fs.modifyAclEntries(FILE, acl));
        calls.put("removeAclEntries", () -> fs.removeAclEntries(FILE, AclEntry.parseAclSpec("user:bob", false)));
        calls.put("removeDefaultAcl", () -> fs.removeDefaultAcl(DIRECTORY));
        calls.put("removeAcl", () -> fs.removeAcl(FILE));
        calls.put("setAcl", () -> fs.setAcl(FILE, acl));
        calls.put("getAclStatus", () -> fs.getAclStatus(FILE));
        calls.put("setStoragePolicy", () -> fs.setStoragePolicy(FILE, "COLD"));
        calls.put("unsetStoragePolicy", () -> fs.unsetStoragePolicy(FILE));
        calls.put("getStoragePolicy", () -> fs.getStoragePolicy(FILE));
        calls.put("getAllStoragePolicies", fs::getAllStoragePolicies);
        calls.put("satisfyStoragePolicy", () -> fs.satisfyStoragePolicy(FILE));
        calls.put("listCorruptFileBlocks", () -> fs.listCorruptFileBlocks(DIRECTORY));
        calls.put("createSnapshot", () -> fs.createSnapshot(DIRECTORY, "s"));
        calls.put("renameSnapshot", () -> fs.renameSnapshot(DIRECTORY, "s", "t"));
        calls.put("deleteSnapshot", () -> fs.deleteSnapshot(DIRECTORY, "s"));
        calls.put("setQuota", () -> fs.setQuota(DIRECTORY, 5, 5));
        calls.put("getQuotaUsage", () -> fs.getQuotaUsage(DIRECTORY));
        calls.put("copyFromLocalFile", () -> fs.copyFromLocalFile(new Path(directory.toUri()), DIRECTORY));
        assertClosed(calls);
        assertThatThrownBy(() -> fs.getPathHandle(status))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("Filesystem closed");

        assertThat(other.exists(FILE)).isTrue();
    }

    @Test
    void shouldRefuseEveryUseOfItsStreams() throws IOException {
        FSDataInputStream in = closed.open(FILE);
        FSDataOutputStream out = closed.create(new Path("/d/g"));
        FSDataInputStream goesOn = other.open(FILE);
        closed.close();

        Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
        calls.put("read", in::read);
        calls.put("read of many", () -> in.read(new byte[3]));
        calls.put("read into a buffer", () -> in.read(ByteBuffer.allocate(3)));
        calls.put("positioned read", () -> in.read(0, new byte[3], 0, 3));
        calls.put("seek", () -> in.seek(1));
        calls.put("skip", () -> in.skip(1));
        calls.put("available", in::available);
        calls.put("write", () -> out.write(1));
        calls.put("write of many", () -> out.write(new byte[3]));
        assertClosed(calls);

        in.close();
        out.close();
        assertThat(goesOn.readUTF()).isEqualTo("content");
        goesOn.close();
    }

    @Test
    void shouldKeepWhatWasWrittenToStreamsThatItCloses() throws IOException {
        FSDataOutputStream out = closed.create(new Path("/d/g"));
        out.writeUTF("kept");

        closed.close();

        try (FSDataInputStream in = other.open(new Path("/d/g"))) {
            assertThat(in.readUTF()).isEqualTo("kept");
        }
    }
}
