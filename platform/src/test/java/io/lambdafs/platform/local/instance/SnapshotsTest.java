package io.lambdafs.platform.local.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.platform.Json;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.http.HttpClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Instances from images: by an engine that starts the template again, and by CRIU where it is installed. */
@Tag("slow")
class SnapshotsTest {
    private static final int COPIES = 30;

    @TempDir
    private Path directory;

    private final SystemScheduler scheduler = new SystemScheduler("test", 4, 10_000);
    private final HttpClient http = new HttpClient(scheduler);
    private final AgainEngine engine = new AgainEngine();
    private ProcessLauncher launcher;

    @AfterEach
    void close() {
        if (launcher != null) {
            launcher.close();
        }
        http.close();
        scheduler.close();
    }

    private void open(SnapshotEngine by) throws IOException {
        launcher = ProcessLauncher.open(
                new ProcessLauncher.Settings(
                        Map.of("echo", EchoInstance.withTemplate(Map.of("FLAVOUR", "sweet"))),
                        directory.resolve("run"),
                        directory.resolve("logs"),
                        100_000,
                        Duration.ofSeconds(60),
                        false,
                        Duration.ofSeconds(5)),
                scheduler,
                http,
                Optional.of(by),
                images());
    }

    private Path images() {
        return directory.resolve("images");
    }

    private RunningInstance launch(String id) throws Exception {
        return launcher.launch("echo", 64, id).toCompletableFuture().get();
    }

    private static JsonNode run(RunningInstance instance) throws Exception {
        byte[] call = "{\"value\":{\"print\":\"hello\"}}".getBytes(StandardCharsets.UTF_8);
        return Json.parseObject(instance.run(call).toCompletableFuture().get().body());
    }

    private List<Path> imagesMade() {
        try (Stream<Path> all = Files.list(images())) {
            return all.filter(each -> Files.isDirectory(each)
                            && !each.getFileName().toString().startsWith("draft"))
                    .toList();
        } catch (IOException none) {
            return List.of();
        }
    }

    /** Starts an instance without an image, and waits until there is one. */
    private void makeImage() throws Exception {
        launch("i-first").kill();
        await().until(() -> imagesMade().size() == 1);
    }

    @Test
    void shouldTellACopyWhoItIsAndEndItAsAnyOther() throws Exception {
        open(engine);
        makeImage();
        RunningInstance copy = launch("i-copy");
        assertThat(engine.restored.get()).isEqualTo(1);
        JsonNode told = run(copy);
        assertThat(told.path("instance").asText()).isEqualTo("i-copy");
        assertThat(told.path("flavour").asText()).isEqualTo("sweet");
        assertThat(told.path("key").asText()).isEqualTo("null");
        await().until(() ->
                Files.readString(directory.resolve("logs/i-copy.log")).contains("hello"));
        copy.stop(Duration.ofSeconds(20));
        assertThat(copy.onExit().toCompletableFuture().get()).isEqualTo(143);
        await().until(() -> Files.notExists(directory.resolve("run/i-copy.pid")));
    }

    @Test
    void shouldTellATemplateNothingAndShowItsImageToNobody() throws Exception {
        open(engine);
        makeImage();
        for (String variable : engine.taken.get(0).split("\0")) {
            assertThat(variable.split("=")[0]).isIn("LANG", "LC_ALL", "TZ");
        }
        Path image = imagesMade().get(0);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(images())))
                .isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(image)) {
            assertThat(files)
                    .isNotEmpty()
                    .allSatisfy(each -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                            .isEqualTo("rw-------"));
        }
    }

    @Test
    void shouldStartWithoutAnImageWhereNoneCanBeRestored() throws Exception {
        open(engine);
        makeImage();
        engine.fails = true;
        for (int i = 0; i < 4; i++) {
            assertThat(run(launch("i-" + i)).path("instance").asText()).isEqualTo("i-" + i);
        }
        engine.fails = false;
        // It failed too often to be tried again.
        run(launch("i-last"));
        assertThat(engine.restored.get()).isZero();
    }

    @Test
    void shouldEndCopiesWithTheirLauncher() throws Exception {
        open(engine);
        makeImage();
        RunningInstance copy = launch("i-copy");
        launcher.close();
        assertThat(copy.onExit().toCompletableFuture().get()).isEqualTo(143);
    }

    /** Returns the program that holds a copy. */
    private static String holder(RunningInstance copy) {
        return ProcessHandle.of(copy.pid().orElseThrow())
                .flatMap(ProcessHandle::parent)
                .flatMap(ProcessHandle::parent)
                .flatMap(process -> process.info().command())
                .orElse("");
    }

    /** Returns the number of a process's session. */
    private static String session(long pid) throws IOException {
        String told = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        return told.substring(told.lastIndexOf(')') + 2).split(" ")[3];
    }

    @Test
    void shouldStartFromTheProgramWhereTheJvmIsToldHowToWork() {
        assertThat(Snapshots.mayServe(Map.of("JAVA_TOOL_OPTIONS", ""))).isTrue();
        assertThat(Snapshots.mayServe(Map.of("JAVA_TOOL_OPTIONS", "-javaagent:a.jar")))
                .isFalse();
        assertThat(Snapshots.mayServe(Map.of("LD_PRELOAD", "libjemalloc.so"))).isFalse();
    }

    @Test
    void shouldShareNothingAmongCopiesOfOneProcess() throws Exception {
        Criu.Found found = Criu.find(System.getenv());
        Assumptions.assumeTrue(found.engine().isPresent(), found.why());
        open(found.engine().get());
        makeImage();
        List<RunningInstance> copies = new ArrayList<>();
        Set<String> shared = new HashSet<>();
        for (int i = 0; i < COPIES; i++) {
            copies.add(launch("i-" + i));
        }
        for (RunningInstance copy : copies) {
            JsonNode told = run(copy);
            assertThat(shared.add(told.path("instance").asText())).isTrue();
            for (String number : told.path("random").asText().split(" ")) {
                assertThat(shared.add(number)).as(number).isTrue();
            }
            assertThat(shared.add("pid " + copy.pid().orElseThrow())).isTrue();
            assertThat(holder(copy)).endsWith("unshare");
            assertThat(session(copy.pid().orElseThrow()))
                    .as("it is scheduled as any other instance")
                    .isEqualTo(session(ProcessHandle.current().pid()));
            assertThat(shared.add(copy.endpoint())).isTrue();
        }
        RunningInstance first = copies.get(0);
        ProcessHandle.of(first.pid().orElseThrow()).orElseThrow().destroyForcibly();
        first.onExit().toCompletableFuture().get();
        copies.get(1).stop(Duration.ofSeconds(20));
        copies.get(1).onExit().toCompletableFuture().get();
        assertThat(run(copies.get(2)).path("instance").asText()).isEqualTo("i-2");
    }
}
