package io.lambdafs.functions.cache;

import static io.lambdafs.functions.cache.Nodes.entry;
import static io.lambdafs.functions.cache.Nodes.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.inode.INode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ListingTest {
    private static final List<String> NAMES =
            List.of("b", "a", "aa", "Z", "é", "\uE000", "\uFFFD", "\uD83D\uDE00", "\uD800\uDC00", "\uD7FF", "z");

    private static Listing listing() {
        List<INode> nodes = new ArrayList<>();
        for (String name : NAMES) {
            nodes.add(file(1, name, 100 + nodes.size(), 1));
        }
        return Listing.of(nodes);
    }

    @Test
    void shouldOrderByUtf8Bytes() {
        Listing listing = listing();
        assertThat(listing.size()).isEqualTo(NAMES.size());
        for (int i = 1; i < listing.size(); i++) {
            byte[] before = listing.get(i - 1).name().getBytes(StandardCharsets.UTF_8);
            byte[] after = listing.get(i).name().getBytes(StandardCharsets.UTF_8);
            assertThat(Arrays.compareUnsigned(before, after)).isNegative();
        }
    }

    @Test
    void shouldBeTheSameAfterChangesAsIfReadAnew() {
        Random random = new Random(1);
        TreeMap<String, INode> truth = new TreeMap<>();
        Listing listing = Listing.of(List.of());
        for (int i = 0; i < 5_000; i++) {
            String name = NAMES.get(random.nextInt(NAMES.size())) + random.nextInt(4);
            INode node =
                    random.nextInt(3) == 0 ? null : file(1, name, 100 + i, i).withMode(random.nextInt(8));
            truth.remove(name);
            if (node != null) {
                truth.put(name, node);
            }
            listing = listing.with(Collections.singletonMap(name, node));
            Listing anew = Listing.of(List.copyOf(truth.values()));
            assertThat(listing.isComplete()).isTrue();
            assertThat(listing.size()).isEqualTo(anew.size());
            for (int c = 0; c < anew.size(); c++) {
                assertThat(listing.get(c)).isEqualTo(anew.get(c));
            }
            assertThat(listing.isPublishableUnder(1)).isTrue();
        }
    }

    @Test
    void shouldShareTraitsWhileThereIsRoom() {
        List<INode> nodes = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            nodes.add(file(1, "n" + (10 + i), 100 + i, 1).withMode(i));
        }
        Listing own = Listing.of(nodes);
        SharedTraits none = new SharedTraits(0);
        assertThat(own.sharing(none).bytes()).isEqualTo(own.bytes());
        SharedTraits some = new SharedTraits(30 * Footprint.shared(nodes.get(0).traits()));
        Listing half = own.sharing(some);
        SharedTraits all = new SharedTraits(1 << 20);
        Listing whole = own.sharing(all);
        assertThat(whole.bytes())
                .isEqualTo(own.bytes() - 60 * Footprint.traits(nodes.get(0).traits()));
        assertThat(half.bytes()).isEqualTo((own.bytes() + whole.bytes()) / 2);
        assertThat(all.bytes())
                .isEqualTo(60L * Footprint.shared(nodes.get(0).traits()))
                .isEqualTo(2 * some.bytes());
        for (int i = 0; i < nodes.size(); i++) {
            assertThat(own.get(i)).isEqualTo(nodes.get(i));
            assertThat(half.get(i)).isEqualTo(nodes.get(i));
            assertThat(whole.get(i)).isEqualTo(nodes.get(i));
            assertThat(whole.get(i).traits()).isSameAs(all.share(nodes.get(i).traits()));
        }
    }

    @Test
    void shouldFindEveryNameAndNoOther() {
        Listing listing = listing();
        for (String name : NAMES) {
            assertThat(listing.find(name)).isNotNull();
            assertThat(listing.get(listing.indexAfter(name) - 1).name()).isEqualTo(name);
        }
        assertThat(listing.find("ab")).isNull();
        assertThat(listing.indexAfter("")).isZero();
        assertThat(listing.get(listing.indexAfter("ab")).name()).isEqualTo("b");
        assertThat(listing.indexAfter("\uDBFF\uDFFF")).isEqualTo(listing.size());
    }

    @Test
    void shouldBePublishableOnlyUnderItsParentWithoutFlagsAndDuplicates() {
        assertThat(listing().isPublishableUnder(1)).isTrue();
        assertThat(listing().isPublishableUnder(2)).isFalse();
        assertThat(Listing.of(List.of()).isPublishableUnder(2)).isTrue();
        assertThat(Listing.of(List.of(file(1, "a", 5, 1), file(1, "a", 6, 1))).isPublishableUnder(1))
                .isFalse();
        assertThat(Listing.of(List.of(file(1, "a", 5, 1).withMark(new INode.SubtreeMark(1, 1))))
                        .isPublishableUnder(1))
                .isFalse();
        assertThatThrownBy(() -> Listing.of(List.of(file(1, "a", 5, 1), file(2, "b", 6, 1))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldKnowEverythingButTheNamesThatHaveChanged() {
        Listing all = listing();
        Listing most = all.without(List.of("aa", "ab", "z", "aa"));
        assertThat(most.isComplete()).isFalse();
        assertThat(most.isCompleteButForNames()).isTrue();
        assertThat(most.unknown()).containsExactly("aa", "ab", "z");
        assertThat(most.bytes()).isGreaterThan(all.bytes());
        for (String name : NAMES) {
            assertThat(most.find(name)).isEqualTo(most.unknown().contains(name) ? null : all.find(name));
            assertThat(most.lacks(name)).isFalse();
        }
        assertThat(most.lacks("ab")).isFalse();
        assertThat(most.lacks("ac")).isTrue();
        assertThat(most.without(List.of("ab", "z"))).isSameAs(most);

        Map<String, INode> names = new HashMap<>(Map.of("ab", file(1, "ab", 90, 1)));
        names.put("z", null);
        Listing again = most.with(names);
        assertThat(again.unknown()).containsExactly("aa");
        assertThat(again.lacks("z")).isTrue();
        assertThat(again.find("ab").id()).isEqualTo(90);
        assertThat(again.with(Map.of("aa", file(1, "aa", 91, 2))).isComplete()).isTrue();
    }

    @Test
    void shouldKeepTheKnownChildrenAloneWhenManyHaveChanged() {
        Listing all = listing();
        Listing rest =
                all.without(IntStream.range(0, 30).mapToObj(i -> "new" + i).toList());
        assertThat(rest.isCompleteButForNames()).isFalse();
        assertThat(rest.lacks("anything")).isFalse();
        assertThat(rest.find("aa")).isEqualTo(all.find("aa"));
        assertThat(rest.without(List.of("other"))).isSameAs(rest);
        assertThat(rest.without(List.of("aa")).find("aa")).isNull();
        assertThat(all.without(NAMES).find("a")).isNull();
        assertThat(Listing.of(List.of()).without(List.of("a")).isCompleteButForNames())
                .isTrue();
    }

    @Test
    void shouldBeRereadWhenItsChildrenBecomeTooDifferent() {
        Listing listing = listing();
        for (int i = 0; listing != null && i < 100; i++) {
            assertThat(i).as("kinds of traits").isLessThan(65);
            listing = listing.with(Map.of("a", file(1, "a", 90, 1).withMode(i)));
        }
        assertThat(listing).isNull();
    }

    @Test
    void shouldFreeTraitsWhenTheCacheIsClearedAndKeepThemForWhoStillReads() {
        Trie trie = new Trie(1 << 20);
        long empty = trie.bytes();
        trie.store(entry("/", Nodes.ROOT));
        for (int i = 0; i < 1_000; i++) {
            trie.store(entry("/f" + i, file(INode.ROOT_ID, "f" + i, 100 + i, 1).withMode(i & 0777)));
        }
        Trie.Tree before = trie.tree();
        Children below = before.root().below();
        byte[] row = (byte[]) below.child("f5");

        trie.clear();
        assertThat(trie.bytes()).as("bytes of what is cleared").isEqualTo(empty);

        trie.store(entry("/", Nodes.ROOT));
        trie.store(entry("/g", file(INode.ROOT_ID, "g", 7, 1).withMode(0700)));
        assertThat(before.touch(row, below, "f5").mode()).isEqualTo(5);
        Trie.Tree now = trie.tree();
        byte[] other = (byte[]) now.root().below().child("g");
        assertThat(now.touch(other, now.root().below(), "g").mode()).isEqualTo(0700);
    }
}
