package io.lambdafs.benchmarks.stores;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.cluster.dump.Snapshot;
import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StoresCommandTest {
    @ParameterizedTest
    @CsvSource({
        "--store, rocks, --store is embedded",
        "--inodes, 0, --inodes is 1..20",
        "--rounds, 0, --rounds is 1..1000",
        "--seconds, 0, --seconds is 0.1..600",
        "--loads, 0, --loads is 1..100"
    })
    void shouldRefuseWhatMakesNoSenseBeforeItStartsAStore(String option, String value, String why) {
        CommandRun run = CommandRun.ofCommand(StoresCommand::new, option, value);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", why);
        assertThat(run.out()).isEmpty();
    }

    /** Every answer is looked at: a store that does not do what it is asked ends it. */
    @ParameterizedTest
    @EnumSource
    void shouldAskAStore(Kind kind) throws Exception {
        try (SystemScheduler scheduler = new SystemScheduler("stores", 1, 1_000);
                MemoryStore store = new MemoryStore(scheduler)) {
            SpiLoad load = new SpiLoad(store, 2 * Kind.DIRECTORIES);
            load.fill();
            assertThat(load.perSecond(kind, 0.1)).isPositive();
        }
    }

    private static StoresBench.Loaded loaded(double verified) {
        return new StoresBench.Loaded(verified, verified * 1.5);
    }

    @Test
    void shouldTakeAllRowsOutOfAStoreButThoseOfItsEngine() throws Exception {
        try (SystemScheduler scheduler = new SystemScheduler("stores", 1, 1_000);
                MemoryStore store = new MemoryStore(scheduler)) {
            Row engine = new Row(Schema.SETTINGS.key("store.made"), "here");
            store.begin(0)
                    .commit(List.of(new Mutation.Put(engine)), Long.MAX_VALUE)
                    .toCompletableFuture()
                    .join();
            new SpiLoad(store, 2 * Kind.DIRECTORIES).fill();
            EmptiedStore.empty(store);
            List<Row> left = Snapshot.read(store, rows -> {
                List<Row> all = new ArrayList<>();
                rows.forEach(all::add);
                return all;
            });
            assertThat(left).containsExactly(engine);
        }
    }

    @Test
    void shouldCountTheMedianOfAllButTheFirstDumpAndLoad() {
        Map<Kind, List<Double>> mine = Map.of(
                Kind.STAT,
                List.of(10.0, 20.0),
                Kind.CREATE,
                List.of(6.0, 8.0),
                Kind.RENAME,
                List.of(1.0, 1.0),
                Kind.LISTING,
                List.of(1.0, 1.0));
        StoresBench.Settings settings = new StoresBench.Settings("postgres", 30_000, 2, 1, 4);
        StoresBench.Result result = new StoresBench.Result(
                List.of(400.0, 1_000.0, 3_000.0, 800.0),
                List.of(loaded(100), loaded(2_000), loaded(9_000), loaded(1_000)),
                mine);
        JsonNode json = StoresCommand.json(settings, result);
        assertThat(json.path("inodes").asLong()).isEqualTo(settings.filled());
        assertThat(json.path("operations")
                        .path("create")
                        .path("perSecond")
                        .path("median")
                        .asDouble())
                .isEqualTo(7);
        assertThat(StoresCommand.text(settings, result)).contains("create           7", "load         2,000");
        assertThat(json.path("loadPerSecond").asLong())
                .as("the median, without the first")
                .isEqualTo(2_000);
        assertThat(json.path("firstLoadPerSecond").asLong()).isEqualTo(100);
        assertThat(json.path("dumpPerSecond").asLong()).isEqualTo(1_000);
        assertThat(json.path("firstDumpPerSecond").asLong()).isEqualTo(400);
    }
}
