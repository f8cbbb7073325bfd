package io.lambdafs.hammer.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.simulation.Agenda;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The models that stand in the place of the NameNode's parts. */
final class ModelsTest {
    private static final long MICRO = 1_000;

    private final Agenda agenda = new Agenda(1);
    private final List<String> ended = new ArrayList<>();

    private void end(String what) {
        ended.add(what + " " + (agenda.now() - Agenda.ORIGIN) / MICRO);
    }

    @Test
    void shouldServeFirstComeFirstOnAsManyProcessorsAsThereAre() {
        Processors two = new Processors(agenda, 2);
        two.work(30 * MICRO, () -> end("a"));
        two.work(10 * MICRO, () -> end("b"));
        two.work(10 * MICRO, () -> end("c"));
        two.work(10 * MICRO, () -> end("d"));
        while (agenda.next()) {}
        assertThat(ended).containsExactly("b 10", "c 20", "a 30", "d 30");
        assertThat(two.usedNanos()).isEqualTo(60 * MICRO);
    }

    @Test
    void shouldLetOthersInBetweenSlices() {
        Processors one = new Processors(agenda, 1);
        one.slices(3_000 * MICRO, () -> end("long"));
        one.work(10 * MICRO, () -> end("short"));
        while (agenda.next()) {}
        assertThat(ended).containsExactly("short 1010", "long 3010");
    }

    @Test
    void shouldShareAWriteToTheLogBetweenCommitsThatComeMeanwhile() {
        Wires wires = new Wires(agenda, new ScaleSettings.Network(0, 0));
        ShardedStore store =
                new ShardedStore(agenda, wires, new ScaleSettings.Store(1, 1, 0, 0, 10 * MICRO, 300 * MICRO), null);
        for (int i = 0; i < 4; i++) {
            String name = "commit" + i;
            store.commit(0, () -> end(name));
        }
        while (agenda.next()) {}
        // The first one's write ends at 310; the others have come by then, and share the next.
        assertThat(ended).containsExactly("commit0 310", "commit1 610", "commit2 610", "commit3 610");
    }

    @Test
    void shouldNotKeepWhatHasChangedWhileItWasRead() {
        ModelCache cache = new ModelCache(2, 4, 0);
        int ticket = cache.ticket(1);
        cache.invalidate(1, 2);
        cache.fill(1, 2, ticket);
        assertThat(cache.has(1, 2)).isFalse();
        cache.fill(1, 2, cache.ticket(1));
        assertThat(cache.has(1, 2)).isTrue();
        cache.fillListing(1, cache.ticket(1));
        cache.invalidate(1, 0);
        assertThat(cache.hasListing(1)).isFalse();
        assertThat(cache.has(1, 2)).isTrue();
        assertThat(cache.has(1, 0)).isFalse();
    }

    @Test
    void shouldEvictWhatWasNotUsed() {
        ModelCache cache = new ModelCache(1, 4, 2);
        cache.fill(0, 0, 0);
        cache.fill(0, 1, 0);
        assertThat(cache.has(0, 0)).isTrue();
        cache.fill(0, 2, 0);
        assertThat(cache.has(0, 0)).isTrue();
        assertThat(cache.has(0, 1)).isFalse();
        assertThat(cache.has(0, 2)).isTrue();
    }

    @Test
    void shouldHoldAsManyEntriesAsItMayAfterOthersHaveChangedThem() {
        ModelCache cache = new ModelCache(1, 4, 3);
        for (int round = 0; round < 3; round++) {
            cache.fill(0, 0, cache.ticket(0));
            cache.invalidate(0, 0);
        }
        cache.fill(0, 1, cache.ticket(0));
        cache.fill(0, 2, cache.ticket(0));
        cache.fill(0, 0, cache.ticket(0));
        assertThat(cache.has(0, 0)).isTrue();
        assertThat(cache.has(0, 1)).isTrue();
        assertThat(cache.has(0, 2)).isTrue();
    }

    @Test
    void shouldTakeAnEntryReadAnewForUnused() {
        ModelCache cache = new ModelCache(1, 4, 2);
        cache.fill(0, 0, cache.ticket(0));
        assertThat(cache.has(0, 0)).isTrue();
        cache.invalidate(0, 0);
        cache.fill(0, 0, cache.ticket(0));
        cache.fill(0, 1, cache.ticket(0));
        cache.fill(0, 2, cache.ticket(0));
        assertThat(cache.has(0, 0)).as("the oldest, not used since").isFalse();
        assertThat(cache.has(0, 1)).isTrue();
    }

    @Test
    void shouldForgetAListingWithAnyOfItsFiles() {
        ModelCache cache = new ModelCache(2, 2, 3);
        cache.fillListing(0, cache.ticket(0));
        assertThat(cache.hasListing(0)).isTrue();
        assertThat(cache.hits()).isOne();
        cache.written(1, 0);
        cache.written(1, 1);
        assertThat(cache.has(1, 1)).isTrue();
        assertThat(cache.hasListing(0)).as("one of its files had to go").isFalse();
        assertThat(cache.has(0, 0)).isFalse();
        assertThat(cache.has(0, 1)).isTrue();
        assertThat(cache.hits()).isEqualTo(3);
        assertThat(cache.misses()).isEqualTo(2);
        int ticket = cache.ticket(1);
        cache.written(1, 0);
        cache.fillListing(1, ticket);
        assertThat(cache.hasListing(1)).as("changed while it was read").isFalse();
    }

    @Test
    void shouldReadRowsOfADirectoryFromItsShard() {
        Wires wires = new Wires(agenda, new ScaleSettings.Network(200 * MICRO, 0));
        ShardedStore store =
                new ShardedStore(agenda, wires, new ScaleSettings.Store(4, 2, 50 * MICRO, 5 * MICRO, 0, 0), null);
        int[] directories = new int[4];
        for (int directory = 0; directory < 4_000; directory++) {
            directories[store.shardOf(directory)]++;
        }
        assertThat(Arrays.stream(directories)).allMatch(count -> count > 800 && count < 1_200);
        store.read(3, 5, () -> end("read"));
        while (agenda.next()) {}
        assertThat(ended).containsExactly("read 270");
        assertThat(store.processors(store.shardOf(3)).usedNanos()).isEqualTo(70 * MICRO);
        assertThat(store.shards()).isEqualTo(4);
    }

    @Test
    void shouldTakeLongerOnTheWayNowAndThen() {
        Wires wires = new Wires(agenda, new ScaleSettings.Network(200, 100));
        double sum = 0;
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 10_000; i++) {
            long way = wires.way();
            sum += way;
            least = Math.min(least, way);
        }
        assertThat(least).isEqualTo(100);
        assertThat(sum / 10_000).isBetween(145.0, 153.0);
    }

    @Test
    void shouldTakeItsShareOfTheProcessorsForOthers() {
        Processors two = new Processors(agenda, 2);
        two.disturb(0.25, 100 * MICRO);
        two.disturb(0, 100 * MICRO);
        two.disturb(0.5, 0);
        agenda.after(1_000_000 * MICRO, () -> end("second"));
        while (ended.isEmpty() && agenda.next()) {}
        assertThat(two.usedNanos() / (2e6 * MICRO)).isBetween(0.22, 0.28);
        assertThat(two.count()).isEqualTo(2);
    }

    @Test
    void shouldReadNumbersOffPaths() {
        Names names = new Names(13, 3);
        assertThat(names.directory(12)).hasToString("/d12");
        assertThat(names.file(12, 2)).hasToString("/d12/f2");
        assertThat(names.file(0, 1)).hasToString("/d0/f1");
        assertThat(Names.directoryOf(names.file(12, 2))).isEqualTo(12);
        assertThat(Names.fileOf(names.file(10, 2))).isEqualTo(2);
    }
}
