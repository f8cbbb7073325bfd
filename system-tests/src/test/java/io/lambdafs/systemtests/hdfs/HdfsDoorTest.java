package io.lambdafs.systemtests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lambdafs.door.hdfs.HdfsDoor;
import io.lambdafs.door.hdfs.HdfsDoorConfig;
import io.lambdafs.systemtests.CommandRun;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HDFS's own client in a process that has no jar of ours, and the client in Rust, at hdfs doors of this JVM. */
class HdfsDoorTest {
    private static final Pattern OF_HADOOP = Pattern.compile(
            "(hadoop|commons|woodstox-core|stax2-api|re2j|avro|jackson|kerb|kerby|jsr305|metrics-core|snappy-java|slf4j-api)-.*\\.jar");

    @TempDir
    private Path folder;

    private DoorCluster cluster;
    private HdfsDoor door;

    private String hadoop() throws Exception {
        List<String> parts = new ArrayList<>();
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(part -> OF_HADOOP.matcher(new File(part).getName()).matches())
                .forEach(parts::add);
        // The program alone, without the other tests beside it.
        Path program = Path.of(StockHdfsProgram.class
                        .getResource("StockHdfsProgram.class")
                        .toURI())
                .getParent();
        Path target = Files.createDirectories(folder.resolve("program")
                .resolve(StockHdfsProgram.class.getPackageName().replace('.', '/')));
        try (Stream<Path> classes = Files.list(program)) {
            for (Path each : (Iterable<Path>)
                    classes.filter(each -> each.getFileName().toString().startsWith("StockHdfs"))::iterator) {
                Files.copy(each, target.resolve(each.getFileName()));
            }
        }
        parts.add(folder.resolve("program").toString());
        return String.join(File.pathSeparator, parts);
    }

    @BeforeEach
    void start() throws IOException {
        cluster = DoorCluster.start(folder);
        door = door(cluster.directory());
    }

    @AfterEach
    void stop() {
        door.close();
        cluster.close();
    }

    private static HdfsDoor door(Path cluster) throws IOException {
        return HdfsDoor.start(HdfsDoorConfig.of(cluster, "", 0));
    }

    @Test
    void shouldServeHdfsOwnClientWithoutAJarOfOurs() throws Exception {
        List<String> command = new ArrayList<>(CommandRun.java(hadoop(), StockHdfsProgram.class.getName()));
        command.add("hdfs://127.0.0.1:" + door.address().getPort());
        command.add(Files.createDirectory(folder.resolve("local")).toString());
        command.add("200");

        CommandRun run = CommandRun.of(command);

        assertThat(run.exit()).as(run.out() + run.err()).isZero();
        assertThat(run.out().lines()).contains(StockHdfsProgram.END);
        // The same file by λFS's own client.
        Configuration own = new Configuration();
        own.set("lambdafs.dir", cluster.directory().toString());
        try (FileSystem fs = FileSystem.newInstance(URI.create("lambdafs:///"), own)) {
            assertThat(run.out()).contains("checksum " + fs.getFileChecksum(new org.apache.hadoop.fs.Path("/ranges")));
        }
    }

    /** A client whose door is lost asks another one, which must know what the first has done. */
    @Test
    void shouldAnswerARepeatedCallAtAnotherDoorByTheFirstResult() throws Exception {
        try (HdfsDoor other = door(cluster.directory())) {
            UserGroupInformation me = UserGroupInformation.getCurrentUser();
            ClientProtocol first = DoorCalls.of(door.address(), me);
            ClientProtocol second = DoorCalls.of(other.address(), me);
            assertThat(first.mkdirs("/once/a", FsPermission.getDirDefault(), true))
                    .isTrue();
            for (ClientProtocol each : List.of(first, first, second)) {
                Client.setCallIdAndRetryCount(1_000_001, 0, null);
                each.rename2("/once/a", "/once/b");
                Client.setCallIdAndRetryCount(1_000_002, 0, null);
                assertThat(each.delete("/once/b", true)).isTrue();
            }
            Client.setCallIdAndRetryCount(1_000_001, 0, null);
            ClientProtocol somebody = DoorCalls.of(other.address(), UserGroupInformation.createRemoteUser("somebody"));
            assertThatThrownBy(() -> somebody.rename2("/once/a", "/once/b")).hasMessageContaining("/once");
        }
    }

    /** A door refuses packets that were damaged on the way, leave a hole, or come without the token. */
    @Test
    void shouldNotTakeWhatNoHonestClientSends() throws Exception {
        ClientProtocol calls = DoorCalls.of(door.address(), UserGroupInformation.getCurrentUser());
        byte[] bytes = new byte[1_000];
        for (boolean damaged : new boolean[] {true, false}) {
            String path = "/dishonest-" + damaged;
            LocatedBlock block = DoorCalls.first(calls, path);
            long file = calls.getFileInfo(path).getFileId();
            try (RawBlockWriter forger = new RawBlockWriter(block)) {
                assertThat(forger.begin(block, new Token<>())).isEqualTo(Status.ERROR_ACCESS_TOKEN);
            }
            try (RawBlockWriter writer = new RawBlockWriter(block)) {
                assertThat(writer.begin(block, block.getBlockToken())).isEqualTo(Status.SUCCESS);
                assertThat(writer.send(0, bytes, false)).isEqualTo(Status.SUCCESS);
                assertThat(writer.send(damaged ? 1_000 : 1_512, bytes, damaged))
                        .isEqualTo(damaged ? Status.ERROR_CHECKSUM : Status.ERROR);
            }
            block.getBlock().setNumBytes(2_000);
            assertThatThrownBy(() -> calls.complete(path, "raw", block.getBlock(), file))
                    .hasMessageContaining("1000 have arrived");
            block.getBlock().setNumBytes(1_000);
            assertThat(calls.complete(path, "raw", block.getBlock(), file)).isTrue();
            assertThat(calls.getFileInfo(path).getLen()).isEqualTo(1_000);
        }
    }

    /** Returns the Python with hdfs-native: the one in the folder that the variable names, or this machine's. */
    private static String python() throws IOException {
        String tools = System.getenv("LAMBDAFS_DOOR_TOOLS");
        // Where the link leads: by the link Python does not find its packages.
        return tools != null && Files.isDirectory(Path.of(tools))
                ? Path.of(tools).toRealPath().resolve("python").toString()
                : "python3";
    }

    private static boolean succeeds(String... command) throws Exception {
        try {
            return CommandRun.of(List.of(command)).exit() == 0;
        } catch (IOException noProgram) {
            return false;
        }
    }

    private String atLoopback() {
        return "127.0.0.1:" + door.address().getPort();
    }

    @Test
    void shouldServeTheClientOfPyPI() throws Exception {
        assumeTrue(
                succeeds(python(), "-c", "import hdfs_native"), "Python has no hdfs_native: pip install hdfs-native");

        CommandRun run = CommandRun.of(List.of(python(), "src/test/python/hdfs_door.py", "hdfs://" + atLoopback()));

        assertThat(run.exit()).as(run.out() + run.err()).isZero();
        assertThat(run.out()).contains("equal");
    }

    /** The examples of {@code python/}, by the package as its users install it. */
    @Test
    void shouldServePandasPyArrowDuckDbAndDeltaLake() throws Exception {
        assumeTrue(
                succeeds(python(), "-c", "import hdfs_native, pytest, setuptools, wheel"),
                "Python lacks what src/test/doors/requirements.txt lists");

        CommandRun run = CommandRun.of(List.of(
                "src/test/doors/python.sh",
                python(),
                folder.resolve("python").toString(),
                atLoopback(),
                "tests/test_examples.py",
                "tests/test_at_exit.py"));

        assertThat(run.exit()).as(run.out() + run.err()).isZero();
    }

    @Test
    void shouldServeTheClientOfGo() throws Exception {
        String sources = "src/test/doors/go";
        assumeTrue(succeeds("go", "-C", sources, "mod", "download"), "needs Go 1.24 or newer and its module proxy");
        String program = folder.resolve("go-client").toString();
        CommandRun built = CommandRun.of(List.of("go", "-C", sources, "build", "-o", program, "."));
        assertThat(built.exit()).as(built.err()).isZero();

        CommandRun run = CommandRun.of(List.of(program, atLoopback(), "/go"));

        assertThat(run.exit()).as(run.out() + run.err()).isZero();
    }
}
