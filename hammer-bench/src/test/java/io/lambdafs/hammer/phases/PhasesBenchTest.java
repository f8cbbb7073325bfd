package io.lambdafs.hammer.phases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.MemoryFileSystem;
import io.lambdafs.hammer.Target;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.NamespaceOperation;
import io.lambdafs.model.Operation;
import io.lambdafs.model.ReadOperation;
import io.lambdafs.model.Reply;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("once")
final class PhasesBenchTest {
    private final MemoryFileSystem files = new MemoryFileSystem();

    static Stream<PhasesCommand> experiments() {
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        Console console = new Console(nowhere, nowhere, 0);
        return Stream.of(new TreeTestCommand(console), new NnbenchCommand(console), new MdtestCommand(console));
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void shouldDoEveryOperationOfEveryPhaseOnce(PhasesCommand experiment) throws Exception {
        PhasesSettings settings = experiment.settings(3, 40);
        Map<Object, Integer> asked = new ConcurrentHashMap<>();
        Target counting = new Target() {
            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                asked.merge(operation.kind() + " " + operation.path(), 1, Integer::sum);
                return files.execute(operation);
            }
        };
        PhasesBench bench = new PhasesBench(counting, settings);
        List<PhaseResult> results = bench.run();
        assertThat(bench.failures()).isEmpty();
        assertThat(results).extracting(PhaseResult::phase).isEqualTo(settings.phases());
        assertThat(results).allSatisfy(each -> {
            assertThat(each.latency().count()).isEqualTo(120);
            assertThat(each.failed()).isZero();
            assertThat(each.opsPerSecond()).isPositive();
        });
        assertThat(asked)
                .hasSize(3 + 120 * settings.phases().size())
                .allSatisfy((what, times) -> assertThat(times).isOne());
    }

    @Test
    void shouldShareADirectoryWhereAsked() throws Exception {
        PhasesSettings settings = new PhasesSettings(List.of(Phase.CREATE, Phase.READ), 2, 10, 3_901, true);
        new PhasesBench(files, settings).run();
        Reply.Page page = files.apply(new ReadOperation.ListPage(FsPath.of("/phases/all"), "", 100));
        assertThat(page.entries())
                .hasSize(20)
                .allSatisfy(each -> assertThat(each.size()).isEqualTo(3_901));
    }

    @Test
    void shouldCountFailuresAndWhatHadNoEffect() throws Exception {
        Target broken = new Target() {
            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                return operation instanceof ReadOperation.Stat
                        ? CompletableFuture.failedFuture(new FsException(ErrorCode.UNAVAILABLE, "planted"))
                        : files.execute(operation);
            }
        };
        PhasesBench bench =
                new PhasesBench(broken, new PhasesSettings(List.of(Phase.STAT, Phase.DELETE), 2, 10, 0, false));
        assertThat(bench.run()).extracting(PhaseResult::failed).containsExactly(20L, 20L);
        assertThat(bench.failures()).hasSize(5).first().asString().contains("stat /phases/client-", "planted");
    }

    @Test
    void shouldSayThatItsDirectoriesCannotBeMade() {
        Target refusing = new Target() {
            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                return operation instanceof NamespaceOperation.Mkdirs
                        ? CompletableFuture.failedFuture(new FsException(ErrorCode.UNAVAILABLE, "planted"))
                        : files.execute(operation);
            }
        };
        PhasesSettings settings = new PhasesSettings(List.of(Phase.STAT), 1, 1, 0, false);
        assertThatThrownBy(() -> new PhasesBench(refusing, settings).run())
                .hasMessageContaining("cannot make /phases/client-0")
                .hasMessageContaining("planted");
    }
}
