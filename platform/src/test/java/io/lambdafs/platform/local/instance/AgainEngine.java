package io.lambdafs.platform.local.instance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** An engine that keeps a process's command in place of its memory, and starts it again, for tests. */
final class AgainEngine implements SnapshotEngine {
    /** The environment of each process whose image was taken. */
    final List<String> taken = new ArrayList<>();

    final AtomicInteger restored = new AtomicInteger();
    volatile boolean fails;

    @Override
    public String name() {
        return "again";
    }

    @Override
    public void take(Process process, Path image) throws IOException, InterruptedException {
        Path proc = Path.of("/proc", Long.toString(process.pid()));
        taken.add(Files.readString(proc.resolve("environ")));
        Files.copy(proc.resolve("cmdline"), image.resolve("command"));
        process.destroyForcibly().waitFor();
    }

    @Override
    public Restored restore(Path image, Path output) throws IOException {
        if (fails) {
            throw new IOException("planted");
        }
        List<String> command =
                new ArrayList<>(List.of(Files.readString(image.resolve("command"), StandardCharsets.UTF_8)
                        .split("\0")));
        command.set(
                command.size() - 1,
                Files.createTempDirectory("again").resolve("ready").toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                .start();
        restored.incrementAndGet();
        return new Restored(process, process::toHandle);
    }
}
