package io.lambdafs.testing.simulation;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;

/** {@code ./lambdafs test --simulate}: runs one seed, or fresh ones for a time. Exit code 1 if a run failed. */
public final class SimulationMain {
    private static final int FOUND = 1;
    private static final int USAGE = 64;
    private static final Duration PROGRESS = Duration.ofSeconds(10);

    private SimulationMain() {}

    /** The parsed command line. */
    private static final class Request {
        private long first = new SplittableRandom().nextLong(1L << 40);
        private boolean one;
        private Duration limit = Duration.ofMinutes(2);

        private Request(String[] arguments) {
            for (int i = 0; i < arguments.length; i++) {
                String value = i + 1 < arguments.length ? arguments[i + 1] : "";
                switch (arguments[i++]) {
                    case "--seed" -> {
                        first = number(value);
                        one = true;
                    }
                    case "--minutes" -> limit = Duration.ofMinutes(number(value));
                    case "--hours" -> limit = Duration.ofHours(number(value));
                    default -> throw new IllegalArgumentException("unknown option '" + arguments[i - 1] + "'");
                }
            }
        }

        private static long number(String text) {
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("'" + text + "' is not a whole number", e);
            }
        }
    }

    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Request request;
        try {
            request = new Request(arguments);
        } catch (IllegalArgumentException wrong) {
            System.err.println(
                    "lambdafs test --simulate: " + wrong.getMessage() + "; use --seed S, --minutes N or --hours N");
            System.exit(USAGE);
            return;
        }
        System.exit(request.one ? one(request.first, out) : several(request, out));
    }

    private static int one(long seed, PrintStream out) {
        Simulation.Outcome outcome = Simulation.run(seed);
        out.println("seed " + seed + ", history " + Long.toHexString(outcome.hash()) + ": " + outcome.statistics());
        if (outcome.violation() == null) {
            out.println("no violation");
            return 0;
        }
        out.println(report(outcome));
        return FOUND;
    }

    private static int several(Request request, PrintStream out) {
        long began = System.nanoTime();
        long end = began + request.limit.toNanos();
        long shown = began;
        Simulation.Statistics all = Simulation.Statistics.NONE;
        int failed = 0;
        for (long seed = request.first; System.nanoTime() < end; seed++) {
            Simulation.Outcome outcome = Simulation.run(seed);
            all = all.plus(outcome.statistics());
            if (outcome.violation() != null) {
                failed++;
                out.println(report(outcome));
            }
            long now = System.nanoTime();
            if (now - shown > PROGRESS.toNanos()) {
                shown = now;
                out.println(progress(seed - request.first + 1, all, now - began));
            }
        }
        out.println(all);
        out.println(failed == 0 ? "no violation" : failed + " seeds with violations");
        return failed == 0 ? 0 : FOUND;
    }

    private static String progress(long seeds, Simulation.Statistics all, long nanos) {
        return String.format(
                Locale.ROOT,
                "%d seeds, %d operations checked, %.0f per second",
                seeds,
                all.operations(),
                all.operations() / (nanos / 1e9));
    }

    /** Returns a report of the failure and how to reproduce it. */
    public static String report(Simulation.Outcome outcome) {
        return "VIOLATION under seed " + outcome.seed() + ": " + outcome.violation() + "\nreplay: "
                + replay(outcome.seed());
    }

    /** Returns the command that exactly reproduces a seed. */
    public static String replay(long seed) {
        return "./lambdafs test --simulate --seed " + seed;
    }
}
