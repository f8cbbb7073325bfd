package io.lambdafs.hammer.lambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class RunTest {
    private static final double GB_SECOND = 0.0000166667;
    private static final double INVOCATION = 0.2e-6;

    /** 2,000 operations in 500 invocations of an instance of 512 MB. */
    private static Run run(Mode mode) {
        return new Run(mode, 512, 2_000, 3, 1_500, 9_500, 4, 500, 60_000, 40_000, 10_000);
    }

    @Test
    void shouldPayForMemoryAndInvocations() {
        // 60 s and 40 s of half a gigabyte.
        assertThat(run(Mode.INVOCATION).billedPerMillion())
                .isCloseTo((30 * GB_SECOND + 500 * INVOCATION) * 500, within(1e-12));
        assertThat(run(Mode.INVOCATION).activePerMillion())
                .isCloseTo((20 * GB_SECOND + 500 * INVOCATION) * 500, within(1e-12));
        Run nothing = new Run(Mode.INVOCATION, 512, 0, 0, 0, 0, 0, 5, 100, 100, 10);
        assertThat(nothing.billedPerMillion()).isZero();
        assertThat(nothing.activePerMillion()).isZero();
    }

    @Test
    void shouldHoldAsManyInstancesAtScaleAsTheirProcessorsMustBe() {
        assertThat(run(Mode.INVOCATION).billedPerMillionAtScale())
                .isEqualTo(run(Mode.INVOCATION).billedPerMillion());
        // 5 ms of CPU for an operation: 125 CPU-seconds a second at 25,000; an instance of 512 MB has 0.2894 vCPU, 70 %
        // of it planned with.
        double instances = Math.ceil(125 / (0.7 * 512 / 1_769));
        assertThat(instances).isEqualTo(617);
        assertThat(run(Mode.HELD).billedPerMillionAtScale())
                .isCloseTo(instances * 0.5 * GB_SECOND * 1e6 / 25_000, within(1e-9));
    }

    @Test
    void shouldPutEachFigureUnderItsName() {
        Run run = run(Mode.HELD);
        assertThat(run.json())
                .hasToString(
                        "{\"mode\":\"held\",\"memoryMb\":512,\"operations\":2000,\"failed\":3,\"p50Micros\":1500.0,"
                                + "\"p99Micros\":9500.0,\"peakInstances\":4,\"invocations\":500,\"billedMillis\":60000,"
                                + "\"activeMillis\":40000,\"cpuMillis\":10000,\"billedUsdPerMillion\":"
                                + run.billedPerMillion()
                                + ",\"activeUsdPerMillion\":" + run.activePerMillion()
                                + ",\"billedUsdPerMillionAt25k\":" + run.billedPerMillionAtScale() + "}");
        assertThat(run.text())
                .isEqualTo("held        2,000 operations, 3 failed; p50 1.5 ms, p99 9.5 ms; 4 instances of 512 MB;"
                        + " 500 invocations, billed 60,000 ms, active 40,000 ms, CPU 10,000 ms\n"
                        + "            USD per million operations: 0.300 by what is billed, 0.217 by active time,"
                        + " 0.206 by what is billed at 25,000 ops/s");
    }
}
