package io.lambdafs.functions.cache;

import static io.lambdafs.functions.cache.Nodes.ROOT;
import static io.lambdafs.functions.cache.Nodes.dir;
import static io.lambdafs.functions.cache.Nodes.entry;
import static io.lambdafs.functions.cache.Nodes.file;
import static io.lambdafs.functions.cache.Nodes.link;
import static io.lambdafs.functions.cache.Nodes.path;
import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.Scope;
import io.lambdafs.model.inode.INode;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("once")
class EvictionTest {
    private static final int FILES_PER_DIRECTORY = 100;

    /** Fills /dN/fM for directories from..to. */
    private static void fill(PathTrie trie, int from, int to) {
        for (int d = from; d < to; d++) {
            INode directory = dir(1, "d" + d, 1_000 + d);
            trie.publish(trie.ticket(), List.of(link("/", ROOT), link("/d" + d, directory)));
            for (int f = 0; f < FILES_PER_DIRECTORY; f++) {
                INode file = file(directory.id(), "f" + f, 1_000_000L + d * 1_000L + f, 1);
                trie.publish(trie.ticket(), List.of(link("/d" + d, directory), entry("/d" + d + "/f" + f, file)));
            }
        }
    }

    /** Lets the clock reach whatever has been detached, a step with each change. */
    private static void tidy(PathTrie trie) {
        for (int i = 0; i < 1_000; i++) {
            trie.invalidate(new Scope(List.of(path("/none")), List.of()), List.of());
        }
    }

    private static Listing listing(long parentId, int size, String prefix) {
        List<INode> nodes = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            nodes.add(file(parentId, prefix + i, 10_000_000L + i, 1));
        }
        return Listing.of(nodes);
    }

    @Test
    void shouldStayWithinItsBytesAndKeepWhatIsUsed() {
        CacheLimits limits = new CacheLimits(1 << 20, 64);
        PathTrie trie = Nodes.open(limits);
        fill(trie, 0, 1);
        for (int d = 1; d < 500; d++) {
            fill(trie, d, d + 1);
            assertThat(trie.stats().bytes()).isLessThanOrEqualTo(limits.maxBytes());
            assertThat(trie.walk(path("/d0/f7")).isComplete()).isTrue();
            assertThat(trie.walk(path("/d" + d + "/f99")).isComplete()).isTrue();
        }
        assertThat(trie.walk(path("/d1/f7")).isComplete()).isFalse();
        assertThat(trie.walk(path("/")).isComplete()).isTrue();
        assertThat(trie.stats().evictions()).isGreaterThan(10_000);
    }

    @Test
    void shouldNotCacheWhatAloneTakesTooMuch() {
        PathTrie trie = Nodes.open(new CacheLimits(1 << 20, 64));
        trie.publish(trie.ticket(), List.of(link("/", ROOT), new Fill.Children(path("/"), listing(1, 30_000, "n"))));
        assertThat(trie.walk(path("/")).listing()).isNull();
        assertThat(trie.stats().refusedFills()).isEqualTo(1);
        trie.publish(trie.ticket(), List.of(new Fill.Children(path("/"), listing(1, 1_000, "n"))));
        assertThat(trie.walk(path("/")).listing()).isNotNull();
    }

    @Test
    void shouldNoLongerCountTheTableOfADirectoryThatHasBecomeEmpty() {
        PathTrie trie = Nodes.open(new CacheLimits(8 << 20, 64));
        // What INodes share stays.
        fill(trie, 0, 1);
        trie.invalidate(Scope.NONE, List.of(path("/d0")));
        tidy(trie);
        long before = trie.stats().bytes();
        fill(trie, 0, 40);
        for (int d = 0; d < 40; d++) {
            trie.invalidate(Scope.NONE, List.of(path("/d" + d)));
        }
        tidy(trie);
        assertThat(trie.stats().bytes()).isEqualTo(before);
    }

    @Test
    void shouldMakeRoomForLargeListingAmongManySmallItems() {
        PathTrie trie = Nodes.open(new CacheLimits(8 << 20, 64));
        fill(trie, 0, 400);
        INode big = dir(1, "big", 99);
        trie.publish(
                trie.ticket(), List.of(link("/big", big), new Fill.Children(path("/big"), listing(99, 9_000, "n"))));
        assertThat(trie.walk(path("/big")).listing()).isNotNull();
        assertThat(trie.stats().bytes()).isLessThanOrEqualTo(8 << 20);
    }

    @Test
    void shouldDropUnusedListingButKeepUsedEntriesOfItsDirectory() {
        PathTrie trie = Nodes.open(new CacheLimits(1 << 20, 64));
        INode directory = dir(1, "x", 99);
        trie.publish(
                trie.ticket(),
                List.of(
                        link("/", ROOT),
                        link("/x", directory),
                        entry("/x/n1", file(99, "n1", 10_000_001L, 1)),
                        new Fill.Children(path("/x"), listing(99, 100, "n"))));
        for (int d = 0; d < 500; d++) {
            fill(trie, d, d + 1);
            assertThat(trie.walk(path("/x/n1")).isComplete()).isTrue();
        }
        Walk walk = trie.walk(path("/x/n2"));
        assertThat(walk.isComplete()).isFalse();
        assertThat(walk.isAbsent()).isFalse();
        assertThat(trie.stats().listings()).isZero();
    }

    /** More directories, one after another, than there would be room for if anything of one stayed. */
    @Test
    void shouldLeaveNothingOfDirectoriesThatItEvicts() {
        PathTrie trie = Nodes.open(new CacheLimits(1 << 18, 64));
        for (int d = 0; d < 20_000; d++) {
            INode directory = dir(1, "d" + d, 1_000 + d);
            String path = "/d" + d;
            trie.publish(
                    trie.ticket(),
                    List.of(
                            link("/", ROOT),
                            link(path, directory),
                            entry(path + "/f", file(directory.id(), "f", 1_000_000 + d, 1))));
            assertThat(trie.walk(path(path + "/f")).isComplete())
                    .as("directory %d", d)
                    .isTrue();
        }
        assertThat(trie.stats().inodes()).isLessThan(2_000);
    }

    @Test
    void shouldReclaimHugeSubtreeInIncrements() {
        PathTrie trie = Nodes.open(new CacheLimits(64 << 20, 64));
        for (int d = 0; d < 10_000; d++) {
            INode directory = dir(1, "d" + d, 1_000 + d);
            trie.publish(
                    trie.ticket(),
                    List.of(
                            link("/", ROOT),
                            link("/d" + d, directory),
                            entry("/d" + d + "/f3", file(directory.id(), "f3", 1_000_000 + d, 1))));
        }
        long full = trie.stats().bytes();
        assertThat(trie.stats().inodes()).isEqualTo(20_001);
        trie.invalidate(Scope.NONE, List.of(path("/")));
        assertThat(trie.walk(path("/d3/f3")).known()).isZero();
        long after = trie.stats().bytes();
        assertThat(after).isGreaterThan(full / 2);
        tidy(trie);
        assertThat(trie.stats().bytes()).isLessThan(1_000);
        assertThat(trie.stats().inodes()).isZero();
    }

    @Test
    void shouldEvictWhereAllIsInOneDirectory() {
        CacheLimits limits = new CacheLimits(1 << 20, 64);
        PathTrie trie = Nodes.open(limits);
        INode directory = dir(1, "d", 99);
        int refused = 0;
        for (int f = 0; f < 100_000; f++) {
            trie.publish(
                    trie.ticket(),
                    List.of(
                            link("/", ROOT),
                            link("/d", directory),
                            entry("/d/f" + f, file(99, "f" + f, 1_000 + f, 1))));
            assertThat(trie.stats().bytes()).isLessThanOrEqualTo(limits.maxBytes());
            refused += trie.walk(path("/d/f" + f)).isComplete() ? 0 : 1;
            assertThat(trie.walk(path("/d/f0")).isComplete()).isTrue();
        }
        // Where its table must become larger, a few fills make room before one is taken.
        assertThat(refused).isLessThan(100);
        assertThat(trie.stats().inodes()).isBetween(5_000L, 25_000L);
        assertThat(trie.stats().evictions()).isGreaterThan(70_000);
        trie.invalidate(Scope.NONE, List.of(path("/d")));
        assertThat(trie.stats().inodes()).isEqualTo(1);
    }

    /** Where the hand is just passing, what has been filled is not the first to go. */
    @Test
    void shouldKeepForAWhileWhatNobodyHasAskedForYet() {
        PathTrie trie = Nodes.open(new CacheLimits(1 << 20, 64));
        INode directory = dir(1, "d", 99);
        int lost = 0;
        for (int f = 0; f < 60_000; f++) {
            trie.publish(
                    trie.ticket(),
                    List.of(
                            link("/", ROOT),
                            link("/d", directory),
                            entry("/d/f" + f, file(99, "f" + f, 1_000 + f, 1))));
            lost += f < 200 || trie.walk(path("/d/f" + (f - 200))).isComplete() ? 0 : 1;
        }
        // Refused where its table must become larger.
        assertThat(lost).isLessThan(250);
    }

    /** Roles of cached items. */
    enum Role {
        ENTRIES,
        LISTINGS,
        LINKS
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(Role.class)
    void shouldEstimateItsHeap(Role role) {
        long before = usedHeap();
        PathTrie trie = Nodes.open(new CacheLimits(256 << 20, 64));
        trie.publish(trie.ticket(), List.of(link("/", ROOT)));
        // So few that the collector does not give their table a region of its own, whose rest would count as used.
        for (int d = 0; role != Role.ENTRIES && d < 30_000; d++) {
            INode directory = dir(1, "d" + d, 1_000 + d);
            trie.publish(trie.ticket(), List.of(link("/d" + d, directory)));
            if (role == Role.LISTINGS) {
                Listing listing = listing(directory.id(), d % 20, "a name of usual length ");
                trie.publish(trie.ticket(), List.of(new Fill.Children(path("/d" + d), listing)));
            } else if (d % 2 == 0) {
                trie.publish(trie.ticket(), List.of(link("/d" + d + "/sub", dir(1_000 + d, "sub", 1_000_000 + d))));
            }
        }
        if (role == Role.ENTRIES) {
            fill(trie, 0, 3_000);
        }
        long measured = usedHeap() - before;
        long estimated = trie.stats().bytes();
        assertThat((double) estimated / measured).as("estimated / measured").isBetween(0.95, 1.05);
        assertThat(trie.walk(path("/d1")).isComplete()).isTrue();
    }

    private static long usedHeap() {
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            used = Math.min(
                    used,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return used;
    }
}
