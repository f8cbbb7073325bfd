package io.lambdafs.benchmarks.micro;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FailoverCurveTest {
    /** 100 a slot but for {@code silent} slots from 3 s on, and half of it for {@code slow} more. */
    private static FailoverCurve curve(int silent, int slow) {
        List<Long> done = new ArrayList<>();
        for (int slot = 0; slot < 100; slot++) {
            int since = slot - 30;
            done.add(since < 0 || since >= silent + slow ? 100L : since < silent ? 0 : 50);
        }
        return new FailoverCurve("hdfs", "one", 3_000, done, 0, "", 2_100, 0);
    }

    @Test
    void shouldTellHowLongNothingWasDoneAndWhenAllWasWellAgain() {
        FailoverCurve curve = curve(20, 10);
        assertThat(curve.before()).isEqualTo(1_000);
        assertThat(curve.silentSeconds()).isEqualTo(2);
        // 0.8 of it in a second: four of ten slots at half.
        assertThat(curve.recoveredSeconds()).isEqualTo(2.6);
        assertThat(curve.text())
                .contains("nothing done for 2.0 s", "as fast again after 2.6 s", " 1,000 0 0 500 1,000");
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        curve.write(json);
        assertThat(json.path("done")).hasSize(100);
        assertThat(json.path("silentSeconds").asDouble()).isEqualTo(2);
    }

    @Test
    void shouldSayThatItNeverWas() {
        assertThat(curve(70, 0).recoveredSeconds()).isNegative();
        assertThat(curve(70, 0).text()).contains("more than the run had");
    }
}
