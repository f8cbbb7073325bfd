package io.lambdafs.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ActionSpecTest {
    @Test
    void shouldHaveItsValuesInOneOrderInEveryProcess() {
        Map<String, Object> values = Map.copyOf(
                IntStream.range(10, 40).boxed().collect(Collectors.toMap(each -> "key" + each, each -> each)));
        ActionSpec spec =
                new ActionSpec("echo", ActionExec.ofKind("java:17"), ActionLimits.defaults(), values, values, values);

        assertThat(List.copyOf(spec.parameters().keySet())).isSorted();
        assertThat(List.copyOf(spec.environment().keySet())).isSorted();
        assertThat(List.copyOf(spec.annotations().keySet())).isSorted();
        assertThat(spec.withEnvironment(Map.of("b", 1, "a", 2)).environment()).isEqualTo(Map.of("a", 2, "b", 1));
    }
}
