package io.lambdafs.functions.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.inode.INode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class INodeEncodingTest {
    private static final INode.Traits FILE =
            new INode.Traits(INode.Kind.FILE, "alice", "staff", 0644, 3, 128 << 20, INode.Content.INLINE);
    private static final INode.Traits DIRECTORY =
            new INode.Traits(INode.Kind.DIRECTORY, "bob", "users", 01777, 0, 0, INode.Content.NONE);
    private static final INode.Traits[] TRAITS = new INode.Traits[300];

    static {
        java.util.Arrays.fill(TRAITS, DIRECTORY);
        TRAITS[299] = FILE;
    }

    private static final List<String> NAMES = List.of(
            "f",
            "part-00000",
            "part-00001",
            "part-0000",
            "é",
            "\u00ff",
            "naïve",
            "\uE000",
            "\uD83D\uDE00",
            "a\uD83D\uDE00",
            "x".repeat(127),
            "x".repeat(128),
            "x".repeat(255),
            "日本".repeat(42),
            "y".repeat(70_000));

    private static final long[] NUMBERS = {
        0,
        1,
        -1,
        63,
        64,
        127,
        128,
        16_383,
        16_384,
        1_700_000_000_000L,
        Integer.MAX_VALUE,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };

    @Test
    void shouldGiveBackWhatWasPacked() {
        for (long number : NUMBERS) {
            for (long other : NUMBERS) {
                INode node = new INode(7, "name", number, FILE, other, number, other, number);
                assertThat(INodeEncoding.inRow(INodeEncoding.row(node, 299), 7, "name", TRAITS))
                        .isEqualTo(node);
                assertThat(INodeEncoding.at(INodeEncoding.of(node, 299), 0, 7, TRAITS))
                        .isEqualTo(node);
                INode second = new INode(7, "name", number, DIRECTORY, other, other, number, other);
                assertThat(INodeEncoding.at(INodeEncoding.of(second, 0), 0, 7, TRAITS))
                        .isEqualTo(second);
                INode seen = second.withEra(number, other);
                assertThat(INodeEncoding.at(INodeEncoding.of(seen, 1), 0, 7, TRAITS))
                        .isEqualTo(seen);
            }
        }
    }

    @Test
    void shouldKnowNamesAndTheirHashes() {
        for (String name : NAMES) {
            INode node = new INode(7, name, 12, FILE, 3, 4, 5, 6);
            byte[] row = INodeEncoding.row(node, 299);
            byte[] packed = INodeEncoding.of(node, 299);
            assertThat(INodeEncoding.at(packed, 0, 7, TRAITS)).isEqualTo(node);
            assertThat(INodeEncoding.nameHash(row)).isEqualTo(name.hashCode());
            for (String other : NAMES) {
                assertThat(INodeEncoding.isNamed(row, other))
                        .as("%s, %s", name, other)
                        .isEqualTo(name.equals(other));
                int byCodePoints = java.util.Arrays.compare(
                        name.codePoints().toArray(), other.codePoints().toArray());
                assertThat(Integer.signum(INodeEncoding.compareName(packed, 0, other.getBytes(StandardCharsets.UTF_8))))
                        .isEqualTo(Integer.signum(byCodePoints));
            }
        }
    }

    @Test
    void shouldRememberThatWalkCameBy() {
        INode node = new INode(7, "f", 12, FILE, 3, 4, 5, 6);
        byte[] row = INodeEncoding.row(node, 299);
        assertThat(INodeEncoding.takeUsed(row)).isFalse();
        INodeEncoding.touch(row);
        INodeEncoding.touch(row);
        assertThat(INodeEncoding.inRow(row, 7, "f", TRAITS)).isEqualTo(node);
        assertThat(INodeEncoding.takeUsed(row)).isTrue();
        assertThat(INodeEncoding.takeUsed(row)).isFalse();
    }

    @Test
    void shouldTakeFewBytes() {
        INode node =
                new INode(1_000_000, "part-00000", 1_000_001, FILE, 4_000, 1_700_000_000_000L, 1_700_000_000_000L, 1);
        assertThat(INodeEncoding.row(node, 60)).hasSize(1 + 1 + 10 + 1 + 3 + 2 + 6 + 1 + 1);
    }
}
