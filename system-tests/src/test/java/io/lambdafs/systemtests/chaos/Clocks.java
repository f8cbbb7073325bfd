package io.lambdafs.systemtests.chaos;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A wall clock of its own for every process of a cluster: a folder in the place of the JDK's, whose {@code java} is a script that preloads a
 * library, built from {@code src/test/c}, with a file named by the process's id, and has the gateway start instances by the same script. The
 * monotonic clock is left alone. Stateless. (libfaketime does the same at the price of JVMs that take five to ten times as long to start.)
 */
final class Clocks {
    private static final Logger LOG = LoggerFactory.getLogger(Clocks.class);
    private static final Path SOURCE = Path.of("src/test/c/wallclock.c");
    /** More than a client's deadline. */
    private static final int FARTHEST_AHEAD_SECONDS = 120;

    private static final int FARTHEST_BEHIND_SECONDS = 30;
    private static final int LIMIT_SECONDS = 20;
    private static final int COMPILE_SECONDS = 60;

    private static final String SCRIPT = """
            #!/bin/sh
            case "$*" in
                *GatewayMain*) for conf; do :; done; sed -i 's|"{java}"|"%1$s/bin/java"|' "$conf" ;;
            esac
            printf '\\0\\0\\0\\0\\0\\0\\0\\0' >"%1$s/clocks/$$"
            export LD_PRELOAD="%1$s/wallclock.so" LAMBDAFS_CLOCK="%1$s/clocks/$$"
            exec "%2$s/bin/java" "$@"
            """;

    private final Path home;

    /**
     * Tells whether a clock was seen to be this many milliseconds off, since a moment of this process's monotonic
     * clock.
     */
    @FunctionalInterface
    interface Sight {
        boolean isOff(long millis, long sinceNanos) throws Exception;
    }

    private Clocks(Path home) {
        this.home = home;
    }

    /** Makes the folder; empty where there is no C compiler, or its system is not Linux. */
    static Optional<Clocks> prepare(Path home) throws IOException, InterruptedException {
        Files.createDirectories(home.resolve("bin"));
        Files.createDirectories(home.resolve("clocks"));
        if (!compile(home.resolve("wallclock.so"))) {
            return Optional.empty();
        }
        Path java = home.resolve("bin/java");
        Files.writeString(java, SCRIPT.formatted(home, System.getProperty("java.home")));
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        return Optional.of(new Clocks(home));
    }

    private static boolean compile(Path library) throws InterruptedException {
        List<String> command = List.of(
                "cc", "-std=gnu11", "-O2", "-shared", "-fPIC", "-o", library.toString(), SOURCE.toString(), "-ldl");
        try {
            Process compiler =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            boolean done = compiler.waitFor(COMPILE_SECONDS, TimeUnit.SECONDS) && compiler.exitValue() == 0;
            LOG.info("{}: {} {}", String.join(" ", command), done, said);
            return done && Files.isDirectory(Path.of("/proc/self"));
        } catch (IOException e) {
            LOG.info("No clock can be preloaded: {}", e.getMessage());
            return false;
        }
    }

    /** The JDK that processes with such a clock are to be started with. */
    Path javaHome() {
        return home;
    }

    /** Sets a process's clock off, to the past or the future, by seconds. */
    Hit jump(ProcessHandle process, SplittableRandom random, Sight sight) {
        int seconds = random.nextBoolean()
                ? random.nextInt(2, FARTHEST_AHEAD_SECONDS + 1)
                : -random.nextInt(2, FARTHEST_BEHIND_SECONDS + 1);
        return new Jump(process, home.resolve("clocks/" + process.pid()), seconds, sight);
    }

    private static final class Jump implements Hit {
        private final ProcessHandle process;
        private final Path clock;
        private final int seconds;
        private final Sight sight;
        private long since;

        Jump(ProcessHandle process, Path clock, int seconds, Sight sight) {
            this.process = process;
            this.clock = clock;
            this.seconds = seconds;
            this.sight = sight;
        }

        @Override
        public void begin() throws IOException {
            since = System.nanoTime();
            set(seconds);
        }

        @Override
        public boolean end() throws IOException {
            AtomicBoolean seen = new AtomicBoolean();
            Awaitility.await(this + " is seen")
                    .atMost(LIMIT_SECONDS, TimeUnit.SECONDS)
                    .until(() -> {
                        seen.set(sight.isOff(seconds * 1_000L, since));
                        return seen.get() || !process.isAlive();
                    });
            set(0);
            return seen.get();
        }

        @Override
        public void cleanUp() throws IOException {
            set(0);
        }

        /** In place: the process has it mapped. */
        private void set(long offset) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES)
                    .order(ByteOrder.nativeOrder())
                    .putLong(offset)
                    .flip();
            try (FileChannel file = FileChannel.open(clock, StandardOpenOption.WRITE)) {
                file.write(bytes);
            }
        }

        @Override
        public String toString() {
            return "clock of %d by %+d s".formatted(process.pid(), seconds);
        }
    }
}
