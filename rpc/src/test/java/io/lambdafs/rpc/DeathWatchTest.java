package io.lambdafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeathWatchTest {
    @TempDir
    private Path folder;

    /** Loses a thread in the way that its argument names, and would wait for ever. */
    static final class Victim {
        private Victim() {}

        public static void main(String[] arguments) throws InterruptedException {
            DeathWatch.endProcess();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> await(new CountDownLatch(1))));
            CountDownLatch wasAsked = new CountDownLatch(1);
            Thread victim = switch (arguments[0]) {
                case "error" -> new Thread(() -> overflow(0), "victim");
                case "return" ->
                    DeathWatch.lasting(task -> new Thread(task, "victim"), () -> false)
                            .newThread(() -> {});
                default ->
                    DeathWatch.lasting(task -> new Thread(task, "victim"), () -> wasAsked.getCount() == 0)
                            .newThread(() -> await(wasAsked));
            };
            victim.setDaemon(true);
            victim.start();
            if (arguments[0].equals("asked")) {
                wasAsked.countDown();
                victim.join();
                Runtime.getRuntime().halt(0);
            }
            new CountDownLatch(1).await();
        }

        @SuppressWarnings("InfiniteRecursion") // That is what it is for.
        private static int overflow(int depth) {
            return overflow(depth + 1) + 1;
        }

        private static void await(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private int exitCode(String how) throws Exception {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Victim.class.getName(),
                        how)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            process.waitFor();
            int code = process.exitValue();
            if (code != 0) {
                assertThat(Files.readString(output)).contains("Thread victim has died");
            }
            return code;
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void shouldEndAProcessWithAThreadThatDiesOfAnError() throws Exception {
        assertThat(exitCode("error")).isEqualTo(DeathWatch.EXIT_CODE);
    }

    @Test
    void shouldEndAProcessWithALastingThreadThatReturns() throws Exception {
        assertThat(exitCode("return")).isEqualTo(DeathWatch.EXIT_CODE);
    }

    @Test
    void shouldLetALastingThreadReturnWhenItIsToldTo() throws Exception {
        assertThat(exitCode("asked")).isZero();
    }
}
