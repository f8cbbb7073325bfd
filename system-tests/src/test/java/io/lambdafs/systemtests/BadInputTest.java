package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.testkit.PatientWaits;
import io.lambdafs.model.testkit.RamDisk;
import io.lambdafs.rpc.auth.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Mistakes of users and accidents of the environment, at one running cluster: each case ends with a clear message and
 * the right
 * exit code; afterwards everything that was acknowledged is there, everything serves, and nothing is left behind. What never reaches a
 * cluster is in the tests of the command line.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadInputTest {
    private static final long MEBIBYTE = 1 << 20;

    /** Instances that are idle are soon gone: a full disk must not need them. */
    private static final String SETTINGS = "{\"deployments\": 2, \"pool\": {\"keepAliveMillis\": 3000}}";

    @TempDir
    private static Path folder;

    private final Map<FsPath, byte[]> acknowledged = new LinkedHashMap<>();
    private final ExecutorService senders = Executors.newFixedThreadPool(16);
    private RamDisk disk;
    private ClusterUnderTest cluster;
    private BlockingLambdaFs client;
    /** Ports of clients that earlier tests left in this process: a FileContext cannot be closed. */
    private int portsOfOthers;

    @BeforeAll
    void start() throws Exception {
        Path directory = folder.resolve("cluster");
        disk = RamDisk.mount(directory.resolve("store"), 256);
        Files.writeString(directory.resolve("cluster.json"), SETTINGS);
        cluster = ClusterUnderTest.start(directory);
        portsOfOthers = ListeningPorts.of(ProcessHandle.current().pid()).size();
        client = cluster.client();
        put("/first");
    }

    @AfterEach
    void shouldStillServeAndHaveLostNothing() throws Exception {
        for (Map.Entry<FsPath, byte[]> each : acknowledged.entrySet()) {
            assertThat(client.read(each.getKey())).as("%s", each.getKey()).isEqualTo(each.getValue());
        }
        put("/after-" + acknowledged.size());
    }

    @AfterAll
    void stop() throws Exception {
        try {
            senders.shutdownNow();
            client.close();
            List<ProcessHandle> all = cluster.processes();
            assertThat(all).hasSizeGreaterThanOrEqualTo(3);
            cluster.close();
            // The system lists a child that has ended until this process has taken notice.
            Awaitility.await("no process is left")
                    .untilAsserted(() -> assertThat(all).noneMatch(ProcessHandle::isAlive));
        } finally {
            disk.close();
        }
    }

    private void put(String path) throws InterruptedException {
        byte[] content = ("content of " + path).getBytes(StandardCharsets.UTF_8);
        client.create(FsPath.of(path), content, CreateOptions.DEFAULT);
        acknowledged.put(FsPath.of(path), content);
    }

    private CommandRun fs(Object... arguments) throws Exception {
        List<Object> all = new ArrayList<>(List.of("fs", "--dir", cluster.directory()));
        all.addAll(List.of(arguments));
        return CommandRun.lambdafs(all.toArray());
    }

    /** Returns a client's directory with one file replaced. */
    private Path clientDirectory(String name, String replaced, String content) throws IOException {
        Path copy = Files.createDirectory(folder.resolve(name));
        for (String file : List.of("client.json", "apikey", "secret")) {
            Files.copy(cluster.directory().resolve(file), copy.resolve(file));
        }
        Files.writeString(copy.resolve(replaced), content);
        Files.setPosixFilePermissions(copy.resolve(replaced), PosixFilePermissions.fromString("rw-------"));
        return copy;
    }

    @Test
    void shouldNameAWrongEndpointAndNotWaitForIt() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        CommandRun nobody = fs("-ls", "lambdafs://127.0.0.1:" + port + "/");
        assertThat(nobody.exit()).as(nobody.err()).isEqualTo(3);
        assertThat(nobody.err()).contains("LFS-306", "127.0.0.1:" + port);
        assertThat(nobody.out()).isEmpty();

        // A service of the same cluster, but not its gateway.
        int store = Integer.parseInt(
                Files.readString(cluster.directory().resolve("run/store.port")).strip());
        CommandRun other = fs("-ls", "lambdafs://127.0.0.1:" + store + "/");
        assertThat(other.exit()).as(other.err()).isEqualTo(3);
        assertThat(other.err()).contains("LFS-306", "127.0.0.1:" + store);

        try (BlockingLambdaFs lost = BlockingLambdaFs.open(
                ClientConfigBuilder.load(cluster.directory().resolve("client.json"))
                        .gateway(URI.create("http://127.0.0.1:" + port))
                        .firstContact(Duration.ofMillis(300))
                        .build())) {
            assertThatThrownBy(() -> lost.stat(FsPath.of("/first")))
                    .isInstanceOfSatisfying(
                            FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
                    .hasMessageContaining("http://127.0.0.1:" + port);
        }
    }

    @Test
    void shouldRefuseAWrongSecretAndAWrongKeyAndShowNeither() throws Exception {
        Secret.loadOrCreate(folder.resolve("other-secret"));
        String secret = Files.readString(folder.resolve("other-secret"));
        Path wrongSecret = clientDirectory("wrong-secret", "secret", secret);
        CommandRun made = CommandRun.lambdafs("fs", "--dir", wrongSecret, "-mkdir", "/intruder");
        assertThat(made.exit()).as(made.err()).isEqualTo(1);
        assertThat(made.err())
                .contains("LFS-201", "the token is not of this cluster")
                .doesNotContain(secret.strip());
        assertThatThrownBy(() -> client.stat(FsPath.of("/intruder"))).hasMessageContaining("/intruder");

        String key = "lambdafs:" + "0".repeat(64);
        Path wrongKey = clientDirectory("wrong-key", "apikey", key);
        CommandRun read = CommandRun.lambdafs("fs", "--dir", wrongKey, "-cat", "/first");
        assertThat(read.exit()).as(read.err()).isEqualTo(1);
        assertThat(read.err())
                .contains("LFS-201", "has not proved to know this client's key")
                .doesNotContain(key);
        assertThat(read.out()).isEmpty();
    }

    @Test
    void shouldStartNothingOnAPortThatIsInUse() throws Exception {
        String taken = Files.readString(cluster.directory().resolve("run/gateway.port"))
                .strip();
        Path second = folder.resolve("second");
        CommandRun run = CommandRun.lambdafs("cluster", "start", "--dir", second, "--port", taken);
        assertThat(run.exit()).as(run.err()).isEqualTo(1);
        assertThat(run.err()).contains("the gateway cannot listen on 127.0.0.1:" + taken, "ports.gateway");
        assertThat(run.out()).isEmpty();
        assertThat(second.resolve("cluster.json")).doesNotExist();
        assertThat(second.resolve("run")).isDirectoryNotContaining("glob:**.pid");
    }

    @Test
    void shouldKeepTheOptionsOfAFirstStartThatFails() throws Exception {
        Path second = folder.resolve("unusable");
        Path inTheWay = Files.createDirectories(second.resolve("zookeeper")).resolve("version-2");
        Files.writeString(inTheWay, "not a directory");
        CommandRun failed = CommandRun.lambdafs("cluster", "start", "--dir", second, "--deployments", "7");
        assertThat(failed.exit()).as(failed.err()).isEqualTo(1);
        assertThat(failed.err()).contains("zookeeper", "version-2");
        assertThat(second.resolve("cluster.json")).doesNotExist();
        assertThat(second.resolve("run")).isDirectoryNotContaining("glob:**.pid");

        CommandRun again = CommandRun.lambdafs("cluster", "start", "--dir", second);
        assertThat(again.exit()).as(again.err()).isEqualTo(1);
        assertThat(again.err())
                .contains(
                        "going on with the settings",
                        second.resolve("starting.json").toString());
        assertThat(second.resolve("starting.json")).content().contains("\"deployments\" : 7");
        CommandRun doctor = CommandRun.lambdafs("doctor", "--dir", second);
        assertThat(doctor.out()).contains("was not completed").doesNotContain("there is no cluster");
    }

    @Test
    void shouldRefuseUnknownOptionsPropertiesAndSettings() throws Exception {
        CommandRun option = CommandRun.lambdafs("cluster", "status", "--dri", cluster.directory());
        assertThat(option.exit()).isEqualTo(2);
        assertThat(option.err()).contains("'--dri'", "Did you mean --dir?", "Usage: lambdafs cluster status");

        CommandRun property = fs("-D", "lambdafs.gatway=http://127.0.0.1:1", "-ls", "/");
        assertThat(property.exit()).as(property.err()).isEqualTo(2);
        assertThat(property.err()).contains("unknown property lambdafs.gatway", "did you mean lambdafs.gateway?");

        CommandRun value = fs("-D", "lambdafs.http.probability=2", "-ls", "/");
        assertThat(value.exit()).as(value.err()).isEqualTo(2);
        assertThat(value.err()).contains("http.probability", "0..0.01");

        Path conf = Files.writeString(folder.resolve("conf.json"), "{\"pol\": {}}");
        CommandRun setting = CommandRun.lambdafs("cluster", "start", "--dir", cluster.directory(), "--conf", conf);
        assertThat(setting.exit()).isEqualTo(2);
        assertThat(setting.err()).contains(conf + ":1: there is no setting \"pol\"; did you mean \"pool\"?");
    }

    /** A process that may read only what its modes allow; root may read everything unless it gives that up. */
    private static List<String> withoutPrivileges() {
        boolean root = System.getProperty("user.name").equals("root");
        assumeTrue(!root || Files.isExecutable(Path.of("/usr/bin/setpriv")), "root reads everything, and no setpriv");
        return root ? List.of("/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search") : List.of();
    }

    @Test
    void shouldSayThatAClientFileMayNotBeRead() throws Exception {
        List<String> by = withoutPrivileges();
        Path copy = clientDirectory("closed-client", "client.json", "{}");
        Files.setPosixFilePermissions(copy.resolve("client.json"), PosixFilePermissions.fromString("---------"));
        CommandRun run = CommandRun.lambdafs(by, "fs", "--dir", copy, "-ls", "/");
        assertThat(run.exit()).as(run.err()).isEqualTo(1);
        assertThat(run.err())
                .contains("LFS-106", copy.resolve("client.json") + ": its mode", "ask its owner")
                .doesNotContain("start the cluster");
    }

    /** Whoever may manage a gateway may take a function away; the next start brings it back. */
    @Test
    void shouldRegisterAnActionAgainThatWasTakenAway() throws Exception {
        String gateway = "http://127.0.0.1:"
                + Files.readString(cluster.directory().resolve("run/gateway.port"))
                        .strip();
        String key =
                Files.readString(cluster.directory().resolve("managementkey")).strip();
        FsPath path = FsPath.of("/first");
        String action = gateway + "/api/v1/namespaces/_/actions/namenode1";
        assertThat(send("DELETE", action, key)).isEqualTo(200);
        assertThat(send("GET", action, key)).isEqualTo(404);

        CommandRun run = CommandRun.lambdafs("cluster", "start", "--dir", cluster.directory());
        assertThat(run.exit()).as(run.err()).isZero();

        assertThat(send("GET", action, key)).isEqualTo(200);
        ClientConfigBuilder byHttp =
                ClientConfigBuilder.load(cluster.directory().resolve("client.json"));
        try (BlockingLambdaFs caller =
                BlockingLambdaFs.open(byHttp.tcpEnabled(false).build())) {
            for (int i = 0; i < 8; i++) {
                // Of both deployments, whichever their directories' hashes choose.
                FsPath made = FsPath.of("/again-" + i + "/file");
                caller.mkdirs(made.parent(), 0755);
                caller.create(made, new byte[1], CreateOptions.DEFAULT);
                assertThat(caller.read(made)).hasSize(1);
            }
            assertThat(caller.read(path)).isEqualTo(acknowledged.get(path));
        }
    }

    private static int send(String method, String url, String key) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8)))
                .timeout(PatientWaits.PATIENCE)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void shouldCountWhatCannotBeReadAndRefuseATreeThatCannot() throws Exception {
        List<String> by = withoutPrivileges();
        Path tree = Files.createDirectories(folder.resolve("tree"));
        Path hidden = Files.createDirectory(tree.resolve("hidden"));
        Files.writeString(hidden.resolve("inside"), "x");
        Path closed = Files.writeString(tree.resolve("closed"), "x");
        Files.writeString(tree.resolve("open"), "x");
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
        Files.setPosixFilePermissions(hidden, PosixFilePermissions.fromString("---------"));
        try {
            CommandRun refused = CommandRun.lambdafs(by, replay(hidden));
            assertThat(refused.exit()).as(refused.err()).isEqualTo(2);
            assertThat(refused.err()).contains("--tree " + hidden + " is not a directory that can be read");

            CommandRun run = CommandRun.lambdafs(by, replay(tree));
            assertThat(run.exit()).as(run.err()).isZero();
            assertThat(run.err()).contains("left out: 2 unreadable entries");
            assertThat(run.out().lines()).hasSize(1);
            assertThat(run.out()).startsWith("{\"schema\":1,\"operations\":").contains("\"failed\":0,");
            assertThat(folder.resolve("report/report.html")).isNotEmptyFile();
        } finally {
            Files.setPosixFilePermissions(hidden, PosixFilePermissions.fromString("rwx------"));
        }
        // Neither run leaves its namespace in the cluster.
        List<String> names = new ArrayList<>();
        client.list(FsPath.of("/")).forEachRemaining(entry -> names.add(entry.name()));
        assertThat(names).noneMatch(name -> name.startsWith("replay-"));
    }

    private Object[] replay(Path tree) {
        return new Object[] {
            "replay",
            "--dir",
            cluster.directory(),
            "--tree",
            tree,
            "--seconds",
            "1",
            "--base-ops",
            "20",
            "--json",
            "--report",
            folder.resolve("report")
        };
    }

    @Test
    void shouldRefuseAnOversizedBodyAndReadOn() throws Exception {
        String gateway = "http://127.0.0.1:"
                + Files.readString(cluster.directory().resolve("run/gateway.port"))
                        .strip();
        String key = Files.readString(cluster.directory().resolve("apikey")).strip();
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(gateway + "/api/v1/namespaces/_/actions/namenode0?blocking=true&result=true"))
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8)))
                .header("Content-Type", "application/json")
                .timeout(PatientWaits.PATIENCE)
                .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[(int) (2 * MEBIBYTE)]))
                .build();
        HttpResponse<String> answer = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(answer.body()).contains("request body larger than allowed");
    }

    /** No new entry for as long as the disk is full; everything else goes on, with instances that start meanwhile too. */
    @Test
    void shouldRefuseToGrowOnAFullDiskAndKeepEverythingElse() throws Exception {
        assumeTrue(disk.isMounted(), "may not mount a file system here: no disk can be filled");
        put("/doomed");
        disk.fill(64 * MEBIBYTE);
        assertThatThrownBy(() -> client.create(FsPath.of("/too-much"), new byte[10], CreateOptions.DEFAULT))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_FULL))
                .hasMessageContaining(cluster.data("store").toString())
                .hasMessageContaining("free some space");
        CommandRun run = fs("-mkdir", "/too-much");
        assertThat(run.exit()).as(run.err()).isEqualTo(1);
        assertThat(run.err()).contains("LFS-503");

        Awaitility.await("all instances are idle and end").until(() -> cluster.servingInstances() == 0);
        for (Map.Entry<FsPath, byte[]> each : acknowledged.entrySet()) {
            assertThat(client.read(each.getKey())).isEqualTo(each.getValue());
        }
        client.delete(FsPath.of("/doomed"), false);
        acknowledged.remove(FsPath.of("/doomed"));

        disk.fill(0);
        assertThatThrownBy(() -> client.create(FsPath.of("/too-much"), new byte[10], CreateOptions.DEFAULT))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_FULL));
        assertThat(client.read(FsPath.of("/first"))).isEqualTo(acknowledged.get(FsPath.of("/first")));

        disk.empty();
        Awaitility.await("it takes writes again").until(() -> {
            try {
                put("/again");
                return true;
            } catch (FsException full) {
                assertThat(full.code()).isEqualTo(ErrorCode.STORE_FULL);
                return false;
            }
        });
        assertThatThrownBy(() -> client.stat(FsPath.of("/too-much")))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
        assertThat(Files.readString(cluster.directory().resolve("logs/store.log")))
                .contains("is full: less than 134217728 bytes are free", "has room again");
    }

    @Test
    void shouldCloseConnectionsThatBringCorruptFramesAndAllocateNothingForThem() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "the ports of a process are looked up as on Linux");
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        Logger transport = (Logger) LoggerFactory.getLogger("io.lambdafs.rpc");
        logged.start();
        transport.addAppender(logged);
        try {
            client.stat(FsPath.of("/first"));
            int ports = assertRefused(ProcessHandle.current().pid());
            assertThat(ports - portsOfOthers).as("TCP servers of this client").isEqualTo(1);
            assertThat(logged.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .anyMatch(line -> line.contains("malformed frame: a frame of 1073741824 bytes; allowed are"));
        } finally {
            transport.detachAppender(logged);
        }
        assertInstancesAndServicesRefuse();
        assertThat(cluster.directory().resolve("logs/store.log")).content().contains("1073741824");
        assertThat(cluster.directory().resolve("logs/zookeeper.log"))
                .content()
                .contains("it has not proved to be of this cluster");
        try (Stream<Path> logs = Files.walk(cluster.directory().resolve("logs/instances"))) {
            assertThat(logs.filter(Files::isRegularFile))
                    .as("logs of instances")
                    .anySatisfy(log -> assertThat(log).content().contains("malformed frame: a frame of 1073741824"));
        }
    }

    /** Instances first, for idle ones end; what one that has ended meanwhile did does not count. */
    private void assertInstancesAndServicesRefuse() throws Exception {
        ClientConfigBuilder byHttp =
                ClientConfigBuilder.load(cluster.directory().resolve("client.json"));
        try (BlockingLambdaFs caller =
                BlockingLambdaFs.open(byHttp.tcpEnabled(false).build())) {
            caller.stat(FsPath.of("/first"));
        }
        List<ProcessHandle> processes = cluster.processes().stream()
                .filter(BadInputTest::isOurs)
                .collect(Collectors.toCollection(ArrayList::new));
        Collections.reverse(processes);
        List<Integer> ports = new ArrayList<>();
        for (ProcessHandle process : processes) {
            awaitListening(process);
            try {
                int refused = assertRefused(process.pid());
                if (process.isAlive()) {
                    ports.add(refused);
                }
            } catch (AssertionError | IOException e) {
                if (process.isAlive()) {
                    throw e;
                }
            }
        }
        assertThat(ports)
                .as("ports of processes")
                .hasSizeGreaterThanOrEqualTo(4)
                .allMatch(count -> count >= 1);
        // A serving instance listens for its platform and for other instances, the store for instances and for who
        // watches it.
        assertThat(ports).filteredOn(count -> count >= 2).hasSizeGreaterThanOrEqualTo(2);
    }

    /** The gateway has a shell too, which sets the priorities of prewarmed processes and listens to no port. */
    private static boolean isOurs(ProcessHandle process) {
        return process.info()
                .command()
                .filter(command -> command.endsWith("java"))
                .isPresent();
    }

    /** An instance that the load before has made start listens a little later. */
    private static void awaitListening(ProcessHandle process) {
        Awaitility.await()
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() ->
                        !process.isAlive() || !ListeningPorts.of(process.pid()).isEmpty());
    }

    /** Sends everything corrupt to every port of a process, which then has not grown; how many ports that were. */
    private int assertRefused(long pid) throws Exception {
        long before = residentBytes(pid);
        Set<Integer> ports = ListeningPorts.of(pid);
        List<Future<Boolean>> refused = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int port : ports) {
            for (CorruptInput input : CorruptInput.values()) {
                refused.add(senders.submit(() -> input.isRefusedBy(port)));
                names.add(input + " at port " + port + " of process " + pid);
            }
        }
        for (int i = 0; i < refused.size(); i++) {
            assertThat(get(refused.get(i))).as(names.get(i)).isTrue();
        }
        assertThat(residentBytes(pid) - before).as("growth of process %d", pid).isLessThan(256 * MEBIBYTE);
        return ports.size();
    }

    private static boolean get(Future<Boolean> refused) throws Exception {
        try {
            return refused.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException gone ? gone : e;
        }
    }

    private static long residentBytes(long pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
            }
        }
        throw new IOException("process " + pid + " has no VmRSS");
    }
}
