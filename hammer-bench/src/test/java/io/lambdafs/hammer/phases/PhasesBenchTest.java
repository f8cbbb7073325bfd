package io.lambdafs.hammer.phases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.hammer.tree.MemoryFileSystem;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class PhasesBenchTest {
    private final MemoryFileSystem files = new MemoryFileSystem();

    static Stream<List<Phase>> experiments() {
        return Stream.of(
                List.of(Phase.CREATE, Phase.STAT),
                List.of(Phase.CREATE, Phase.READ, Phase.RENAME, Phase.DELETE_RENAMED),
                List.of(Phase.CREATE, Phase.STAT, Phase.DELETE));
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void shouldDoEveryOperationOfEveryPhaseOnce(List<Phase> experiment) throws Exception {
        PhasesSettings settings = new PhasesSettings(experiment, 3, 40, 0, false);
        Map<Object, Integer> asked = new ConcurrentHashMap<>();
        Target counting = new Target() {
            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                asked.merge(operation.kind() + " " + operation.path(), 1, Integer::sum);
                return files.execute(operation);
            }
        };
        PhasesBench bench = new PhasesBench(PhaseTarget.of(counting), settings);
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
    void shouldLookAtFilesInAnotherOrder() throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        PhaseTarget noting = operation -> {
            if (operation instanceof ReadOperation.Stat) {
                seen.add(operation.path().name());
            }
            return PhaseTarget.of(files).call(operation);
        };
        new PhasesBench(noting, new PhasesSettings(List.of(Phase.CREATE, Phase.STAT), 1, 100, 0, false)).run();
        assertThat(seen).hasSize(100).doesNotHaveDuplicates().doesNotContainSequence("file-0-1", "file-0-2");
    }

    @Test
    void shouldShareADirectoryWhereAsked() throws Exception {
        PhasesSettings settings = new PhasesSettings(List.of(Phase.CREATE, Phase.READ), 2, 10, 3_901, true);
        new PhasesBench(PhaseTarget.of(files), settings.below(FsPath.of("/other/place"))).run();
        Reply.Page page = files.apply(new ReadOperation.ListPage(FsPath.of("/other/place/all"), "", 100));
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
                        ? CompletableFuture.failedFuture(FsException.unavailable("planted"))
                        : files.execute(operation);
            }
        };
        PhasesBench bench = new PhasesBench(
                PhaseTarget.of(broken), new PhasesSettings(List.of(Phase.STAT, Phase.DELETE), 2, 10, 0, false));
        assertThat(bench.run()).extracting(PhaseResult::failed).containsExactly(20L, 20L);
        assertThat(bench.failures()).hasSize(20).first().asString().contains("stat /phases/client-", "planted");
    }

    @Test
    void shouldSayThatItsDirectoriesCannotBeMade() {
        Target refusing = new Target() {
            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                return operation instanceof NamespaceOperation.Mkdirs
                        ? CompletableFuture.failedFuture(FsException.unavailable("planted"))
                        : files.execute(operation);
            }
        };
        PhasesSettings settings = new PhasesSettings(List.of(Phase.STAT), 1, 1, 0, false);
        assertThatThrownBy(() -> new PhasesBench(PhaseTarget.of(refusing), settings).run())
                .hasMessageContaining("cannot make /phases/client-0")
                .hasMessageContaining("planted");
    }

    @Test
    void shouldNamePhasesAsResultsDo() {
        assertThat(Phase.of("delete-renamed")).contains(Phase.DELETE_RENAMED);
        assertThat(Phase.of("DELETE")).isEmpty();
        assertThat(Stream.of(Phase.values()).map(each -> Phase.of(each.label()).orElseThrow()))
                .containsExactly(Phase.values());
        PhasesSettings settings = new PhasesSettings(List.of(Phase.STAT), 3, 40, 7, true);
        assertThat(settings.withFiles(5)).isEqualTo(new PhasesSettings(List.of(Phase.STAT), 3, 5, 7, true));
    }
}
