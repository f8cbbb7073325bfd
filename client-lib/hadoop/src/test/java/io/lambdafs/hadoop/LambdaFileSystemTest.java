package io.lambdafs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.client.CreateOptions;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.rpc.auth.Secret;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.DataChecksum;
import org.apache.hadoop.util.ToolRunner;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LambdaFileSystemTest {
    private static final byte[] CONTENT = "0123456789".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private java.nio.file.Path directory;

    private TestService service;
    private Configuration conf;
    private FileSystem fs;

    @BeforeEach
    void open() throws IOException {
        service = new TestService(directory);
        conf = new Configuration(false);
        conf.set("lambdafs.dir", directory.toString());
        conf.set("lambdafs.user", "alice");
        conf.set("lambdafs.groups", "staff,dev");
        conf.set("lambdafs.deadline.ms", "8000");
        conf.set("fs.permissions.umask-mode", "022");
        fs = FileSystem.newInstance(URI.create("lambdafs:///"), conf);
    }

    @AfterEach
    void close() throws IOException {
        fs.close();
        service.close();
    }

    private void write(String path, byte[] content) throws IOException {
        try (FSDataOutputStream out = fs.create(new Path(path))) {
            out.write(content);
        }
    }

    @Test
    void shouldBeFoundByServiceLoader() {
        assertThat(fs).isInstanceOf(LambdaFileSystem.class);
        assertThat(fs.getScheme()).isEqualTo("lambdafs");
        assertThat(fs.getUri()).hasToString("lambdafs:///");
        assertThat(fs.getCanonicalServiceName()).isNull();
    }

    @Test
    void shouldWriteAndReadBack() throws IOException {
        write("/d/f", CONTENT);

        try (FSDataInputStream in = fs.open(new Path("/d/f"))) {
            assertThat(in.readAllBytes()).isEqualTo(CONTENT);
            in.seek(3);
            assertThat(in.read()).isEqualTo('3');
            assertThat(in.getPos()).isEqualTo(4);
            byte[] two = new byte[2];
            in.readFully(8, two);
            assertThat(two).containsExactly('8', '9');
            assertThat(in.getPos()).isEqualTo(4);
            assertThat(in.read(10, two, 0, 2)).isEqualTo(-1);
            assertThatThrownBy(() -> in.seek(11)).isInstanceOf(EOFException.class);
            assertThatThrownBy(() -> in.seek(-1)).isInstanceOf(EOFException.class);
            in.seek(10);
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @Test
    void shouldShowFileFromCreateOnAndCompleteItOnClose() throws IOException {
        FSDataOutputStream out = fs.create(new Path("/f"));
        assertThat(fs.getFileStatus(new Path("/f")).getLen()).isZero();
        assertThatThrownBy(() -> fs.create(new Path("/f"), false)).isInstanceOf(FileAlreadyExistsException.class);

        out.write(CONTENT);
        out.close();
        out.close();

        assertThat(fs.getFileStatus(new Path("/f")).getLen()).isEqualTo(10);
        assertThatThrownBy(() -> out.write(1)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldWriteToAFileThatIsMovedWhileItIsOpen() throws IOException {
        FSDataOutputStream out = fs.create(new Path("/d/f"));
        out.writeUTF("kept");
        assertThat(fs.rename(new Path("/d/f"), new Path("/d/g"))).isTrue();
        fs.create(new Path("/d/f")).close();
        out.close();

        assertThat(fs.getFileStatus(new Path("/d/f")).getLen()).isZero();
        try (FSDataInputStream in = fs.open(new Path("/d/g"))) {
            assertThat(in.readUTF()).isEqualTo("kept");
        }
    }

    @Test
    void shouldShowStatusAsHdfsDoes() throws IOException {
        write("/d/f", CONTENT);

        FileStatus file = fs.getFileStatus(new Path("/d/f"));
        FileStatus parent = fs.getFileStatus(new Path("/d"));

        assertThat(file.getPath()).hasToString("lambdafs:/d/f");
        assertThat(file.getOwner()).isEqualTo("alice");
        assertThat(file.getGroup()).isEqualTo("staff");
        assertThat(file.getPermission()).isEqualTo(new FsPermission((short) 0644));
        assertThat(file.getReplication()).isEqualTo((short) 3);
        assertThat(file.getBlockSize()).isEqualTo(128L << 20);
        assertThat(file.getModificationTime())
                .isEqualTo(service.namespace.attributes("/d/f").mtime());
        assertThat(file.getAccessTime())
                .isEqualTo(service.namespace.attributes("/d/f").atime());
        assertThat(parent.isDirectory()).isTrue();
        assertThat(parent.getReplication()).isZero();
        assertThat(fs.getHomeDirectory().toUri().getPath()).isEqualTo("/user/alice");
        assertThat(fs.getWorkingDirectory()).isEqualTo(fs.getHomeDirectory());
    }

    @Test
    void shouldApplyUmask() throws IOException {
        fs.mkdirs(new Path("/open"), new FsPermission((short) 0777));
        fs.create(new Path("/f"), new FsPermission((short) 0666), true, 1, (short) 1, 1 << 20, null)
                .close();

        assertThat(service.namespace.attributes("/open").mode()).isEqualTo(0755);
        assertThat(service.namespace.attributes("/f").mode()).isEqualTo(0644);
    }

    @Test
    void shouldListPageByPageWhateverTheNames() throws IOException {
        for (int i = 0; i < 2_345; i++) {
            service.namespace.answer(
                    new Principal("a", List.of()), new NamespaceOperation.Mkdirs(FsPath.of("/many/" + i), 0755, true));
        }
        write("/d/d", CONTENT);

        List<FileStatus> paged = new ArrayList<>();
        RemoteIterator<FileStatus> iterator = fs.listStatusIterator(new Path("/many"));
        while (iterator.hasNext()) {
            paged.add(iterator.next());
        }

        assertThat(paged).hasSize(2_345);
        assertThat(fs.listStatus(new Path("/many"))).hasSize(2_345);
        assertThat(fs.listStatus(new Path("/d"))[0].getPath()).hasToString("lambdafs:/d/d");
        assertThat(fs.listStatus(new Path("/d/d"))).hasSize(1);
        assertThat(fs.listStatus(new Path("/d/d"))[0].getPath()).hasToString("lambdafs:/d/d");
        RemoteIterator<LocatedFileStatus> located = fs.listLocatedStatus(new Path("/d"));
        assertThat(located.next().getBlockLocations()).hasSize(1);
        assertThatThrownBy(() -> fs.listStatusIterator(new Path("/none"))).isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void shouldSummarizeContentThroughListing() throws IOException {
        write("/d/f", CONTENT);
        write("/d/e/g", CONTENT);

        ContentSummary summary = fs.getContentSummary(new Path("/d"));

        assertThat(summary.getLength()).isEqualTo(20);
        assertThat(summary.getSpaceConsumed()).isEqualTo(60);
        assertThat(summary.getErasureCodingPolicy()).isEqualTo("Replicated");
        assertThat(fs.getContentSummary(new Path("/d/f")).getSpaceConsumed()).isEqualTo(30);
        assertThat(summary.getFileCount()).isEqualTo(2);
        assertThat(summary.getDirectoryCount()).isEqualTo(2);
    }

    /** One file of a length that is none must not hide what others have. */
    @Test
    void shouldSummarizeNoMoreThanTheLargestLengthAndNeverLess() throws IOException {
        write("/d/f", CONTENT);
        imported("/d/negative", Long.MIN_VALUE);
        assertThat(fs.getContentSummary(new Path("/d")).getLength()).isEqualTo(10);
        assertThat(fs.getContentSummary(new Path("/d")).getSpaceConsumed()).isEqualTo(30);
        imported("/d/huge", Long.MAX_VALUE / 2);
        assertThat(fs.getContentSummary(new Path("/d")).getLength()).isEqualTo(10 + Long.MAX_VALUE / 2);
        imported("/d/huge2", 3L << 61);
        ContentSummary summary = fs.getContentSummary(new Path("/"));
        assertThat(summary.getLength()).isEqualTo(Long.MAX_VALUE);
        assertThat(summary.getSpaceConsumed()).isEqualTo(Long.MAX_VALUE);
        assertThat(summary.getFileCount()).isEqualTo(4);
    }

    private void imported(String path, long size) {
        service.namespace.answer(
                new Principal("a", List.of()),
                new FileOperation.Create(
                        FsPath.of(path), 0644, false, true, 3, 1, null, new FileOperation.Imported(size, 1)));
    }

    @Test
    void shouldLocateFilesOnly() throws IOException {
        write("/d/f", CONTENT);
        fs.setReplication(new Path("/d/f"), (short) 2);

        BlockLocation[] whole = fs.getFileBlockLocations(new Path("/d/f"), 0, 10);

        assertThat(whole).hasSize(1);
        assertThat(whole[0].getHosts()).as("what setrep -w waits for").hasSize(2);
        assertThat(whole[0].getLength()).isEqualTo(10);
        assertThatThrownBy(() -> fs.getFileBlockLocations(new Path("/d"), 0, 10))
                .isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> fs.getFileBlockLocations(fs.getFileStatus(new Path("/d")), 0, 10))
                .isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void shouldListTheSameAheadAsInTurn() throws Exception {
        for (int i = 0; i < 40; i++) {
            write("/w/a" + i % 5 + "/b" + i % 8 + "/f" + i, CONTENT);
        }
        fs.mkdirs(new Path("/w/z/empty"));
        List<FileStatus> inTurn = walk(new Path("/w"));

        ((LambdaFileSystem) fs).listAhead();

        assertThat(walk(new Path("/w"))).isEqualTo(inTurn).hasSize(5 + 40 + 40 + 2);
        assertThatThrownBy(() -> fs.listStatus(new Path("/w/none"))).isInstanceOf(FileNotFoundException.class);
        fs.delete(new Path("/w/a0"), true);
        assertThatThrownBy(() -> fs.listStatus(new Path("/w/a0"))).isInstanceOf(FileNotFoundException.class);
    }

    private List<FileStatus> walk(Path directory) throws IOException {
        List<FileStatus> found = new ArrayList<>();
        for (FileStatus each : fs.listStatus(directory)) {
            found.add(each);
            if (each.isDirectory()) {
                found.addAll(walk(each.getPath()));
            }
        }
        return found;
    }

    /** The shell looks at once, and then every ten seconds, with a dot for each. */
    @Test
    void shouldNotKeepTheShellWaitingForReplication() throws Exception {
        write("/d/f", CONTENT);
        write("/d/empty", new byte[0]);
        conf.set("fs.defaultFS", "lambdafs:///");
        FsShell shell = new FsShell(conf);
        PrintStream before = System.out;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            assertThat(ToolRunner.run(shell, new String[] {"-setrep", "-w", "2", "/d"}))
                    .isZero();
        } finally {
            System.setOut(before);
        }

        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("Waiting for /d/f ... done", "Waiting for /d/empty ... done");
        assertThat(fs.getFileStatus(new Path("/d/f")).getReplication()).isEqualTo((short) 2);
        shell.close();
    }

    @Test
    void shouldComputeOneCrcOfTheWholeWhereThatIsAskedFor() throws IOException {
        write("/f", CONTENT);
        fs.getConf().set("dfs.checksum.combine.mode", "COMPOSITE_CRC");
        CRC32C crc = new CRC32C();
        crc.update(CONTENT);

        FileChecksum checksum = fs.getFileChecksum(new Path("/f"));

        assertThat(checksum.getAlgorithmName()).isEqualTo("COMPOSITE-CRC32C");
        assertThat(ByteBuffer.wrap(checksum.getBytes()).getInt()).isEqualTo((int) crc.getValue());
    }

    @Test
    void shouldComputeTheChecksumOfHdfs() throws IOException {
        write("/d/f", "12345678901234\n".getBytes(StandardCharsets.US_ASCII));

        FileChecksum checksum = fs.getFileChecksum(new Path("/d/f"));

        assertThat(checksum.getAlgorithmName()).isEqualTo("MD5-of-0MD5-of-512CRC32C");
        assertThat(HexFormat.of().formatHex(checksum.getBytes(), 0, checksum.getLength()))
                .isEqualTo("0000020000000000000000007267e9528002723a30939aefc238d665");
        assertThat(fs.getFileChecksum(new Path("/d/f"), 3)).isNotEqualTo(checksum);
        assertThatThrownBy(() -> fs.getFileChecksum(new Path("/d"))).isInstanceOf(FileNotFoundException.class);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-,      -,    MD5-of-0MD5-of-512CRC32C,  COMPOSITE-CRC32C",
                "CRC32,  -,    MD5-of-0MD5-of-512CRC32,   COMPOSITE-CRC32",
                "crc32c, 1024, MD5-of-0MD5-of-1024CRC32C, COMPOSITE-CRC32C",
                "CRC32,  64,   MD5-of-0MD5-of-64CRC32,    COMPOSITE-CRC32",
                "other,  0,    MD5-of-0MD5-of-512CRC32C,  COMPOSITE-CRC32C",
                "NULL,   -,    -,                         -"
            })
    void shouldHaveTheKindOfChecksumThatIsConfigured(
            @Nullable String type, @Nullable String chunk, @Nullable String blocks, @Nullable String whole)
            throws IOException {
        write("/f", CONTENT);
        if (type != null) {
            fs.getConf().set("dfs.checksum.type", type);
        }
        if (chunk != null) {
            fs.getConf().set("dfs.bytes-per-checksum", chunk);
        }

        assertThat(algorithm("/f")).isEqualTo(blocks);

        fs.getConf().set("dfs.checksum.combine.mode", "COMPOSITE_CRC");
        assertThat(algorithm("/f")).isEqualTo(whole);
    }

    private @Nullable String algorithm(String path) throws IOException {
        FileChecksum checksum = fs.getFileChecksum(new Path(path));
        return checksum == null ? null : checksum.getAlgorithmName();
    }

    @Test
    void shouldHaveTheKindOfChecksumThatACopyWasMadeWith() throws IOException {
        Path copy = new Path("/copy");
        EnumSet<CreateFlag> flags = EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE);
        FsPermission permission = FsPermission.getFileDefault();
        Options.ChecksumOpt asked = new Options.ChecksumOpt(DataChecksum.Type.CRC32, 128);
        try (FSDataOutputStream out = fs.create(copy, permission, flags, 4096, (short) 1, 1 << 20, null, asked)) {
            out.write(CONTENT);
        }
        CRC32 crc = new CRC32();
        crc.update(CONTENT);

        assertThat(algorithm("/copy")).isEqualTo("MD5-of-0MD5-of-128CRC32");
        fs.getConf().set("dfs.checksum.combine.mode", "COMPOSITE_CRC");
        assertThat(ByteBuffer.wrap(fs.getFileChecksum(copy).getBytes()).getInt())
                .isEqualTo((int) crc.getValue());

        fs.getConf().unset("dfs.checksum.combine.mode");
        fs.create(copy, permission, flags, 4096, (short) 1, 1 << 20, null, null).close();
        write("/copy", CONTENT);
        assertThat(algorithm("/copy")).isEqualTo("MD5-of-0MD5-of-512CRC32C");
    }

    @ParameterizedTest
    @ValueSource(strings = {"MD5MD5CRC", "COMPOSITE_CRC"})
    void shouldHaveTheChecksumOfHdfsOfNothing(String mode) throws IOException {
        fs.create(new Path("/empty")).close();
        write("/f", CONTENT);
        fs.getConf().set("dfs.checksum.combine.mode", mode);

        FileChecksum checksum = fs.getFileChecksum(new Path("/empty"));

        assertThat(checksum.getAlgorithmName()).isEqualTo("MD5-of-0MD5-of-0CRC32");
        assertThat(HexFormat.of().formatHex(checksum.getBytes(), 0, checksum.getLength()))
                .isEqualTo("00000000000000000000000070bc8f4b72a86921468bf8e8441dce51");
        assertThat(fs.getFileChecksum(new Path("/f"), 0)).isEqualTo(checksum);
    }

    @Test
    void shouldSayWhatItKeepsAndHas() throws IOException {
        Path root = new Path("/");

        assertThat(fs.hasPathCapability(root, CommonPathCapabilities.FS_PERMISSIONS))
                .isTrue();
        assertThat(fs.hasPathCapability(root, CommonPathCapabilities.FS_CHECKSUMS))
                .isTrue();
        assertThat(fs.hasPathCapability(root, CommonPathCapabilities.FS_APPEND)).isTrue();
        assertThat(fs.hasPathCapability(root, CommonPathCapabilities.FS_ACLS)).isTrue();
        assertThat(fs.hasPathCapability(root, CommonPathCapabilities.FS_SNAPSHOTS))
                .isTrue();
        assertThat(fs.getStatus().getCapacity()).isPositive();
        assertThat(fs.getStatus().getUsed()).isZero();
        assertThat(fs.getStatus().getRemaining()).isEqualTo(fs.getStatus().getCapacity());
        fs.msync();
    }

    @Test
    void shouldKeepNamesOfControlCharacters() throws IOException {
        Path odd = new Path("/d/two\nlines\u0001");
        try (FSDataOutputStream out = fs.create(odd)) {
            out.write(CONTENT);
        }

        assertThat(fs.listStatus(new Path("/d"))[0].getPath().getName()).isEqualTo(odd.getName());
        assertThat(fs.getFileStatus(fs.listStatus(new Path("/d"))[0].getPath()).getLen())
                .isEqualTo(10);
    }

    @Test
    void shouldRefuseToMakeReservedNames() throws IOException {
        write("/f", CONTENT);

        assertThatThrownBy(() -> fs.mkdirs(new Path("/d/.snapshot"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> fs.create(new Path("/.reserved/x"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> fs.rename(new Path("/f"), new Path("/.snapshot")))
                .isInstanceOf(IOException.class);
        assertThat(fs.exists(new Path("/.reserved"))).isFalse();
    }

    @Test
    @SuppressWarnings("deprecation") // The newer rename is protected in FileSystem.
    void shouldRenameInBothWays() throws IOException {
        write("/a", CONTENT);
        write("/b", CONTENT);
        fs.mkdirs(new Path("/d"));

        assertThat(fs.rename(new Path("/a"), new Path("/d"))).isTrue();
        assertThat(fs.exists(new Path("/d/a"))).isTrue();
        assertThat(fs.rename(new Path("/none"), new Path("/x"))).isFalse();
        LambdaFileSystem lambda = (LambdaFileSystem) fs;
        assertThatThrownBy(() -> lambda.rename(new Path("/b"), new Path("/d/a"), Options.Rename.NONE))
                .isInstanceOf(FileAlreadyExistsException.class);
        lambda.rename(new Path("/b"), new Path("/d/a"), Options.Rename.OVERWRITE);
        assertThat(fs.exists(new Path("/b"))).isFalse();
    }

    @Test
    void shouldChangeAttributes() throws IOException {
        write("/f", CONTENT);
        Path file = new Path("/f");
        fs.setPermission(file, new FsPermission((short) 0600));
        fs.setOwner(file, null, "dev");
        fs.setTimes(file, 42, -1);
        assertThat(fs.setReplication(file, (short) 2)).isTrue();

        FileStatus status = fs.getFileStatus(file);

        assertThat(status.getPermission().toShort()).isEqualTo((short) 0600);
        assertThat(status.getOwner()).isEqualTo("alice");
        assertThat(status.getGroup()).isEqualTo("dev");
        assertThat(status.getModificationTime()).isEqualTo(42);
        assertThat(status.getAccessTime())
                .isEqualTo(service.namespace.attributes("/f").atime())
                .isPositive();
        assertThat(status.getReplication()).isEqualTo((short) 2);
        assertThatThrownBy(() -> fs.setReplication(file, (short) 0)).hasMessageContaining("replication");
        assertThatThrownBy(() -> fs.setReplication(file, (short) 1_025))
                .hasMessage("Requested replication factor of 1025 exceeds maximum of 512 for /f");
        assertThatThrownBy(() -> fs.setOwner(file, null, null)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldDeleteAsHdfsDoes() throws IOException {
        write("/d/f", CONTENT);

        assertThatThrownBy(() -> fs.delete(new Path("/d"), false))
                .isExactlyInstanceOf(PathIsNotEmptyDirectoryException.class)
                .hasCauseInstanceOf(FsException.class)
                .message()
                .matches("`/d': Directory is not empty: " + ErrorCode.NOT_EMPTY.label() + " \\[request [^]]+\\]");
        assertThatThrownBy(() -> fs.delete(new Path("/"), false)).isInstanceOf(PathIsNotEmptyDirectoryException.class);
        assertThat(fs.delete(new Path("/"), true)).isFalse();
        assertThat(fs.delete(new Path("/d"), true)).isTrue();
        assertThat(fs.delete(new Path("/d"), true)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "NOT_FOUND, java.io.FileNotFoundException",
        "ALREADY_EXISTS, org.apache.hadoop.fs.FileAlreadyExistsException",
        "NOT_A_DIRECTORY, org.apache.hadoop.fs.ParentNotDirectoryException",
        "PERMISSION_DENIED, org.apache.hadoop.security.AccessControlException",
        "UNAUTHENTICATED, org.apache.hadoop.security.AccessControlException",
        "NOT_ALLOWED, org.apache.hadoop.fs.PathIOException",
        "STORE_FULL, java.io.IOException",
        "INTERNAL, java.io.IOException",
        "DEADLINE_EXCEEDED, java.io.IOException",
        "UNSUPPORTED, java.lang.UnsupportedOperationException"
    })
    void shouldMapFailureAndKeepLabelAndRequest(ErrorCode code, Class<? extends Exception> expected) {
        service.namespace.fail(new FsException(code, "because"));

        assertThatThrownBy(() -> fs.getFileStatus(new Path("/f")))
                .isExactlyInstanceOf(expected)
                .hasMessageContaining(code.label())
                .hasMessageContaining("because")
                .hasMessageContaining("[request ")
                .hasCauseInstanceOf(FsException.class);
    }

    @ParameterizedTest
    @CsvSource({"NOT_ALLOWED", "INVALID_ARGUMENT", "INVALID_PATH", "IS_A_DIRECTORY", "NO_CONTENT", "NEEDS_DATANODE"})
    void shouldTellAFailureOfAPathOnce(ErrorCode code) {
        service.namespace.fail(new FsException(code, "because"));

        assertThatThrownBy(() -> fs.getFileStatus(new Path("/f")))
                .isInstanceOf(PathIOException.class)
                .message()
                .startsWith("`/f': " + code.label() + ": ")
                .containsOnlyOnce("because")
                .containsOnlyOnce(code.label())
                .containsOnlyOnce("[request ");
    }

    /** As HDFS, whose exception of a file that is there says nothing of an attribute. */
    @Test
    void shouldSayThatAnAttributeIsThere() {
        service.namespace.fail(new FsException(ErrorCode.ALREADY_EXISTS, "because"));

        assertThatThrownBy(() -> fs.setXAttr(new Path("/f"), "user.a", CONTENT, EnumSet.of(XAttrSetFlag.CREATE)))
                .isExactlyInstanceOf(IOException.class)
                .hasMessageContaining("because")
                .hasCauseInstanceOf(FsException.class);
    }

    @Test
    void shouldNotTakeLostServiceForMissingFile() {
        service.close();

        assertThatThrownBy(() -> fs.exists(new Path("/f")))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("http://127.0.0.1:" + service.port());
    }

    @Test
    void shouldMakeEmptyFileInOneRequest() throws IOException {
        int before = service.namespace.asked();
        FSDataOutputStream out = fs.create(new Path("/empty"));
        assertThat(fs.getFileStatus(new Path("/empty")).getLen()).isZero();
        out.close();

        assertThat(service.namespace.asked() - before).as("create and stat").isEqualTo(2);
        try (FSDataInputStream in = fs.open(new Path("/empty"))) {
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @Test
    void shouldRemoveFileThatNeedsDatanode() throws IOException {
        FSDataOutputStream over = fs.create(new Path("/over"));
        over.write(new byte[100_000]);
        assertThatThrownBy(over::close).isInstanceOf(IOException.class).hasMessageContaining("LFS-109");

        FSDataOutputStream huge = fs.create(new Path("/huge"));
        assertThatThrownBy(() -> huge.write(new byte[Operation.MAX_INLINE_BYTES + 1]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("LFS-109");
        assertThatThrownBy(huge::close).isInstanceOf(IOException.class);

        assertThat(service.namespace.exists("/over")).isFalse();
        assertThat(service.namespace.exists("/huge")).isFalse();
    }

    @Test
    void shouldLeaveFileThatReplacedOneWhichNeedsDatanode() throws IOException {
        FSDataOutputStream over = fs.create(new Path("/f"));
        over.write(new byte[100_000]);
        write("/f", CONTENT);

        assertThatThrownBy(over::close).isInstanceOf(IOException.class).hasMessageContaining("LFS-101");

        assertThat(fs.getFileStatus(new Path("/f")).getLen()).isEqualTo(10);
    }

    @Test
    void shouldSayThatImportedFileHasNoContent() throws IOException {
        service.namespace.answer(
                new Principal("a", List.of()),
                new FileOperation.Create(
                        FsPath.of("/i"), 0644, false, true, 1, 1, null, new FileOperation.Imported(1_000_000, 1)));

        assertThat(fs.getFileStatus(new Path("/i")).getLen()).isEqualTo(1_000_000);
        assertThatThrownBy(() -> fs.open(new Path("/i")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("LFS-110");
    }

    @Test
    void shouldSayWhatIsUnsupported() throws IOException {
        write("/f", CONTENT);

        assertThatThrownBy(() -> fs.append(new Path("/f"))).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void shouldSayWhyThereAreNoLinks() throws IOException {
        Path path = new Path("/d");
        fs.mkdirs(path);
        List<ThrowingCallable> links =
                List.of(() -> fs.createSymlink(path, new Path("/d/link"), true), () -> fs.getLinkTarget(path));
        assertThat(links)
                .allSatisfy(each -> assertThatThrownBy(each)
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContainingAll("no symbolic links", "/d"));
        assertThat(fs.supportsSymlinks()).isFalse();
        assertThat(fs.hasPathCapability(path, CommonPathCapabilities.FS_SYMLINKS))
                .isFalse();
        assertThat(fs.hasPathCapability(path, CommonPathCapabilities.FS_ACLS)).isTrue();
    }

    @Test
    void shouldDeleteAPageByOneRequestToEachOwner() throws IOException {
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            write("/bulk/f" + i, CONTENT);
            files.add(fs.makeQualified(new Path("/bulk/f" + i)));
        }
        fs.mkdirs(new Path("/bulk/sub"));
        write("/full/f", CONTENT);
        int before = service.namespace.asked();

        try (BulkDelete bulk = fs.createBulkDelete(new Path("/"))) {
            assertThat(bulk.pageSize()).isEqualTo(1_000);
            assertThat(bulk.bulkDelete(files)).isEmpty();
            assertThat(service.namespace.asked() - before)
                    .as("all are in one directory")
                    .isEqualTo(1);
            List<Path> rest = List.of(
                    fs.makeQualified(new Path("/bulk")),
                    fs.makeQualified(new Path("/bulk/sub")),
                    fs.makeQualified(new Path("/full")),
                    fs.makeQualified(new Path("/missing")));
            assertThat(bulk.bulkDelete(rest)).singleElement().satisfies(failure -> {
                assertThat(failure.getKey()).isEqualTo(rest.get(2));
                assertThat(failure.getValue()).contains("PathIsNotEmptyDirectoryException");
            });
        }
        assertThat(service.namespace.exists("/bulk")).isFalse();
        assertThat(service.namespace.exists("/full/f")).isTrue();
    }

    @Test
    void shouldMapMistakesAboutDirectories() throws IOException {
        write("/f", CONTENT);
        fs.mkdirs(new Path("/d"));

        assertThatThrownBy(() -> fs.open(new Path("/d"))).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> fs.create(new Path("/d"))).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> fs.create(new Path("/f/g"))).isInstanceOf(ParentNotDirectoryException.class);
        assertThatThrownBy(() -> fs.createNonRecursive(new Path("/x/y"), true, 1, (short) 1, 1, null))
                .isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> fs.mkdirs(new Path("/f"))).isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void shouldRefuseUnknownPropertyAndNameNearest() {
        conf.set("lambdafs.tcp.enable", "true");

        assertThatThrownBy(() -> FileSystem.newInstance(URI.create("lambdafs:///"), conf))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("lambdafs.tcp.enable:")
                .hasMessageContaining("lambdafs.tcp.enabled");
    }

    @Test
    void shouldRefuseWrongValueAndMissingCluster() {
        conf.set("lambdafs.tcp.port", "high");
        assertThatThrownBy(() -> FileSystem.newInstance(URI.create("lambdafs:///"), conf))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("property lambdafs.tcp.port cannot be \"high\": it takes a whole number");
        conf.set("lambdafs.tcp.port", "70000");
        assertThatThrownBy(() -> FileSystem.newInstance(URI.create("lambdafs:///"), conf))
                .hasMessageContaining("property lambdafs.tcp.port must be");

        conf.unset("lambdafs.tcp.port");
        conf.set("lambdafs.dir", directory.resolve("none").toString());
        assertThatThrownBy(() -> FileSystem.newInstance(URI.create("lambdafs:///"), conf))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("none");
    }

    @Test
    void shouldTakeGatewayFromAddressWithTwoProperties() throws IOException {
        Configuration two = new Configuration(false);
        two.set("lambdafs.secret.file", directory.resolve("secret").toString());
        two.set("lambdafs.user", "bob");
        URI address = URI.create("lambdafs://127.0.0.1:" + service.port() + "/");

        try (FileSystem other = FileSystem.newInstance(address, two)) {
            other.mkdirs(new Path("/by-address"));
            assertThat(other.getFileStatus(new Path("/by-address")).getPath().toString())
                    .startsWith("lambdafs://127.0.0.1:");
        }

        assertThat(service.namespace.attributes("/by-address").owner()).isEqualTo("bob");
    }

    @Test
    void shouldShareClientOfSameClusterAndUser() throws IOException {
        FileSystem second = FileSystem.newInstance(URI.create("lambdafs:///"), conf);
        SharedClients.Use mine = SharedClients.use(Settings.of(URI.create("lambdafs:///"), conf));
        LambdaFs client = mine.client();
        fs.close();
        second.close();

        assertThat(client.create(FsPath.of("/still"), CONTENT, CreateOptions.DEFAULT))
                .isNotNull();
        conf.set("lambdafs.user", "bob");
        SharedClients.Use other = SharedClients.use(Settings.of(URI.create("lambdafs:///"), conf));
        assertThat(other.client()).isNotSameAs(client);
        mine.end();
        mine.end();
        other.end();

        assertThatThrownBy(() -> Failures.await(client.stat(FsPath.ROOT), "/")).hasMessageContaining("closed");
    }

    @Test
    void shouldRefuseSecretOfOtherCluster() throws IOException {
        Files.delete(directory.resolve("secret"));
        Secret.loadOrCreate(directory.resolve("secret"));
        conf.set("lambdafs.user", "eve");

        try (FileSystem wrong = FileSystem.newInstance(URI.create("lambdafs:///"), conf)) {
            assertThatThrownBy(() -> wrong.getFileStatus(new Path("/")))
                    .isInstanceOf(AccessControlException.class)
                    .hasMessageContaining("secret");
        }
    }

    @Test
    void shouldListWhatIsBelowOfManyDirectoriesAtOnce() throws IOException {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            for (int j = 0; j < 3; j++) {
                String path = "/t/d" + i + "/e" + j + "/f";
                write(path, CONTENT);
                made.add(path);
            }
        }
        fs.mkdirs(new Path("/t/empty"));
        assertThat(files("/t/d0")).hasSize(3);
        assertThat(sum(service.listed())).isEqualTo(1 + 3);

        assertThat(files("/t")).containsExactlyInAnyOrderElementsOf(made);
        List<Integer> listed = service.listed();
        assertThat(sum(listed)).isEqualTo(1 + 13 + 36);
        assertThat(listed).as("messages: one per level and deployment").hasSizeLessThanOrEqualTo(1 + 4 + 4);
        assertThat(files("/t/d0/e0/f")).containsExactly("/t/d0/e0/f");
        assertThat(files("/t/empty")).isEmpty();
        assertThatThrownBy(() -> fs.listFiles(new Path("/t/none"), true)).isInstanceOf(FileNotFoundException.class);
    }

    private static int sum(List<Integer> counts) {
        return counts.stream().mapToInt(Integer::intValue).sum();
    }

    @Test
    void shouldListWhatIsBelowOfDirectoriesThatDoNotFitIntoOnePage() throws IOException {
        Principal root = new Principal("root", List.of());
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 9 * 1_500; i++) {
            String path = "/t/d" + i % 9 + "/f" + i;
            service.namespace.answer(
                    root, new FileOperation.Create(FsPath.of(path), 0644, false, true, 1, 1 << 20, new byte[0], null));
            made.add(path);
        }

        assertThat(files("/t")).containsExactlyInAnyOrderElementsOf(made);
    }

    private List<String> files(String path) throws IOException {
        List<String> found = new ArrayList<>();
        RemoteIterator<LocatedFileStatus> files = fs.listFiles(new Path(path), true);
        while (files.hasNext()) {
            found.add(files.next().getPath().toUri().getPath());
        }
        return found;
    }
}
