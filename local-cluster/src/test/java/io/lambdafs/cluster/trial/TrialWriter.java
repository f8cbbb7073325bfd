package io.lambdafs.cluster.trial;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.client.FileWriter;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.model.FsException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The program that writes a trial's files: reads their numbers, one a line, and says on lines of its own that one is begun, that a piece of it has been
 * taken, and how it ended. Ends when its input does.
 */
final class TrialWriter {
    static final int AT_ONCE = 4;
    private static final int PIECE = 128 << 10;

    private final LambdaFs fs;
    private final PrintStream out;
    /** In the middle of a file it waits until this exists; null for no wait. */
    private final @Nullable Path gate;

    private TrialWriter(LambdaFs fs, PrintStream out, @Nullable Path gate) {
        this.fs = fs;
        this.out = out;
        this.gate = gate;
    }

    /** @param arguments the cluster's {@code client.json}, and perhaps what it waits for in the middle of a file */
    public static void main(String[] arguments) throws IOException {
        PrintStream out =
                new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try (LambdaFs fs = LambdaFs.open(ClientConfig.load(Path.of(arguments[0])))) {
            TrialWriter writer = new TrialWriter(fs, out, arguments.length > 1 ? Path.of(arguments[1]) : null);
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                TrialFile file = new TrialFile(Integer.parseInt(line));
                threads.execute(() -> writer.write(file));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void write(TrialFile file) {
        say("begun", file, "");
        try {
            FileWriter writer = BlockingLambdaFs.await(
                    fs.writer(file.path(), CreateOptions.DEFAULT.withBlockSize(file.blockSize())));
            try {
                byte[] content = file.content();
                for (int at = 0; at < content.length; at += PIECE) {
                    if (at >= content.length / 2 && at - PIECE < content.length / 2) {
                        say("half", file, "");
                        awaitGate();
                    }
                    writer.write(ByteBuffer.wrap(content, at, Math.min(PIECE, content.length - at)));
                    say("wrote", file, "");
                }
                writer.complete();
            } catch (FsException e) {
                writer.abandon();
                throw e;
            }
            say("done", file, "");
        } catch (FsException e) {
            say("failed", file, e.code() + " " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitGate() throws InterruptedException {
        while (gate != null && !Files.exists(gate)) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private void say(String what, TrialFile file, String more) {
        out.println(what + " " + file.number() + " " + more.replace('\n', ' '));
    }
}
