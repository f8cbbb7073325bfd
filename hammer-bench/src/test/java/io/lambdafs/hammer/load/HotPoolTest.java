package io.lambdafs.hammer.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import org.junit.jupiter.api.Test;

class HotPoolTest {
    @Test
    void shouldCountProcessesThatWaitAndHaveRehearsed() {
        ArrayNode instances = new ObjectMapper().createArrayNode();
        instances.addObject().put("state", "prewarmed").put("ofSteadyCost", 1);
        instances.addObject().put("state", "prewarmed");
        instances.addObject().put("state", "ready").put("ofSteadyCost", 1);
        assertThat(HotPool.rehearsed(instances)).isEqualTo(1);
    }
}
