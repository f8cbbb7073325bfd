package io.lambdafs.functions.cache;

import static io.lambdafs.functions.cache.Nodes.file;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListingTest {
    private static final List<String> NAMES =
            List.of("b", "a", "aa", "Z", "é", "\uE000", "\uFFFD", "\uD83D\uDE00", "\uD800\uDC00", "\uD7FF", "z");

    private static Listing listing() {
        List<io.lambdafs.model.INode> nodes = new ArrayList<>();
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
        assertThat(Listing.of(List.of(file(1, "a", 5, 1).withSubtree(1, 1))).isPublishableUnder(1))
                .isFalse();
    }

    @Test
    void shouldKeepWhatStillStandsWhenItChanges() {
        Listing whole = listing();
        assertThat(whole.isComplete()).isTrue();
        Listing grown = whole.without("ab");
        assertThat(grown.isComplete()).isFalse();
        assertThat(grown.size()).isEqualTo(whole.size());
        assertThat(grown.bytes()).isEqualTo(whole.bytes());
        for (String name : NAMES) {
            Listing rest = whole.without(name);
            assertThat(rest.isComplete()).isFalse();
            assertThat(rest.find(name)).isNull();
            assertThat(rest.bytes()).isLessThan(whole.bytes());
            for (String other : NAMES) {
                assertThat(rest.find(other)).isEqualTo(other.equals(name) ? null : whole.find(other));
            }
        }
        Listing none = whole;
        for (String name : NAMES) {
            none = none.without(name);
        }
        assertThat(none.bytes()).isEqualTo(Footprint.listing(0));
        assertThat(whole.incomplete().isPublishableUnder(1)).isFalse();
    }
}
