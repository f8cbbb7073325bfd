package io.lambdafs.platform.local.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lambdafs.platform.Json;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.http.HttpClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class ProcessLauncherTest {
    @TempDir
    private Path directory;

    private final SystemScheduler scheduler = new SystemScheduler("test", 4, 10_000);
    private final HttpClient http = new HttpClient(scheduler);
    private ProcessLauncher launcher;

    @AfterEach
    void close() {
        if (launcher != null) {
            launcher.close();
        }
        http.close();
        scheduler.close();
    }

    @Test
    void shouldStartAProcessThatSpeaksTheProtocolAndEndItInOrder() throws Exception {
        launcher = open(Duration.ofSeconds(60));
        RunningInstance instance = launch("echo", "i-1");
        assertThat(instance.init(bytes("{\"value\":{\"env\":{\"a\":\"b\"}}}"))
                        .toCompletableFuture()
                        .get()
                        .status())
                .isEqualTo(200);
        ActionReply reply = instance.run(bytes("{\"value\":{\"x\":1}}"))
                .toCompletableFuture()
                .get();
        assertThat(Json.parseObject(reply.body()).toString())
                .contains("\"instance\":\"i-1\"", "\"flavour\":\"sweet\"", "\"key\":\"null\"", "\"x\":1", "{\\\"a\\\"");
        assertThat(instance.metrics().toCompletableFuture().get().sum("lambdafs_billed_milliseconds_total"))
                .isEqualTo(4321);
        long pid = instance.pid().orElseThrow();
        assertThat(directory.resolve("run/i-1.pid")).exists();
        instance.stop(Duration.ofSeconds(20));
        assertThat(instance.onExit().toCompletableFuture().get()).isEqualTo(143);
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        await().until(() -> Files.notExists(directory.resolve("run/i-1.pid")));
        assertThat(instance.metrics().toCompletableFuture().get().isEmpty()).isTrue();
    }

    @Test
    void shouldKeepItsOutputInABoundedFile() throws Exception {
        launcher = open(Duration.ofSeconds(60));
        RunningInstance instance = launch("echo", "i-1");
        long before = instance.log().position();
        instance.run(bytes("{\"value\":{\"print\":\"hello log\"}}"))
                .toCompletableFuture()
                .get();
        await().until(() -> instance.log().position() > before);
        long after = instance.log().position();
        assertThat(instance.log().lines(before, after, 1000)).containsExactly("hello log");
        assertThat(instance.log().lines(before, after, 5)).containsExactly("hello");
        String line = "x".repeat(60_000);
        for (int i = 0; i < 4; i++) {
            instance.run(bytes("{\"value\":{\"print\":\"" + line + "\"}}"))
                    .toCompletableFuture()
                    .get();
        }
        Path log = directory.resolve("logs/i-1.log");
        await().until(() -> Files.size(log) == 0);
        assertThat(directory.resolve("logs/i-1.log.1")).exists();
        assertThat(instance.log().lines(before, after, 1000)).isEmpty();
        long cut = instance.log().position();
        instance.run(bytes("{\"value\":{\"print\":\"after\"}}"))
                .toCompletableFuture()
                .get();
        await().untilAsserted(() -> assertThat(
                        instance.log().lines(cut, instance.log().position(), 1000))
                .containsExactly("after"));
    }

    /** Returns the niceness of each thread of an instance. */
    private static Set<Integer> niceness(RunningInstance instance) throws IOException {
        Set<Integer> all = new HashSet<>();
        Path tasks = Path.of("/proc", Long.toString(instance.pid().orElseThrow()), "task");
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path each : threads) {
                niceness(each).ifPresent(all::add);
            }
        }
        return all;
    }

    /** Returns the niceness of a thread; empty if it has ended. */
    private static OptionalInt niceness(Path thread) {
        try {
            String told = Files.readString(thread.resolve("stat"));
            return OptionalInt.of(
                    Integer.parseInt(told.substring(told.lastIndexOf(')') + 2).split(" ")[16]));
        } catch (IOException ended) {
            return OptionalInt.empty();
        }
    }

    @Test
    void shouldStartAheadAtIdlePriorityUntilSomebodyWaits() throws Exception {
        Assumptions.assumeTrue(Signals.mayRaise(), "this process may not raise a priority");
        launcher = open(Duration.ofSeconds(60));
        RunningInstance ahead =
                launcher.launchAhead("echo", 64, "i-1").toCompletableFuture().get();
        assertThat(niceness(ahead)).containsExactly(19);
        launcher.hurry("i-1");
        await().untilAsserted(() -> assertThat(niceness(ahead)).containsExactly(0));
        CompletionStage<RunningInstance> awaited = launcher.launchAhead("echo", 64, "i-2");
        launcher.hurry("i-2");
        RunningInstance second = awaited.toCompletableFuture().get();
        await().untilAsserted(() -> assertThat(niceness(second)).containsExactly(0));
    }

    @Test
    void shouldFailALaunchThatEndsOrDoesNotListenOrCannotBegin() throws Exception {
        launcher = open(Duration.ofSeconds(2));
        assertThatThrownBy(() -> launch("fail", "i-1")).hasMessageContaining("exit code 7");
        assertThatThrownBy(() -> launch("mute", "i-2")).hasMessageFindingMatch("did not listen within [0-9]{4,} ms");
        assertThatThrownBy(() -> launch("missing", "i-3")).hasMessageContaining("cannot start instance i-3");
        assertThatThrownBy(() -> launch("unknown", "i-4")).hasMessageContaining("unknown kind");
        await().until(() -> {
            try (var files = Files.list(directory.resolve("run"))) {
                return files.map(Path::getFileName).map(Path::toString).toList().equals(List.of("gateway.lock"));
            }
        });
    }

    @Test
    void shouldRefuseADirectoryThatAnotherGatewayUses() throws Exception {
        launcher = open(Duration.ofSeconds(60));
        assertThatThrownBy(() -> open(Duration.ofSeconds(60)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("in use by another gateway");
    }

    @Test
    void shouldEndWhatAKilledGatewayLeftBehind() throws Exception {
        Files.createDirectories(directory.resolve("run"));
        Process orphan = new ProcessBuilder("sleep", "600").start();
        Process bystander = new ProcessBuilder("sleep", "600").start();
        try {
            note(
                    "i-old",
                    orphan.pid(),
                    orphan.info().startInstant().orElseThrow().toString());
            note("i-reused", bystander.pid(), "2001-01-01T00:00:00Z");
            note("i-torn", bystander.pid(), "");
            Files.writeString(directory.resolve("run/i-old.port"), "1234");
            launcher = open(Duration.ofSeconds(60));
            orphan.waitFor();
            assertThat(bystander.isAlive()).isTrue();
            assertThat(directory.resolve("run/i-old.pid")).doesNotExist();
            assertThat(directory.resolve("run/i-old.port")).doesNotExist();
            assertThat(directory.resolve("run/i-torn.pid")).doesNotExist();
        } finally {
            orphan.destroyForcibly();
            bystander.destroyForcibly();
        }
    }

    @Test
    void shouldEndItsProcessesWhenClosed() throws Exception {
        launcher = open(Duration.ofSeconds(60));
        RunningInstance instance = launch("echo", "i-1");
        launcher.close();
        assertThat(instance.onExit().toCompletableFuture().get()).isEqualTo(143);
    }

    @Test
    void shouldRefuseUnknownVariables() {
        assertThatThrownBy(() -> new KindCommand(List.of("{jvm}"), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("{jvm}");
        assertThat(new KindCommand(List.of("-Xmx{heapMb}m", "{instanceId}"), Map.of()).commandLine(1000, "i-$1"))
                .containsExactly("-Xmx700m", "i-$1");
    }

    private void note(String id, long pid, String start) throws IOException {
        Files.writeString(directory.resolve("run/" + id + ".pid"), pid + " " + start + "\n");
    }

    private RunningInstance launch(String kind, String id) throws Exception {
        return launcher.launch(kind, 64, id).toCompletableFuture().get();
    }

    private ProcessLauncher open(Duration startLimit) throws IOException {
        return ProcessLauncher.open(
                new ProcessLauncher.Settings(
                        Map.of(
                                "echo", EchoInstance.command(Map.of("FLAVOUR", "sweet")),
                                "fail", EchoInstance.command(Map.of(), "fail"),
                                "mute", EchoInstance.command(Map.of(), "mute"),
                                "missing", new KindCommand(List.of("/no/such/program"), Map.of())),
                        directory.resolve("run"),
                        directory.resolve("logs"),
                        100_000,
                        startLimit,
                        false,
                        Duration.ofSeconds(5)),
                scheduler,
                http);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
