package io.lambdafs.hammer.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.hammer.replay.ClusterProbe;
import io.lambdafs.hammer.result.Latency;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.ServerfulFleet;
import io.lambdafs.hammer.tree.MemoryFileSystem;
import io.lambdafs.hammer.tree.StandingStill;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TraceReplayTest {
    private static final FsPath UNDER = FsPath.of("/replay");

    @TempDir
    private Path folder;

    private final MemoryFileSystem files = new MemoryFileSystem();
    private final ExecutorService pool = Executors.newFixedThreadPool(4);

    @AfterEach
    void stop() {
        pool.shutdownNow();
    }

    private TraceScan scan(List<String> lines) throws Exception {
        List<String> all = new ArrayList<>(List.of("time,client,op,path,path2,size"));
        all.addAll(lines);
        return TraceScan.of(new CsvTrace(Files.write(folder.resolve("trace.csv"), all)), true);
    }

    private TraceScan generated(int records, int perSecond) throws Exception {
        GeneratedTrace generated = new GeneratedTrace(5, perSecond);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < records; i++) {
            lines.add(GeneratedTrace.csv(generated.next()));
        }
        return scan(lines);
    }

    /** Applies operations on several threads, so that they overlap and end in another order than they began. */
    private final class Concurrent implements Target {
        @Override
        public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
            return CompletableFuture.supplyAsync(() -> files.apply(operation), pool);
        }
    }

    private static TraceReplay.Outcome run(TraceSettings settings, Target target) {
        return TraceReplay.run(settings, target, ClusterProbe.none(), progress -> {}, unfinished -> {});
    }

    @Test
    void shouldReplayEveryOperationInTheTracesOrderWhereTheyMeet() throws Exception {
        TraceScan scan = generated(10_000, 1_000);
        long prepared = TracePreparation.run(scan, new Concurrent(), UNDER, made -> {});
        assertThat(prepared).isGreaterThan(500);
        TraceReplay.Outcome outcome = run(TraceSettings.of(scan, UNDER, 50), new Concurrent());
        ReplayResult result = outcome.result();
        assertThat(result.failures()).isEmpty();
        assertThat(outcome.refusals()).isEmpty();
        assertThat(result.operations()).isEqualTo(10_000);
        scan.counts()
                .forEach((kind, count) -> assertThat(
                                result.latencyMicros().get(kind.label()).count())
                        .as(kind.label())
                        .isEqualTo(count));
        // As fast as asked for, not as fast as it goes.
        assertThat(result.seconds()).isBetween(0.19, 60.0);
        assertThat(result.offeredOpsPerSecond()).isBetween(49_000.0, 51_000.0);
    }

    @Test
    void shouldPrepareAgainWithoutReplacingWhatIsThere() throws Exception {
        files.apply(new TraceOperations(UNDER, 10).create(FsPath.of("/replay/old"), 7));
        TraceScan scan = scan(List.of("0,c,read,/old,,", "0,c,ls,/d,,"));
        assertThat(TracePreparation.run(scan, files, UNDER, made -> {})).isEqualTo(2);
        assertThat(TracePreparation.run(scan, files, UNDER, made -> {})).isEqualTo(2);
        assertThat(files.apply(new ReadOperation.Stat(FsPath.of("/replay/old")))
                        .attributes()
                        .size())
                .isEqualTo(7);
    }

    @Test
    void shouldTellRefusalsApartFromFailures() throws Exception {
        TraceScan scan =
                scan(List.of("0,c,stat,/none,,", "0,c,delete,/none,,", "0,c,read,/none,,", "0,c,create,/f,,1"));
        Target broken = new Target() {
            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                if (operation instanceof ReadOperation.Open) {
                    throw FsException.unavailable("planted");
                }
                try {
                    return files.execute(operation);
                } catch (FsException refused) {
                    return CompletableFuture.failedFuture(refused);
                }
            }
        };
        TraceReplay.Outcome outcome = run(TraceSettings.of(scan, UNDER, 1), broken);
        assertThat(outcome.refusals()).isEqualTo(Map.of("stat NOT_FOUND", 1L, "delete nothing to do", 1L));
        assertThat(outcome.result().failed()).isOne();
        assertThat(outcome.result().failures()).singleElement().asString().contains("read /none", "planted");
    }

    @Test
    void shouldCountWhatIsNotDoneByTheEnd() throws Exception {
        TraceScan scan = generated(1_000, 1_000);
        Target silent = new Target() {
            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                return new CompletableFuture<>();
            }
        };
        TraceSettings settings =
                new TraceSettings(scan, UNDER, 10, 8, Duration.ZERO, 0, ServerfulFleet.DEFAULT, Map.of());
        ReplayResult result = run(settings, silent).result();
        assertThat(result.failed()).isEqualTo(1_000).isEqualTo(result.operations());
        assertThat(result.latencyMicros().get(ReplayResult.ALL).count()).isEqualTo(1_000);
        assertThat(result.series()).isNotEmpty().allMatch(point -> point.opsPerSecond() == 0);
        assertThat(result.failures()).anyMatch(text -> text.contains("not answered"));
    }

    @Test
    void shouldSayThatATraceChangedWhileItWasReplayed() throws Exception {
        TraceScan scan = generated(20, 1_000);
        Files.write(folder.resolve("trace.csv"), List.of("time,client,op,path", "x,c,stat,/a"));
        assertThatThrownBy(() -> run(TraceSettings.of(scan, UNDER, 1), files)).hasMessageContaining("trace.csv:2");
    }

    @Test
    @Tag("slow")
    void shouldSeeInTheHighestPercentilesThatTheServerStoodStillForASecond() throws Exception {
        TraceScan scan = generated(4_000, 1_000);
        TracePreparation.run(scan, files, UNDER, made -> {});
        StandingStill server = new StandingStill(files, 2_000, 1_000);
        try (server) {
            TraceSettings settings =
                    new TraceSettings(scan, UNDER, 1, 4, Duration.ofSeconds(60), 0, ServerfulFleet.DEFAULT, Map.of());
            ReplayResult result = run(settings, server).result();
            Latency all = result.latencyMicros().get(ReplayResult.ALL);
            assertThat(result.failed()).isZero();
            // A closed loop of the same window would have seen four slow operations of 4,000, and none but these.
            assertThat(server.slow().get()).isLessThanOrEqualTo(4);
            assertThat(all.p999()).isGreaterThan(900_000);
            assertThat(all.p90()).isGreaterThan(100_000);
        }
    }
}
