package io.lambdafs.hammer.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.hammer.replay.ClusterProbe;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.tree.MemoryFileSystem;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An audit log of HDFS with rotations and noise, as large as {@value #MEGABYTES} says, is replayed whole. {@code ./lambdafs test --audit-log} has 1 GB of it. */
final class AuditTrialTest {
    private static final String MEGABYTES = "lambdafs.audit.megabytes";
    private static final long SEED = 3;
    private static final int PER_SECOND = 2_000;
    private static final double SPEED_UP = 25;
    private static final int FILES = 8;
    private static final int NOISE_EVERY = 1_000;
    private static final FsPath UNDER = FsPath.of("/replay");
    private static final Path REPORT = Path.of("target", "audit-trial", "report.txt");

    @TempDir
    private Path folder;

    private final GeneratedTrace generated = new GeneratedTrace(SEED, PER_SECOND);
    private final Map<String, Long> mix = new TreeMap<>();
    private final Map<String, Long> noise = new TreeMap<>();
    private long bytes;

    /** Counts what arrives, by the first two names of its path, and does it. */
    private static final class Counting implements Target {
        private final MemoryFileSystem files = new MemoryFileSystem();
        private final Map<String, LongAdder> seen = new ConcurrentHashMap<>();

        @Override
        public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
            String path = operation.path().toString().substring(UNDER.toString().length());
            seen.computeIfAbsent(area(path), any -> new LongAdder()).increment();
            return files.execute(operation);
        }

        Map<String, Long> seen() {
            Map<String, Long> counts = new TreeMap<>();
            seen.forEach((area, count) -> counts.put(area, count.sum()));
            return counts;
        }
    }

    private static String area(String path) {
        int second = path.indexOf('/', 1);
        int third = second < 0 ? -1 : path.indexOf('/', second + 1);
        // Jobs' own directories are too many to tell apart.
        return path.startsWith("/warehouse/")
                ? third < 0 ? path : path.substring(0, third)
                : path.substring(0, Math.max(1, second));
    }

    private void write(Path file, long until) throws IOException {
        try (OutputStream raw = Files.newOutputStream(file);
                OutputStream packed = file.toString().endsWith(".gz") ? new GZIPOutputStream(raw, 1 << 16) : raw;
                BufferedWriter out = new BufferedWriter(new OutputStreamWriter(packed, StandardCharsets.UTF_8))) {
            while (bytes < until) {
                GeneratedTrace.Line line = generated.next();
                mix.merge(area(line.path()), 1L, Long::sum);
                String text = GeneratedTrace.audit(line);
                put(out, text);
                if (generated.written() % NOISE_EVERY == 0) {
                    put(out, noise(text));
                }
            }
        }
    }

    private void put(BufferedWriter out, String line) throws IOException {
        out.write(line);
        out.write('\n');
        bytes += line.length() + 1;
    }

    /** Returns a line of noise, as other programs and accidents leave in such logs. */
    private String noise(String good) {
        switch ((int) (generated.written() / NOISE_EVERY % 4)) {
            case 0 -> {
                noise.merge(AuditLine.TRUNCATED, 1L, Long::sum);
                return good.substring(0, good.indexOf("\tdst="));
            }
            case 1 -> {
                noise.merge("command setTimes", 1L, Long::sum);
                return good.replaceFirst("cmd=[A-Za-z]+", "cmd=setTimes");
            }
            case 2 -> {
                noise.merge(AuditLine.NO_RECORD, 1L, Long::sum);
                return "java.io.IOException: a stack trace\tof somebody";
            }
            default -> {
                noise.merge(AuditLine.REFUSED, 1L, Long::sum);
                return good.replace("allowed=true", "allowed=false");
            }
        }
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void shouldReplayAWholeLogWithItsMixKeptAndItsNoiseCounted() throws Exception {
        long size = Long.getLong(MEGABYTES, 2) << 20;
        long begun = System.nanoTime();
        for (int i = 0; i < FILES; i++) {
            String name = i == FILES - 1 ? "hdfs-audit.log" : "hdfs-audit.log." + (FILES - 1 - i);
            write(folder.resolve(i % 2 == 0 ? name : name + ".gz"), size * (i + 1) / FILES);
        }
        double written = (System.nanoTime() - begun) / 1e9;
        begun = System.nanoTime();
        TraceScan scan = TraceScan.of(new AuditLog(List.of(folder)), true);
        double scanned = (System.nanoTime() - begun) / 1e9;
        assertThat(scan.counts()).isEqualTo(generated.counts());
        assertThat(scan.leftOut()).isEqualTo(noise);
        Counting target = new Counting();
        long prepared = TracePreparation.run(scan, target.files, UNDER, made -> {});
        TraceReplay.Outcome outcome = TraceReplay.run(
                TraceSettings.of(scan, UNDER, SPEED_UP), target, ClusterProbe.none(), progress -> {}, unfinished -> {});
        ReplayResult result = outcome.result();
        assertThat(result.failures()).isEmpty();
        assertThat(outcome.refusals()).isEmpty();
        assertThat(result.operations()).isEqualTo(generated.written());
        assertThat(target.seen()).isEqualTo(mix);
        double due = scan.seconds() / SPEED_UP;
        assertThat(result.seconds()).isGreaterThan(due * 0.99);
        Files.createDirectories(REPORT.getParent());
        Files.writeString(
                REPORT,
                String.format(
                        Locale.ROOT,
                        "%,d MB of audit log in %d files, seed %d: %,d operations, %,d other lines left out, as many as there are (%s)%n"
                                + "written in %.1f s, scanned in %.1f s, %,d files and directories prepared%n"
                                + "replayed %.0f times as fast: %.1f s, due were %.1f s; %,.0f ops/s, p99 %.1f ms; 0 failed, 0 refused; mix kept%n",
                        bytes >> 20,
                        FILES,
                        SEED,
                        generated.written(),
                        noise.values().stream().mapToLong(Long::longValue).sum(),
                        scan.describe(),
                        written,
                        scanned,
                        prepared,
                        SPEED_UP,
                        result.seconds(),
                        due,
                        result.opsPerSecond(),
                        result.latencyMicros().get(ReplayResult.ALL).p99() / 1e3));
    }
}
