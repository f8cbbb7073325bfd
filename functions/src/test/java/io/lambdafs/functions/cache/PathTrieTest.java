package io.lambdafs.functions.cache;

import static io.lambdafs.functions.cache.Nodes.ROOT;
import static io.lambdafs.functions.cache.Nodes.children;
import static io.lambdafs.functions.cache.Nodes.dir;
import static io.lambdafs.functions.cache.Nodes.entry;
import static io.lambdafs.functions.cache.Nodes.file;
import static io.lambdafs.functions.cache.Nodes.link;
import static io.lambdafs.functions.cache.Nodes.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import io.lambdafs.model.inode.INode;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PathTrieTest {
    private static final INode A = dir(1, "a", 10);
    private static final INode B = dir(10, "b", 11);
    private static final INode F = file(11, "f", 12, 1);

    private final PathTrie trie = Nodes.open(CacheLimits.DEFAULT);

    private boolean publish(Fill... fills) {
        return trie.publish(trie.ticket(), List.of(fills));
    }

    private void fillChain() {
        assertThat(publish(link("/", ROOT), link("/a", A), link("/a/b", B), entry("/a/b/f", F)))
                .isTrue();
    }

    private void invalidateEntry(String path) {
        trie.invalidate(new Scope(List.of(path(path)), List.of()), List.of());
    }

    private void invalidateListing(String path) {
        trie.invalidate(new Scope(List.of(), List.of(path(path))), List.of());
    }

    private void invalidatePrefix(String path) {
        trie.invalidate(Scope.NONE, List.of(path(path)));
    }

    private int known(String path) {
        return trie.walk(path(path)).known();
    }

    @Test
    void shouldKnowNothingAtFirst() {
        Walk walk = trie.walk(path("/a"));
        assertThat(walk.known()).isZero();
        assertThat(walk.isAbsent()).isFalse();
        assertThat(walk.isComplete()).isFalse();
    }

    @Test
    void shouldCacheNothingWithoutMemory() {
        PathTrie off = Nodes.open(new CacheLimits(0, 16));
        assertThat(off.caches()).isFalse();
        assertThat(trie.caches()).isTrue();
        long bare = off.stats().bytes();
        List<Fill> fills = List.of(link("/", ROOT), link("/a", A));
        assertThat(off.publish(off.ticket(), fills)).isFalse();
        Ticket held = off.hold(new Scope(List.of(path("/a")), List.of(path("/"))), off.ticket());
        off.release(new CacheChange(new Scope(List.of(path("/a")), List.of(path("/"))), fills, List.of()), held, true);
        assertThat(off.walk(path("/a")).known()).isZero();
        assertThat(off.stats()).isEqualTo(new CacheStats(bare, 0, 0, 0, 0, 2, 0, 0));
    }

    @Test
    void shouldShowNoINodeBeyondThoseThatAreKnown() {
        trie.publish(trie.ticket(), List.of(link("/", ROOT)));
        Walk walk = trie.walk(path("/none/such"));
        assertThat(walk.node(0)).isEqualTo(ROOT);
        assertThatThrownBy(() -> walk.node(walk.known())).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldFindWhatWasPublished() {
        fillChain();
        Walk walk = trie.walk(path("/a/b/f"));
        assertThat(walk.isComplete()).isTrue();
        assertThat(walk.known()).isEqualTo(4);
        assertThat(walk.node(0)).isEqualTo(ROOT);
        assertThat(walk.node(3)).isEqualTo(F);
        assertThat(walk.content()).isNull();
        assertThat(walk.listing()).isNull();
        assertThat(trie.walk(FsPath.ROOT).isComplete()).isTrue();
    }

    @Test
    void shouldPublishFillsInAnyOrder() {
        assertThat(publish(entry("/a/b/f", F), link("/a/b", B), link("/", ROOT), link("/a", A)))
                .isTrue();
        assertThat(trie.walk(path("/a/b/f")).isComplete()).isTrue();
    }

    @Test
    void shouldKeepContentUntilItChanges() {
        byte[] content = {1, 2, 3};
        fillChain();
        publish(new Fill.Entry(path("/a/b/f"), F, content));
        assertThat(trie.walk(path("/a/b/f")).content()).isSameAs(content);
        publish(entry("/a/b/f", F));
        assertThat(trie.walk(path("/a/b/f")).content()).isSameAs(content);
        publish(entry("/a/b/f", file(11, "f", 12, 2)));
        assertThat(trie.walk(path("/a/b/f")).content()).isNull();
        assertThat(trie.stats().contents()).isZero();
    }

    @Test
    void shouldAnswerFromListingAndKnowWhatIsAbsent() {
        fillChain();
        publish(children("/a/b", file(11, "x", 20, 1), F));
        Walk walk = trie.walk(path("/a/b"));
        assertThat(walk.listing()).isNotNull();
        assertThat(walk.listing().size()).isEqualTo(2);
        assertThat(trie.walk(path("/a/b/x")).node(3).id()).isEqualTo(20);
        Walk absent = trie.walk(path("/a/b/nothing/below"));
        assertThat(absent.isAbsent()).isTrue();
        assertThat(absent.known()).isEqualTo(3);
        assertThat(trie.walk(path("/a/x")).isAbsent()).isFalse();
    }

    @Test
    void shouldCacheBelowDirectoryKnownFromListingOnly() {
        publish(link("/", ROOT), children("/", A));
        assertThat(publish(link("/a/b", B), entry("/a/b/f", F))).isTrue();
        assertThat(trie.walk(path("/a/b/f")).isComplete()).isTrue();
        invalidateListing("/");
        assertThat(known("/a/b/f")).isEqualTo(4);
        assertThat(trie.walk(path("/new")).isAbsent()).isFalse();
        invalidateEntry("/a");
        assertThat(known("/a/b/f")).isEqualTo(1);
    }

    @Test
    void shouldKeepListingCompleteButForTheNamesThatHaveChanged() {
        fillChain();
        INode x = file(11, "x", 20, 1);
        publish(children("/a/b", file(11, "w", 19, 1), x, file(11, "y", 21, 1)));
        invalidateEntry("/a/b/x");
        assertThat(trie.walk(path("/a/b")).listing()).isNull();
        assertThat(trie.walk(path("/a/b/w")).isComplete()).isTrue();
        assertThat(known("/a/b/x")).isEqualTo(3);
        assertThat(trie.walk(path("/a/b/x")).isAbsent()).isFalse();
        assertThat(trie.walk(path("/a/b/new")).isAbsent()).isTrue();
        invalidateEntry("/a/b/new");
        invalidatePrefix("/a/b/w");
        assertThat(trie.walk(path("/a/b/new")).isAbsent()).isFalse();
        assertThat(known("/a/b/w")).isEqualTo(3);
        assertThat(trie.walk(path("/a/b")).listingButForNames().unknown()).containsExactly("new", "w", "x");

        publish(names("x", x, "new", file(11, "new", 22, 9)));
        assertThat(trie.walk(path("/a/b")).listing()).isNull();
        publish(names("w", null));
        assertThat(listed()).containsExactly("new 9", "x 1", "y 1");
        assertThat(trie.walk(path("/a/b/w")).isAbsent()).isTrue();
    }

    private static Fill names(Object... namesAndNodes) {
        Map<String, @Nullable INode> children = new HashMap<>();
        for (int i = 0; i < namesAndNodes.length; i += 2) {
            children.put((String) namesAndNodes[i], (INode) namesAndNodes[i + 1]);
        }
        return new Fill.Names(path("/a/b"), children);
    }

    @Test
    void shouldNotKnowNamesThatWereInvalidatedWhileTheyWereRead() {
        fillChain();
        publish(children("/a/b", F));
        invalidateEntry("/a/b/f");
        Ticket ticket = trie.ticket();
        invalidateEntry("/a/b/f");
        invalidatePrefix("/a/b/g");
        assertThat(trie.isUntouched(ticket, path("/a/b"))).isFalse();
        assertThat(trie.isUntouched(ticket, path("/a"))).isTrue();
        trie.publish(ticket, List.of(names("f", F, "g", file(11, "g", 30, 5), "h", file(11, "h", 31, 6))));
        assertThat(trie.walk(path("/a/b")).listingButForNames().unknown()).containsExactly("f", "g");
        assertThat(trie.walk(path("/a/b/h")).isComplete()).isTrue();

        ticket = trie.ticket();
        invalidateListing("/a/b");
        assertThat(trie.isUntouched(ticket, path("/a/b"))).isFalse();
        assertThat(trie.publish(ticket, List.of(names("f", F)))).isFalse();
        assertThat(trie.walk(path("/a/b")).listingButForNames()).isNull();

        ticket = trie.ticket();
        invalidateEntry("/a/b/g");
        trie.publish(ticket, List.of(children("/a/b", F)));
        assertThat(trie.walk(path("/a/b")).listingButForNames().unknown()).containsExactly("g");
        ticket = trie.ticket();
        trie.clear();
        assertThat(trie.isUntouched(ticket, path("/a/b"))).isFalse();
    }

    @Test
    void shouldKeepTheKnownChildrenOfListingWhoseChangesAreMany() {
        INode[] many = new INode[1_000];
        for (int i = 0; i < many.length; i++) {
            many[i] = file(11, "n" + i, 100 + i, 1);
        }
        fillChain();
        publish(children("/a/b", many));
        for (int i = 0; i < 300; i++) {
            invalidateEntry("/a/b/n" + i);
        }
        assertThat(trie.walk(path("/a/b")).listingButForNames()).isNull();
        assertThat(known("/a/b/n299")).isEqualTo(3);
        assertThat(trie.walk(path("/a/b/n300")).isComplete()).isTrue();
        assertThat(trie.walk(path("/a/b/new")).isAbsent()).isFalse();
    }

    /** Copying a very long one for each name would hold all writers up. */
    @Test
    void shouldCompleteAVeryLongListingBySeveralNamesAtOnce() {
        INode[] many = new INode[5_000];
        for (int i = 0; i < many.length; i++) {
            many[i] = file(11, "n" + i, 100 + i, 1);
        }
        fillChain();
        publish(children("/a/b", many));
        invalidateEntry("/a/b/n7");
        publish(names("n7", many[7]));
        assertThat(trie.walk(path("/a/b")).listingButForNames().unknown()).containsExactly("n7");
        invalidateEntry("/a/b/n8");
        publish(names("n7", many[7], "n8", null));
        assertThat(trie.walk(path("/a/b")).listing().size()).isEqualTo(4_999);
    }

    private static final List<FsPath> HELD = List.of(path("/a/b/f"));
    private static final List<FsPath> IN = List.of(path("/a/b"));

    @Test
    void shouldFillNothingWhereChangeIsUnderWay() {
        fillChain();
        publish(children("/a/b", F));
        Ticket held = trie.hold(new Scope(HELD, IN), trie.ticket());
        assertThat(known("/a/b/f")).isEqualTo(3);
        assertThat(publish(entry("/a/b/f", F))).isFalse();
        publish(children("/a/b", F), names("f", F));
        assertThat(trie.walk(path("/a/b")).listingButForNames().unknown()).containsExactly("f");
        assertThat(known("/a/b/f")).isEqualTo(3);
        assertThat(publish(entry("/a/b/g", file(11, "g", 30, 1)))).isTrue();
        Ticket meanwhile = trie.ticket();
        INode after = file(11, "f", 12, 2);
        trie.release(new CacheChange(new Scope(HELD, IN), List.of(entry("/a/b/f", after)), List.of()), held, true);
        assertThat(trie.walk(path("/a/b/f")).node(3)).isEqualTo(after);
        assertThat(trie.publish(meanwhile, List.of(entry("/a/b/f", F)))).isFalse();
        trie.publish(meanwhile, List.of(children("/a/b", F), names("f", F)));
        assertThat(trie.walk(path("/a/b")).listing()).isNull();
        assertThat(trie.walk(path("/a/b/f")).node(3)).isEqualTo(after);
        assertThat(publish(entry("/a/b/f", F))).isTrue();
    }

    @Test
    void shouldKeepNothingOfTwoChangesAtOnce() {
        fillChain();
        Ticket first = trie.hold(new Scope(HELD, IN), trie.ticket());
        Ticket second = trie.hold(new Scope(HELD, IN), trie.ticket());
        trie.release(new CacheChange(new Scope(HELD, IN), List.of(entry("/a/b/f", F)), List.of()), first, true);
        assertThat(publish(entry("/a/b/f", F))).isFalse();
        trie.release(new CacheChange(new Scope(HELD, IN), List.of(entry("/a/b/f", F)), List.of()), second, true);
        assertThat(known("/a/b/f")).isEqualTo(3);
        assertThat(publish(entry("/a/b/f", F))).isTrue();
    }

    @Test
    void shouldKeepNothingOfChangeThatAnInvalidationMet() {
        fillChain();
        Ticket held = trie.hold(new Scope(HELD, IN), trie.ticket());
        invalidateEntry("/a/b/f");
        trie.release(new CacheChange(new Scope(HELD, IN), List.of(entry("/a/b/f", F)), List.of()), held, true);
        assertThat(known("/a/b/f")).isEqualTo(3);
    }

    @Test
    void shouldKeepNothingOfChangeThatOutlivedItsEpoch() {
        fillChain();
        Ticket held = trie.hold(new Scope(HELD, IN), trie.ticket());
        trie.clear();
        trie.open();
        fillDirectories();
        assertThat(publish(entry("/a/b/f", F))).isFalse();
        trie.release(new CacheChange(new Scope(HELD, IN), List.of(entry("/a/b/f", F)), List.of()), held, true);
        assertThat(known("/a/b/f")).isEqualTo(3);
    }

    private List<String> listed() {
        Listing listing = trie.walk(path("/a/b")).listing();
        List<String> names = new ArrayList<>();
        for (int i = 0; listing != null && i < listing.size(); i++) {
            names.add(listing.get(i).name() + " " + listing.get(i).contentId());
        }
        return names;
    }

    private void change(String name, @Nullable INode node) {
        List<FsPath> changed = List.of(path("/a/b/" + name));
        Ticket held = trie.hold(new Scope(changed, IN), trie.ticket());
        assertThat(trie.walk(path("/a/b")).listing()).isNull();
        trie.release(
                new CacheChange(new Scope(changed, IN), List.of(), List.of(new Child(changed.get(0), node))),
                held,
                true);
    }

    @Test
    void shouldKeepListingCompleteAcrossItsOwnChanges() {
        fillChain();
        publish(children("/a/b"));
        change("g", file(11, "g", 30, 5));
        assertThat(listed()).containsExactly("g 5");
        change("e", file(11, "e", 31, 6));
        change("g", file(11, "g", 30, 7).withMode(0600));
        assertThat(listed()).containsExactly("e 6", "g 7");
        assertThat(trie.walk(path("/a/b/g")).node(3).mode()).isEqualTo(0600);
        change("e", null);
        assertThat(trie.walk(path("/a/b/e")).isAbsent()).isTrue();
        change("g", null);
        assertThat(trie.walk(path("/a/b")).listing()).isNotNull();
        assertThat(listed()).isEmpty();
    }

    @Test
    void shouldNotCompleteListingAfterChangeOfUnknownEnd() {
        fillChain();
        publish(children("/a/b", F));
        Ticket held = trie.hold(new Scope(HELD, IN), trie.ticket());
        trie.release(new CacheChange(new Scope(HELD, IN), List.of(), List.of()), held, true);
        assertThat(trie.walk(path("/a/b")).listing()).isNull();
        assertThat(trie.walk(path("/a/b/f")).isAbsent()).isFalse();
    }

    @Test
    void shouldCompleteListingThatOthersChangeTooButForTheirNames() {
        fillChain();
        publish(children("/a/b", F));
        INode g = file(11, "g", 30, 5);
        List<FsPath> other = List.of(path("/a/b/g"));
        Ticket first = trie.hold(new Scope(HELD, IN), trie.ticket());
        Ticket second = trie.hold(new Scope(other, IN), trie.ticket());
        trie.release(
                new CacheChange(new Scope(HELD, IN), List.of(), List.of(new Child(HELD.get(0), null))), first, true);
        assertThat(trie.walk(path("/a/b")).listing()).isNull();
        trie.release(
                new CacheChange(new Scope(other, IN), List.of(), List.of(new Child(other.get(0), g))), second, true);
        assertThat(listed()).containsExactly("g 5");

        Ticket third = trie.hold(new Scope(HELD, IN), trie.ticket());
        trie.invalidate(new Scope(other, IN), List.of());
        trie.release(new CacheChange(new Scope(HELD, IN), List.of(), List.of(new Child(HELD.get(0), F))), third, true);
        assertThat(trie.walk(path("/a/b")).listingButForNames().unknown()).containsExactly("g");
        assertThat(trie.walk(path("/a/b/f")).node(3)).isEqualTo(F);
    }

    @Test
    void shouldNotKnowNameThatTwoChangesOverlapOn() {
        fillChain();
        publish(children("/a/b", F));
        Ticket first = trie.hold(new Scope(HELD, IN), trie.ticket());
        Ticket second = trie.hold(new Scope(HELD, IN), trie.ticket());
        for (Ticket each : List.of(first, second)) {
            trie.release(
                    new CacheChange(new Scope(HELD, IN), List.of(), List.of(new Child(HELD.get(0), F))), each, true);
            assertThat(trie.walk(path("/a/b")).listingButForNames().unknown()).containsExactly("f");
        }
    }

    @Test
    void shouldNotCompleteListingOfAnotherDirectory() {
        fillChain();
        publish(children("/a/b", F));
        INode flagged = file(11, "g", 30, 5).withMark(new INode.SubtreeMark(7, 8));
        change("g", flagged);
        assertThat(trie.walk(path("/a/b")).listing()).isNull();
        publish(children("/a/b", F));
        change("g", file(99, "g", 30, 5));
        assertThat(trie.walk(path("/a/b")).listing()).isNull();
    }

    private void fillDirectories() {
        assertThat(publish(link("/", ROOT), link("/a", A), link("/a/b", B))).isTrue();
    }

    @Test
    void shouldStopAtFile() {
        fillChain();
        Walk walk = trie.walk(path("/a/b/f/g"));
        assertThat(walk.known()).isEqualTo(4);
        assertThat(walk.isAbsent()).isFalse();
        assertThat(publish(entry("/a/b/f/g", file(12, "g", 30, 1)))).isTrue();
        assertThat(known("/a/b/f/g")).isEqualTo(4);
    }

    @Test
    void shouldNotPublishFlaggedOrUnlinkedOrMisplaced() {
        publish(link("/", ROOT));
        publish(link("/a", A.withMark(new INode.SubtreeMark(5, 6))), link("/a/b", B));
        assertThat(known("/a")).isEqualTo(1);
        publish(link("/a", A), link("/a/b", dir(99, "b", 11)));
        assertThat(known("/a/b")).isEqualTo(2);
        publish(entry("/a/c", B));
        assertThat(known("/a/c")).isEqualTo(2);
        publish(children("/a", B, file(10, "y", 40, 1).withMark(new INode.SubtreeMark(7, 8))));
        publish(children("/a", dir(99, "b", 11), file(99, "y", 40, 1)));
        assertThat(trie.walk(path("/a")).listing()).isNull();
        publish(link("/a/y", file(10, "y", 40, 1)));
        assertThat(known("/a/y")).isEqualTo(2);
        assertThat(trie.stats().refusedFills()).isEqualTo(7);
    }

    @Test
    void shouldDropEntryAndListingThatShowsIt() {
        fillChain();
        publish(children("/a/b", F));
        long version = trie.walk(path("/a/b/f")).version();
        invalidateEntry("/a/b/f");
        assertThat(trie.isCurrent(version)).isFalse();
        assertThat(known("/a/b/f")).isEqualTo(3);
        assertThat(trie.walk(path("/a/b")).listing()).isNull();
        assertThat(trie.walk(path("/a/b/f")).isAbsent()).isFalse();
    }

    @Test
    void shouldDropListingAlone() {
        fillChain();
        publish(children("/a/b", F));
        invalidateListing("/a/b");
        assertThat(trie.walk(path("/a/b")).listing()).isNull();
        assertThat(trie.walk(path("/a/b/f")).isComplete()).isTrue();
    }

    @Test
    void shouldDropSubtreeAndListingThatShowsItsRoot() {
        fillChain();
        publish(children("/a", B));
        invalidatePrefix("/a/b");
        assertThat(known("/a/b/f")).isEqualTo(2);
        assertThat(trie.walk(path("/a")).listing()).isNull();
        publish(link("/a/b", B));
        assertThat(known("/a/b/f")).isEqualTo(3);
    }

    @Test
    void shouldDropEverythingBelowRoot() {
        fillChain();
        invalidatePrefix("/");
        assertThat(known("/a")).isZero();
        assertThat(trie.stats().inodes()).isZero();
    }

    @Test
    void shouldReachWhatIsBelowRefilledLinkOfSameDirectoryOnly() {
        fillChain();
        publish(children("/a/b", F));
        invalidateEntry("/a/b");
        assertThat(known("/a/b/f")).isEqualTo(2);
        publish(link("/a/b", B));
        assertThat(trie.walk(path("/a/b/f")).isComplete()).isTrue();
        invalidateEntry("/a/b");
        publish(link("/a/b", dir(10, "b", 77)));
        Walk walk = trie.walk(path("/a/b/f"));
        assertThat(walk.known()).isEqualTo(3);
        assertThat(walk.isAbsent()).isFalse();
        assertThat(trie.walk(path("/a/b")).listing()).isNull();
    }

    @Test
    void shouldNotResurrectChildrenThroughListingOfAnotherDirectory() {
        fillChain();
        invalidateEntry("/a/b");
        publish(children("/a", dir(10, "b", 77)));
        assertThat(known("/a/b/f")).isEqualTo(3);
        assertThat(publish(entry("/a/b/f", file(77, "f", 78, 1)))).isTrue();
        assertThat(trie.walk(path("/a/b/f")).node(3).id()).isEqualTo(78);
    }

    @Test
    void shouldVoidFillsThatInvalidationCovers() {
        fillChain();
        Ticket ticket = trie.ticket();
        invalidateEntry("/a/b/f");
        assertThat(trie.publish(ticket, List.of(entry("/a/b/f", F)))).isFalse();
        trie.publish(ticket, List.of(children("/a/b", F)));
        assertThat(trie.walk(path("/a/b")).listing()).isNull();
        assertThat(trie.publish(ticket, List.of(link("/a/b", B)))).isTrue();
        assertThat(known("/a/b/f")).isEqualTo(3);

        ticket = trie.ticket();
        invalidateListing("/a/b");
        assertThat(trie.publish(ticket, List.of(children("/a/b", F)))).isFalse();
        assertThat(trie.publish(ticket, List.of(entry("/a/b/f", F)))).isTrue();

        ticket = trie.ticket();
        invalidatePrefix("/a/b");
        assertThat(trie.publish(ticket, List.of(link("/a/b", B)))).isFalse();
        assertThat(trie.publish(ticket, List.of(entry("/a/b/f", F)))).isFalse();
        trie.publish(ticket, List.of(children("/a", B)));
        assertThat(trie.walk(path("/a")).listingButForNames().unknown()).containsExactly("b");
        assertThat(trie.publish(ticket, List.of(children("/", A)))).isTrue();
        assertThat(trie.publish(ticket, List.of(link("/a/bb", dir(10, "bb", 50)))))
                .isTrue();
        assertThat(trie.publish(trie.ticket(), List.of(link("/a/b", B)))).isTrue();
    }

    @Test
    void shouldVoidTicketsOlderThanItsLog() {
        PathTrie small = Nodes.open(new CacheLimits(1 << 20, 4));
        Ticket ticket = small.ticket();
        for (int i = 0; i < 4; i++) {
            small.invalidate(new Scope(List.of(path("/other" + i)), List.of()), List.of());
        }
        assertThat(small.publish(ticket, List.of(link("/", ROOT)))).isTrue();
        small.invalidate(new Scope(List.of(path("/other")), List.of()), List.of());
        assertThat(small.publish(ticket, List.of(link("/", ROOT)))).isFalse();
        assertThat(small.publish(small.ticket(), List.of(link("/", ROOT)))).isTrue();
    }

    @Test
    void shouldPublishNothingUnlessOpenAndNothingOfTicketFromBefore() {
        PathTrie closed = new PathTrie(CacheLimits.DEFAULT);
        Ticket before = closed.ticket();
        assertThat(closed.publish(before, List.of(link("/", ROOT)))).isFalse();
        closed.open();
        assertThat(closed.publish(before, List.of(link("/", ROOT)))).isFalse();
        assertThat(closed.publish(closed.ticket(), List.of(link("/", ROOT)))).isTrue();
    }

    @Test
    void shouldForgetEverythingWhenCleared() {
        fillChain();
        Ticket ticket = trie.ticket();
        Walk walk = trie.walk(path("/a"));
        trie.clear();
        assertThat(trie.isCurrent(walk.version())).isFalse();
        assertThat(known("/a")).isZero();
        assertThat(trie.publish(trie.ticket(), List.of(link("/", ROOT)))).isFalse();
        trie.open();
        assertThat(trie.publish(ticket, List.of(link("/", ROOT)))).isFalse();
        fillChain();
        assertThat(known("/a")).isEqualTo(2);
        assertThat(trie.stats().inodes()).isEqualTo(4);
    }

    /**
     * <pre>
     *   walk 1 | version raised | walk 2 sees the old | removed | version raised | neither is current
     * </pre>
     */
    @Test
    void shouldNotTakeWalkForCurrentThatAnInvalidationOverlaps() {
        fillChain();
        Walk before = trie.walk(path("/a/b/f"));
        List<Walk> during = new ArrayList<>();
        List<FsPath> prefixes = new AbstractList<>() {
            @Override
            public FsPath get(int index) {
                assertThat(trie.isCurrent(before.version())).isFalse();
                during.add(trie.walk(path("/a/b/f")));
                return path("/a/b/f");
            }

            @Override
            public int size() {
                return 1;
            }
        };
        trie.invalidate(Scope.NONE, prefixes);
        assertThat(during).isNotEmpty().allSatisfy(walk -> {
            assertThat(walk.isComplete()).isTrue();
            assertThat(trie.isCurrent(walk.version())).isFalse();
        });
        assertThat(trie.isCurrent(trie.walk(path("/a/b/f")).version())).isTrue();
    }

    @Test
    void shouldTurnToWhatIsBelowAndBack() {
        publish(link("/", ROOT), link("/a", A));
        long row = trie.stats().bytes();
        assertThat(trie.walk(path("/a")).node(1)).isEqualTo(A);
        publish(link("/a/b", B), entry("/a/b/f", F));
        assertThat(trie.walk(path("/a/b/f")).node(1)).isEqualTo(A);
        assertThat(trie.walk(path("/a/b/f")).node(3)).isEqualTo(F);
        assertThat(trie.stats().inodes()).isEqualTo(4);
        assertThat(trie.stats().bytes()).isGreaterThan(row);
        publish(new Fill.Entry(path("/a/b/f"), F, new byte[10]));
        assertThat(trie.walk(path("/a/b/f")).content()).hasSize(10);
        assertThat(trie.stats().inodes()).isEqualTo(4);
        invalidateEntry("/a/b/f");
        assertThat(known("/a/b/f")).isEqualTo(3);
        publish(entry("/a/b/f", F.withMode(0600)));
        assertThat(trie.walk(path("/a/b/f")).node(3)).isEqualTo(F.withMode(0600));
        publish(entry("/a/b/f", F.withMode(0640)));
        assertThat(trie.walk(path("/a/b/f")).node(3)).isEqualTo(F.withMode(0640));
        assertThat(trie.stats().inodes()).isEqualTo(4);
        invalidatePrefix("/a/b/f");
        assertThat(known("/a/b/f")).isEqualTo(3);
        publish(entry("/a/b/f", F));
        publish(entry("/a/b/f/g", file(12, "g", 30, 1)));
        assertThat(known("/a/b/f/g")).isEqualTo(4);
        invalidatePrefix("/a");
        assertThat(trie.stats().inodes()).isEqualTo(1);
    }

    @Test
    void shouldCacheWhatSharesNothing() {
        PathTrie small = Nodes.open(new CacheLimits(64 << 10, 16));
        small.publish(small.ticket(), List.of(link("/", ROOT)));
        for (int i = 0; i < 0777; i++) {
            INode node = file(1, "f" + i, 1_000 + i, 1).withMode(i);
            small.publish(small.ticket(), List.of(entry("/f" + i, node)));
            assertThat(small.walk(path("/f" + i)).node(1)).isEqualTo(node);
            assertThat(small.stats().bytes()).isLessThanOrEqualTo(64 << 10);
        }
        assertThat(small.stats().inodes()).isGreaterThan(100);
    }

    @Test
    void shouldCountWhatItHolds() {
        fillChain();
        invalidatePrefix("/");
        // What INodes share stays.
        long empty = trie.stats().bytes();
        assertThat(empty).isLessThan(1_000);
        fillChain();
        publish(children("/a/b", F), new Fill.Entry(path("/a/b/f"), F, new byte[1000]));
        CacheStats full = trie.stats();
        assertThat(full.inodes()).isEqualTo(4);
        assertThat(full.contents()).isEqualTo(1);
        assertThat(full.listings()).isEqualTo(1);
        assertThat(full.bytes()).isGreaterThan(empty + 1000);
        invalidatePrefix("/");
        assertThat(trie.stats().bytes()).isEqualTo(empty);
        assertThat(trie.stats().listings()).isZero();
        assertThat(trie.stats().contents()).isZero();
    }
}
