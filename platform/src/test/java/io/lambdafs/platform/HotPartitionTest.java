package io.lambdafs.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class HotPartitionTest {
    private static Map<String, Double> load(double first, double second, double third) {
        return Map.of("namenode0", first, "namenode1", second, "namenode2", third);
    }

    @Test
    void shouldTellTheDeploymentThatDoesFarMoreThanAnEvenShare() {
        // Three tenths of the load in one directory, the rest spread over four deployments.
        HotPartition hot = HotPartition.of(load(175, 475, 175), 4).orElseThrow();
        assertThat(hot.deployment()).isEqualTo("namenode1");
        assertThat(hot.share()).isBetween(0.57, 0.58);
        assertThat(hot.text()).isEqualTo("hot partition: namenode1 does 58 % of the load; an even share is 25 %");
        assertThat(HotPartition.of(load(60, 30, 10), 3))
                .hasValueSatisfying(most -> assertThat(most.deployment()).isEqualTo("namenode0"));
    }

    @Test
    void shouldTellNoneWhereTheLoadIsEvenOrLightOrOfOneDeployment() {
        assertThat(HotPartition.of(load(100, 120, 110), 3)).isEmpty();
        assertThat(HotPartition.of(load(44, 28, 28), 3)).isEmpty();
        assertThat(HotPartition.of(load(15, 0, 0), 3)).isEmpty();
        assertThat(HotPartition.of(Map.of("namenode0", 1_000.0), 1)).isEmpty();
        assertThat(HotPartition.of(Map.of(), 4)).isEmpty();
    }
}
