package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import java.util.List;
import org.junit.jupiter.api.Test;

class HotRowsTest {
    private static final Key KEY = Schema.SEQUENCES.key("one");
    private static final Key OTHER = Schema.SEQUENCES.key("other");

    private final HotRows hot = new HotRows();

    private static Row row(Key key, long value) {
        return new Row(key, value);
    }

    private void fill(Row row) {
        hot.fill(row, hot.version());
    }

    @Test
    void shouldFindWhatWasRead() {
        fill(row(KEY, 1));

        assertThat(hot.get(KEY)).isEqualTo(row(KEY, 1));
        assertThat(hot.get(OTHER)).isNull();
    }

    @Test
    void shouldHaveAPlaceForOneOfTwoRowsThatShareIt() {
        fill(row(KEY, 1));
        Key neighbour = KEY;
        for (int i = 0; hot.get(KEY) != null; i++) {
            neighbour = Schema.SEQUENCES.key("neighbour-" + i);
            fill(row(neighbour, i));
            assertThat(hot.get(neighbour)).isEqualTo(row(neighbour, i));
        }

        hot.begin(List.of(KEY));
        hot.end(List.of());

        assertThat(hot.get(neighbour))
                .as("a neighbour's change is none of its own")
                .isNotNull();
    }

    @Test
    void shouldNotKnowWhatIsBeingChanged() {
        fill(row(KEY, 1));
        fill(row(OTHER, 1));

        hot.begin(List.of(KEY));

        assertThat(hot.get(KEY)).isNull();
        assertThat(hot.get(OTHER)).isEqualTo(row(OTHER, 1));
    }

    @Test
    void shouldKnowWhatAGroupHasLeft() {
        fill(row(KEY, 1));
        hot.begin(List.of(KEY, OTHER));
        hot.end(List.of(row(KEY, 2)));

        assertThat(hot.get(KEY)).isEqualTo(row(KEY, 2));
        assertThat(hot.get(OTHER)).isNull();
    }

    @Test
    void shouldTakeNothingThatMayBeOlderThanAGroup() {
        long before = hot.version();
        hot.begin(List.of(KEY));
        hot.fill(row(KEY, 1), before);
        assertThat(hot.get(KEY)).as("read before").isNull();

        long meanwhile = hot.version();
        hot.fill(row(KEY, 1), meanwhile);
        assertThat(hot.get(KEY)).as("read meanwhile").isNull();

        hot.end(List.of());
        hot.fill(row(KEY, 1), before);
        hot.fill(row(KEY, 1), meanwhile);
        assertThat(hot.get(KEY)).as("put in afterwards").isNull();
    }

    @Test
    void shouldTellByItsVersionThatAGroupHasBegunAndThatItIsOver() {
        long before = hot.version();
        hot.begin(List.of(KEY));
        long meanwhile = hot.version();
        hot.end(List.of());

        assertThat(List.of(before, meanwhile, hot.version())).doesNotHaveDuplicates();
    }
}
