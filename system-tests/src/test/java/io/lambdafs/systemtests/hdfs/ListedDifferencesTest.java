package io.lambdafs.systemtests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ListedDifferencesTest {
    @Test
    void shouldAllowWhatIsListedAlone() {
        ListedDifferences listed = new ListedDifferences(List.of(
                "| operation | HDFS | λFS | why |",
                "|---|---|---|---|",
                "| `rename*` | `true` | `false` | It is so. |"));

        assertThat(listed.allow("rename with options", "true", "false")).isTrue();
        assertThat(listed.allow("rename", "false", "true")).isFalse();
        assertThat(listed.allow("delete", "true", "false")).isFalse();
        assertThat(listed.allow("rename", "true", "falsehood")).isFalse();
        assertThat(listed.summary()).containsExactly("listed, 1 times: rename*: HDFS true, λFS false");
    }

    @Test
    void shouldWantTheSameTextOnBothSidesWhereItSaysSo() {
        ListedDifferences listed =
                new ListedDifferences(List.of("| `stat` | `… is * (1)` | `… is 0 (1)` | It is so. |"));

        assertThat(listed.allow("stat", "/a is 7 (1)", "/a is 0 (1)")).isTrue();
        assertThat(listed.allow("stat", "/a is 7 (1)", "/b is 0 (1)")).isFalse();
        assertThat(listed.allow("stat", "/a is 7 (1)", "/a is 0 (2)")).isFalse();
    }

    @Test
    void shouldSayWhatIsListedAndDoesNotOccur() {
        ListedDifferences listed = new ListedDifferences(List.of("| `open` | `*` | `none` | It is so. |"));

        assertThat(listed.summary()).containsExactly("listed, but did not occur: open: HDFS *, λFS none");
    }

    @Test
    void shouldRefuseARowThatItDoesNotUnderstand() {
        assertThatThrownBy(() -> new ListedDifferences(List.of("| `open` | `true` | It is so. |")))
                .hasMessageContaining("not a row of operation, HDFS, λFS and reason");
    }
}
