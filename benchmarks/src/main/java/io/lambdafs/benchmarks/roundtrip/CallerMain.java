package io.lambdafs.benchmarks.roundtrip;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.model.Attributes;
import io.lambdafs.model.FileOperation;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.NamespaceOperation;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The main class of the measuring process. Arguments: the client's configuration, the rounds, the milliseconds of a
 * turn, and the command line of the bare exchange's server without its last two arguments. It prints a line for each
 * turn: the kind of call, its median and 99th percentile in nanoseconds, and the number of calls.
 */
public final class CallerMain {
    private static final int WARM_UP_TURNS = 3;
    private static final int DIGITS = 3;

    private final long turnNanos;

    /** The measured call. */
    private interface Call {
        void call() throws InterruptedException;
    }

    private CallerMain(long turnNanos) {
        this.turnNanos = turnNanos;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int rounds = Integer.parseInt(arguments[1]);
        CallerMain caller = new CallerMain(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[2])));
        try (BlockingLambdaFs client = BlockingLambdaFs.open(ClientConfig.load(Path.of(arguments[0])))) {
            FsPath directory = FsPath.of("/bench-roundtrip-" + System.currentTimeMillis());
            FsPath file = directory.child("part-0000000");
            client.execute(new NamespaceOperation.Mkdirs(directory, 0755, true));
            client.execute(new FileOperation.Create(file, 0644, false, false, 1, 1 << 27, new byte[0], null));
            Attributes found = client.stat(file);
            Exchange exchange = Exchange.ofStat(file, found);
            Process server = server(List.of(arguments).subList(3, arguments.length), exchange);
            try (BufferedReader output = server.inputReader(StandardCharsets.UTF_8);
                    PingPong bare = new PingPong(Integer.parseInt(output.readLine()), exchange)) {
                for (int i = -WARM_UP_TURNS; i < rounds; i++) {
                    caller.turn("stat", i >= 0, () -> client.stat(file));
                    caller.turn("bare", i >= 0, bare::call);
                }
            } finally {
                server.destroyForcibly();
                client.execute(new NamespaceOperation.Delete(directory, true));
            }
        }
        System.exit(0);
    }

    private static Process server(List<String> command, Exchange exchange) throws IOException {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of(Integer.toString(exchange.request()), Integer.toString(exchange.reply())));
        return new ProcessBuilder(all)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private void turn(String what, boolean counts, Call call) throws InterruptedException {
        Histogram nanos = new Histogram(DIGITS);
        long begun = System.nanoTime();
        long now = begun;
        while (now - begun < turnNanos) {
            call.call();
            long then = System.nanoTime();
            nanos.recordValue(then - now);
            now = then;
        }
        if (counts) {
            System.out.println(what + " " + nanos.getValueAtPercentile(50) + " " + nanos.getValueAtPercentile(99) + " "
                    + nanos.getTotalCount());
        }
    }
}
