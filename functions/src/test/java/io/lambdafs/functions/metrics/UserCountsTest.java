package io.lambdafs.functions.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.operation.OperationKind;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UserCountsTest {
    private final UserCounts counts = new UserCounts();

    private Map<String, Long> read() {
        Map<String, Long> found = new TreeMap<>();
        counts.read((user, kind, operations) -> found.put(user + " " + kind.label(), operations));
        return found;
    }

    /** Takes every place by a user with one operation. */
    private void fill() {
        for (int i = 0; i < UserCounts.MOST; i++) {
            counts.add("user" + i, OperationKind.STAT);
        }
    }

    @Test
    void shouldCountUsersByKind() {
        counts.add("ann", OperationKind.STAT);
        counts.add("ann", OperationKind.STAT);
        counts.add("ann", OperationKind.MKDIRS);
        counts.add("bob", OperationKind.STAT);
        assertThat(read()).isEqualTo(Map.of("ann stat", 2L, "ann mkdirs", 1L, "bob stat", 1L));
    }

    @Test
    void shouldCountTogetherTheUsersBeyondItsBound() {
        fill();
        counts.add("late", OperationKind.STAT);
        counts.add("later", OperationKind.STAT);
        counts.add("user3", OperationKind.STAT);
        assertThat(read())
                .hasSize(UserCounts.MOST + 1)
                .containsEntry("user3 stat", 2L)
                .containsEntry("(others) stat", 2L);
    }

    @Test
    void shouldGiveThePlaceOfAUserWhoDidNothingToTheNextOne() {
        fill();
        read();
        for (int i = 0; i < UserCounts.MOST; i++) {
            if (i != 7) {
                counts.add("user" + i, OperationKind.STAT);
            }
        }
        read();
        counts.add("late", OperationKind.STAT);
        counts.add("later", OperationKind.STAT);
        assertThat(read())
                .hasSize(UserCounts.MOST + 1)
                .doesNotContainKey("user7 stat")
                .containsEntry("late stat", 1L)
                .containsEntry("(others) stat", 1L);
    }
}
