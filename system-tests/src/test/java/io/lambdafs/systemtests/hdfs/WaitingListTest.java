package io.lambdafs.systemtests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WaitingListTest {
    private final WaitingList list = WaitingList.of("append | waits for datanodes", "truncate | waits for datanodes");

    @Test
    void shouldBeContentWhereJustTheListedFail() {
        assertThat(list.differences(Set.of("mkdir"), Map.of("append", "no", "truncate", "no")))
                .isEmpty();
    }

    @Test
    void shouldTellWhatIsNotAsListed() {
        assertThat(list.differences(Set.of("append"), Map.of("mkdir", "expected true")))
                .satisfiesExactly(
                        first -> assertThat(first).contains("not listed: mkdir", "expected true"),
                        second -> assertThat(second).contains("passes, and is listed as failing: append"),
                        third -> assertThat(third).contains("was not run: truncate"));
    }

    @Test
    void shouldDemandAReason() {
        assertThatThrownBy(() -> WaitingList.of("append")).hasMessageContaining("names no reason");
        assertThatThrownBy(() -> WaitingList.of("a | b", "a | c")).hasMessageContaining("listed twice");
    }
}
