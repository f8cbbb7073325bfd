package io.lambdafs.systemtests.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** The checker, a program in Go: built from {@code src/test/porcupine}, then run on a history. */
final class Checker {
    private static final int LIMIT_MINUTES = 10;
    private static final Path SOURCES = Path.of("src/test/porcupine");

    private final Path program;
    private final Path target;

    /** The checker's output and exit code. */
    record Verdict(int exit, List<String> lines) {
        boolean isLegal() {
            return exit == 0;
        }

        String summary() {
            return lines.isEmpty() ? "nothing" : lines.get(lines.size() - 1);
        }
    }

    private Checker(Path program, Path target) {
        this.program = program;
        this.target = target;
    }

    /** Builds it; the test is skipped where there is no Go, or its one dependency cannot be had. */
    static Checker build(Path target) throws Exception {
        Files.createDirectories(target);
        Path log = target.resolve("build.log");
        Verdict fetched;
        try {
            fetched = run(SOURCES, log, "go", "mod", "download");
        } catch (IOException e) {
            fetched = new Verdict(1, List.of(String.valueOf(e.getMessage())));
        }
        Assumptions.assumeTrue(
                fetched.exit() == 0,
                "needs Go 1.24 or newer on the PATH (https://go.dev/doc/install) and its module proxy: " + fetched);
        Path program = target.resolve("porcupine").toAbsolutePath();
        Verdict built = run(SOURCES, log, "go", "build", "-o", program.toString(), ".");
        if (built.exit() != 0) {
            throw new AssertionError("the checker does not build: " + built.lines());
        }
        return new Checker(program, target);
    }

    Verdict judge(Path history) throws Exception {
        return run(
                Path.of("."),
                target.resolve("verdict.log"),
                program.toString(),
                "-out",
                target.toString(),
                history.toString());
    }

    private static Verdict run(Path directory, Path log, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("GOTOOLCHAIN", "local");
        Process process = builder.start();
        if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError(String.join(" ", command) + " did not end");
        }
        return new Verdict(process.exitValue(), Files.readAllLines(log));
    }
}
