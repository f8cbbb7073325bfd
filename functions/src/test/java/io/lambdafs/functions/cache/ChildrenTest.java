package io.lambdafs.functions.cache;

import static io.lambdafs.functions.cache.Nodes.file;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChildrenTest {
    private final Children below = new Children(7);
    private final Map<String, Object> truth = new HashMap<>();
    private final Random random = new Random(1);

    private Object child(String name) {
        return random.nextInt(10) == 0 ? new TrieNode(name, null) : INodeEncoding.row(file(7, name, 1_000, 1), 0);
    }

    private String name(int of) {
        int number = random.nextInt(of);
        return (number % 50 == 0 ? "ü" : "n") + number;
    }

    private void check(int of) {
        assertThat(below.live()).isEqualTo(truth.size());
        long rows = truth.values().stream().filter(byte[].class::isInstance).count();
        assertThat(below.rows()).isEqualTo((int) rows);
        assertThat(below.rowBytes())
                .isEqualTo(truth.values().stream()
                        .filter(byte[].class::isInstance)
                        .mapToLong(row -> Footprint.row((byte[]) row))
                        .sum());
        for (int i = 0; i < of; i++) {
            String name = (i % 50 == 0 ? "ü" : "n") + i;
            assertThat(below.child(name)).isSameAs(truth.get(name));
        }
        List<Object> seen = new ArrayList<>();
        for (int i = 0; i < below.slots(); i++) {
            Object child = below.childAt(i);
            if (child != null) {
                seen.add(child);
            }
        }
        Set<Object> all = new HashSet<>(truth.values());
        assertThat(seen).hasSize(all.size());
        assertThat(new HashSet<>(seen)).isEqualTo(all);
    }

    /** Runs with few, with as many as move at once, and with so many that a table is replaced in steps. */
    @ParameterizedTest
    @ValueSource(ints = {5, 100, 800, 20_000})
    void shouldHoldWhatWasAddedAndNothingElse(int of) {
        for (int round = 0; round < 6; round++) {
            boolean growing = round % 2 == 0;
            for (int i = 0; i < of * 3; i++) {
                String name = name(of);
                Object there = truth.get(name);
                if (there == null && (growing || random.nextInt(8) == 0)) {
                    Object child = child(name);
                    below.add(child);
                    truth.put(name, child);
                } else if (there != null && random.nextInt(8) == 0) {
                    Object child = child(name);
                    below.replace(/* child= */ there, /* other= */ child);
                    truth.put(name, child);
                } else if (there != null && (!growing || random.nextInt(8) == 0)) {
                    below.remove(there);
                    truth.remove(name);
                }
                assertThat(below.child(name)).isSameAs(truth.get(name));
                if (i % of == of / 2) {
                    check(of);
                }
            }
        }
        for (Object child : List.copyOf(truth.values())) {
            below.remove(child);
        }
        truth.clear();
        check(of);
        assertThat(below.slots()).isZero();
    }

    /** A table that is replaced step by step: what has not been moved yet is seen too. */
    @Test
    void shouldShowEachChildOnceWhileItsTableIsReplaced() {
        int slots = 0;
        for (int i = 0; i < 5_000; i++) {
            below.add(INodeEncoding.row(file(7, "n" + i, 1_000, 1), 0));
            if (below.slots() > slots) {
                slots = below.slots();
                Set<Object> seen = new HashSet<>();
                for (int slot = 0; slot < slots; slot++) {
                    Object child = below.childAt(slot);
                    assertThat(child == null || seen.add(child)).isTrue();
                }
                assertThat(seen).hasSize(i + 1);
            }
        }
        assertThat(slots).isGreaterThan(10_000);
    }

    @Test
    void shouldGiveBackTheMemoryOfChildrenThatHaveGone() {
        List<Object> children = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            children.add(INodeEncoding.row(file(7, "n" + i, 1_000, 1), 0));
            below.add(children.get(i));
        }
        assertThat(below.slots()).isBetween(133_334, 400_000);
        for (int i = 1_000; i < children.size(); i++) {
            below.remove(children.get(i));
            assertThat(below.child("n" + i)).isNull();
        }
        assertThat(below.slots()).isLessThan(20_000);
        for (int i = 0; i < 1_000; i++) {
            assertThat(below.child("n" + i)).isSameAs(children.get(i));
        }
    }
}
