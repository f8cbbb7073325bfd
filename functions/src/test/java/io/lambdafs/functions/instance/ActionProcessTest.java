package io.lambdafs.functions.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.store.StoreCoordinator;
import io.lambdafs.coordinator.zookeeper.EmbeddedZooKeeper;
import io.lambdafs.coordinator.zookeeper.ZooKeeperCoordinator;
import io.lambdafs.coordinator.zookeeper.ZooKeeperSettings;
import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.testkit.PatientWaits;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Role;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.store.Schema;
import io.lambdafs.store.memory.MemoryStore;
import io.lambdafs.store.server.StoreMessages;
import io.lambdafs.store.server.StoreServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Instances as processes of their own, against a store server and a ZooKeeper in this one. */
@Tag("slow")
class ActionProcessTest {
    @TempDir
    Path directory;

    private final SystemScheduler scheduler = new SystemScheduler("cluster", 4, 10_000);
    private final Transport transport =
            new NettyTransport(StoreMessages.codec(), 1, "cluster-loop", TransportLimits.DEFAULT);
    private final MemoryStore store = new MemoryStore(scheduler);
    private final List<Process> processes = new ArrayList<>();
    private Tokens tokens;
    private EmbeddedZooKeeper zookeeper;
    private Coordinator coordinator;
    private Path config;

    @BeforeEach
    void start() throws Exception {
        Path secretFile = directory.resolve("secret");
        Secret secret = Secret.loadOrCreate(secretFile);
        tokens = Tokens.signed(secret);
        Formatter.format(store, 2, "admin", scheduler.currentTimeMillis())
                .toCompletableFuture()
                .get();
        StoreServer server = StoreServer.start(
                        store, transport, tokens, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .toCompletableFuture()
                .get();
        zookeeper = EmbeddedZooKeeper.start(
                new EmbeddedZooKeeper.Settings(directory.resolve("zk"), "127.0.0.1", 0, secret));
        coordinator = new ZooKeeperCoordinator(
                new ZooKeeperSettings(zookeeper.connection(), "test", secret, true, Times.DEFAULT), scheduler);
        config = Files.writeString(directory.resolve("conf.json"), """
            {"fileSystem":"test","deployments":2,"superuser":"admin","store":"127.0.0.1:%d","zookeeper":"%s",
             "secretFile":"%s","cpuShare":1}\
            """.formatted(
                        server.address().getPort(), zookeeper.connection(), secretFile));
    }

    @AfterEach
    void stop() {
        processes.forEach(Process::destroyForcibly);
        coordinator.close();
        zookeeper.close();
        transport.close();
        scheduler.close();
    }

    private Process process(Map<String, String> environment, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true);
        builder.redirectOutput(directory.resolve("log-" + processes.size()).toFile());
        Process started = builder.start();
        processes.add(started);
        return started;
    }

    private Process action(Map<String, String> more) throws IOException {
        Map<String, String> environment = new java.util.HashMap<>();
        environment.put("LAMBDAFS_ACTION_PORT", "0");
        environment.put("LAMBDAFS_ACTION_PORT_FILE", directory.resolve("port").toString());
        environment.put("LAMBDAFS_CONF", config.toString());
        environment.putAll(more);
        return process(
                environment,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ActionMain.class.getName());
    }

    private String log(int process) throws IOException {
        return Files.readString(directory.resolve("log-" + process));
    }

    private int port(Process started) throws IOException {
        Path file = directory.resolve("port");
        await().until(() -> Files.exists(file) || !started.isAlive());
        assertThat(started.isAlive()).as(log(0)).isTrue();
        return Integer.parseInt(Files.readString(file).strip());
    }

    private static HttpResponse<String> post(int port, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(PatientWaits.PATIENCE)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private OperationReply run(int port, long sequence, Operation<?> operation) throws Exception {
        WireWriter out = new WireWriter();
        RequestId id = new RequestId(5, 6, 0, sequence);
        RpcMessages.codec()
                .write(out, new OperationRequest(0, id, 1, scheduler.currentTimeMillis() + 60_000, operation));
        String token =
                tokens.mint(new Principal("admin", List.of(Principal.SUPERGROUP)), Role.CLIENT, Duration.ofMinutes(1));
        String body = "{\"value\":{\"v\":1,\"request\":\"" + Base64.getEncoder().encodeToString(out.toByteArray())
                + "\",\"token\":\"" + token + "\",\"tcp\":[]}}";
        HttpResponse<String> response = post(port, "/run", body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        String encoded = response.body().replaceAll(".*\"reply\":\"([^\"]*)\".*", "$1");
        return (OperationReply)
                RpcMessages.codec().read(new WireReader(Base64.getDecoder().decode(encoded)));
    }

    /** Returns a process's open sockets of TCP and UDP, on Linux. */
    private static List<String> sockets(Process process) throws IOException {
        List<String> open = new ArrayList<>();
        String network = "";
        for (String protocol : List.of("tcp", "tcp6", "udp", "udp6")) {
            Path table = Path.of("/proc/net", protocol);
            network += Files.exists(table) ? Files.readString(table) : "";
        }
        Path all = Path.of("/proc", Long.toString(process.pid()), "fd");
        if (Files.isDirectory(all)) {
            try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(all)) {
                for (Path each : descriptors) {
                    String target = Files.readSymbolicLink(each).toString();
                    if (target.startsWith("socket:") && network.contains(" " + target.replaceAll("\\D", "") + " ")) {
                        open.add(target);
                    }
                }
            }
        }
        return open;
    }

    private static int members(Coordinator keeper) throws Exception {
        return keeper.members().toCompletableFuture().get().members().size();
    }

    @Test
    void shouldServeAndLeaveInOrderOnSigterm() throws Exception {
        Process instance = action(Map.of());
        int port = port(instance);
        assertThat(post(port, "/init", "{\"value\":{\"name\":\"nn1\"}}").statusCode())
                .as(log(0))
                .isEqualTo(200);
        assertThat(run(port, 1, new NamespaceOperation.Mkdirs(FsPath.of("/x"), 0755, true))
                        .reply())
                .isEqualTo(Reply.Done.YES);
        OperationReply found = run(port, 2, new ReadOperation.Stat(FsPath.of("/x")));
        assertThat(found.reply()).isInstanceOf(Reply.Status.class);
        assertThat(members(coordinator)).isEqualTo(1);
        instance.destroy();
        instance.waitFor();
        assertThat(members(coordinator)).isZero();
        assertThat(instance.exitValue()).isEqualTo(143);
    }

    /** Each would cost the first request milliseconds: the JVM makes classes for it, which no archive keeps. */
    @Test
    void shouldLinkNoRecordsMethodsOnTheWayToTheFirstReply() throws Exception {
        Path classes = directory.resolve("classes");
        Process instance = action(Map.of("JAVA_TOOL_OPTIONS", "-Xlog:class+load:file=" + classes));
        int port = port(instance);
        post(port, "/init", "{\"value\":{\"name\":\"nn1\"}}");
        OperationReply found = run(port, 1, new ReadOperation.Stat(FsPath.ROOT));
        assertThat(found.reply()).isInstanceOf(Reply.Status.class);

        assertThat(Files.readString(classes))
                .contains(RequestId.class.getName())
                .doesNotContain("java.lang.runtime.ObjectMethods");
    }

    @Test
    void shouldRehearseWhileItWaitsWithoutATraceAtTheOthers() throws Exception {
        Files.writeString(config, Files.readString(config).replaceFirst("\\{", "{\"logLevel\":\"DEBUG\","));
        Process instance = action(Map.of());
        int port = port(instance);
        await().until(() -> log(0).contains("instance rehearsal-other ended: left")
                || log(0).contains("The rehearsal was cut short"));
        if (!log(0).contains("The rehearsal was cut short")) {
            // Its steps have limits, which a busy machine may exceed.
            assertThat(log(0))
                    .contains("Instance rehearsal serves deployment", "Connected to the client at 127.0.0.1:");
        }
        assertThat(members(coordinator)).isZero();
        assertThat(store.rows())
                .extracting(row -> row.key().table())
                .doesNotContain(Schema.EPOCHS, Schema.INSTANCES, Schema.MEMBERS);
        assertThat(post(port, "/init", "{\"value\":{\"name\":\"nn1\"}}").statusCode())
                .as(log(0))
                .isEqualTo(200);
        OperationReply made = run(port, 1, new NamespaceOperation.Mkdirs(FsPath.of("/x"), 0755, true));
        assertThat(made.reply()).isEqualTo(Reply.Done.YES);
        await().until(() -> members(coordinator) == 1);
    }

    @Test
    void shouldJoinAndLeaveWhereTheStoreCoordinatesAndRelays() throws Exception {
        Files.writeString(
                config,
                Files.readString(config)
                        .replaceFirst("\"zookeeper\":\"[^\"]*\"", "\"coordinator\":\"store\",\"inv\":\"relayed\""));
        Coordinator inStore = new StoreCoordinator(store, scheduler, Times.DEFAULT);
        Process instance = action(Map.of());
        int port = port(instance);
        assertThat(post(port, "/init", "{\"value\":{\"name\":\"nn1\"}}").statusCode())
                .as(log(0))
                .isEqualTo(200);
        assertThat(run(port, 1, new NamespaceOperation.Mkdirs(FsPath.of("/x"), 0755, true))
                        .reply())
                .isEqualTo(Reply.Done.YES);
        assertThat(members(inStore)).isEqualTo(1);
        assertThat(members(coordinator)).as("nothing in ZooKeeper").isZero();
        instance.destroy();
        instance.waitFor();
        assertThat(members(inStore)).isZero();
    }

    /** The configuration without a file of the secret, and the secret. */
    private Map<String, String> told() throws Exception {
        return Map.of(
                "LAMBDAFS_CONFIG",
                Files.readString(config).replaceFirst("\"secretFile\":\"[^\"]*\",", ""),
                "LAMBDAFS_SECRET",
                Files.readString(directory.resolve("secret")));
    }

    @Test
    void shouldTakeItsConfigurationFromInitWhereOpenWhiskGivesContainersNone() throws Exception {
        Process instance =
                action(Map.of("LAMBDAFS_CONF", "", "__OW_API_HOST", "http://x", "LAMBDAFS_LISTEN_HOST", "127.0.0.1"));
        int port = port(instance);
        assertThat(post(port, "/run", "{}").statusCode()).isEqualTo(500);
        HttpResponse<String> untold = post(port, "/init", "{\"value\":{\"name\":\"nn1\"}}");
        assertThat(untold.statusCode()).isEqualTo(400);
        assertThat(untold.body()).contains("LAMBDAFS_CONFIG");

        String environment = new ObjectMapper().writeValueAsString(told());
        String init = "{\"value\":{\"name\":\"nn1\",\"env\":" + environment + "}}";
        assertThat(post(port, "/init", init).statusCode()).as(log(0)).isEqualTo(200);
        assertThat(post(port, "/init", init).statusCode()).isEqualTo(403);
        assertThat(run(port, 1, new NamespaceOperation.Mkdirs(FsPath.of("/x"), 0755, true))
                        .reply())
                .isEqualTo(Reply.Done.YES);
        assertThat(members(coordinator)).isEqualTo(1);
        assertThat(log(0)).contains("XXX_THE_END_OF_A_WHISK_ACTIVATION_XXX");
        instance.destroy();
        instance.waitFor();
        assertThat(members(coordinator)).isZero();
    }

    @Test
    void shouldStartByItselfAndLeaveInOrderWhereItsDeploymentIsAVariable() throws Exception {
        Map<String, String> environment = new java.util.HashMap<>(told());
        environment.put("LAMBDAFS_CONF", "");
        environment.put("LAMBDAFS_ACTION_PORT", "");
        environment.put("PORT", "0");
        environment.put("LAMBDAFS_DEPLOYMENT", "1");
        Process instance = action(environment);
        int port = port(instance);
        await().until(() -> members(coordinator) == 1);
        assertThat(post(port, "/", "{\"v\":1,\"token\":\"\",\"tcp\":[]}").statusCode())
                .as(log(0))
                .isEqualTo(200);
        instance.destroy();
        instance.waitFor();
        assertThat(members(coordinator)).isZero();
    }

    @Test
    void shouldEndWhenItsParentHasEnded() throws Exception {
        Process parent = process(Map.of(), "sleep", "600");
        Process instance = action(
                Map.of("LAMBDAFS_PARENT_PID", Long.toString(parent.pid()), "LAMBDAFS_PARENT_GRACE_MILLIS", "100"));
        await().until(() -> Files.exists(directory.resolve("port")) || !instance.isAlive());
        assertThat(instance.isAlive()).as(log(1)).isTrue();
        parent.destroyForcibly();
        instance.waitFor();
        assertThat(instance.exitValue()).isZero();
    }

    /** Returns a process that has rehearsed, and waits to be told who it is. */
    private Process template() throws IOException {
        Path ready = directory.resolve("ready");
        Process template = process(
                Map.of(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                TemplateMain.class.getName(),
                ready.toString());
        await().until(() -> Files.exists(ready) || !template.isAlive());
        assertThat(template.isAlive()).as(log(0)).isTrue();
        return template;
    }

    /** Returns the names of a process's threads, cut to 15 letters, on Linux. */
    private static List<String> threads(Process process) throws IOException {
        List<String> names = new ArrayList<>();
        Path all = Path.of("/proc", Long.toString(process.pid()), "task");
        if (Files.isDirectory(all)) {
            try (DirectoryStream<Path> threads = Files.newDirectoryStream(all)) {
                for (Path each : threads) {
                    name(each).ifPresent(names::add);
                }
            }
        }
        return names;
    }

    /** Returns a thread's name; empty if the thread has ended. */
    private static Optional<String> name(Path thread) {
        try {
            return Optional.of(Files.readString(thread.resolve("comm")).strip());
        } catch (IOException ended) {
            return Optional.empty();
        }
    }

    /** Every copy would have them: connections of another's, timers that renew a lease which nobody has any more. */
    @Test
    void shouldKeepNoSocketAndNoThreadOfItsRehearsalForAnImage() throws Exception {
        Process template = template();
        await().until(() -> sockets(template).isEmpty());
        await().untilAsserted(() -> assertThat(threads(template))
                .noneMatch(name -> name.matches("(worker|control|loop|peers|http|template|rehearsal|global|multi).*")));
        assertThat(threads(template)).as("what is looked for has such names").isNotEmpty();
    }

    /** As one that is restored from the image of a template: told by its standard input, whose end is its parent's. */
    @Test
    void shouldBeWhoItIsToldToBeAfterItsTemplateHasRehearsed() throws Exception {
        Process template = template();
        assertThat(directory.resolve("port")).doesNotExist();
        template.getOutputStream()
                .write(("LAMBDAFS_ACTION_PORT=0\0LAMBDAFS_ACTION_PORT_FILE=" + directory.resolve("port")
                                + "\0LAMBDAFS_CONF=" + config + "\0LAMBDAFS_PARENT_GRACE_MILLIS=100\0\0")
                        .getBytes(StandardCharsets.UTF_8));
        template.getOutputStream().flush();
        int port = port(template);
        assertThat(post(port, "/init", "{\"value\":{\"name\":\"nn1\"}}").statusCode())
                .as(log(0))
                .isEqualTo(200);
        assertThat(run(port, 1, new NamespaceOperation.Mkdirs(FsPath.of("/x"), 0755, true))
                        .reply())
                .isEqualTo(Reply.Done.YES);
        assertThat(members(coordinator)).isEqualTo(1);
        template.getOutputStream().close();
        template.waitFor();
        assertThat(template.exitValue()).isZero();
        assertThat(members(coordinator)).isZero();
    }

    @Test
    void shouldServeOnForAWhileWhenItsParentHasEnded() throws Exception {
        Process parent = process(Map.of(), "sleep", "600");
        Process instance = action(Map.of("LAMBDAFS_PARENT_PID", Long.toString(parent.pid())));
        await().until(() -> Files.exists(directory.resolve("port")) || !instance.isAlive());
        assertThat(instance.isAlive()).as(log(1)).isTrue();
        int port = Integer.parseInt(Files.readString(directory.resolve("port")).strip());
        post(port, "/init", "{\"value\":{\"name\":\"nn1\"}}");
        parent.destroyForcibly();
        await().until(() -> log(1).contains("has ended"));
        assertThat(run(port, 1, new NamespaceOperation.Mkdirs(FsPath.of("/x"), 0755, true))
                        .reply())
                .isEqualTo(Reply.Done.YES);
        assertThat(instance.isAlive()).isTrue();
    }

    @Test
    void shouldSayWhatIsWrongAndExit() throws Exception {
        Process missing = action(Map.of("LAMBDAFS_CONF", "/nowhere"));
        missing.waitFor();
        assertThat(missing.exitValue()).isEqualTo(69);
        assertThat(log(0)).contains("no configuration file /nowhere").doesNotContain("\tat ");

        Files.writeString(config, "{\"store\":1}");
        Process wrong = action(Map.of());
        wrong.waitFor();
        assertThat(wrong.exitValue()).isEqualTo(64);
        assertThat(log(1)).contains("\"store\"").doesNotContain("\tat ");
    }

    @Test
    void shouldSayThatItsPortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Process instance = action(Map.of("LAMBDAFS_ACTION_PORT", Integer.toString(taken.getLocalPort())));
            instance.waitFor();
            assertThat(instance.exitValue()).isEqualTo(69);
            assertThat(log(0)).contains(Integer.toString(taken.getLocalPort())).doesNotContain("\tat ");
        }
    }
}
