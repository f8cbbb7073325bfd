package io.lambdafs.hammer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TallyTest {
    private static final long BURST = 1_000;

    private static Tally tally() {
        return new Tally(Sample.none(0), nanos -> nanos == BURST);
    }

    @Test
    void shouldTellTheReadsOfTheBurstApart() {
        Tally tally = tally();
        tally.keepSlices();
        for (OperationKind kind : OperationKind.values()) {
            long micros = kind.isRead() ? 200 : 5_000;
            tally.record(kind, BURST, BURST + micros * 1_000, 10);
            tally.record(kind, 0, 900_000_000, 10);
        }
        Tally other = tally();
        other.add(tally.cut());

        for (Tally each : new Tally[] {tally, other}) {
            assertThat(each.phases().get(ReplayResult.BURST_READS).count()).isEqualTo(30);
            assertThat(each.phases().get(ReplayResult.BURST_READS).max()).isEqualTo(200);
            assertThat(each.phases().get(ReplayResult.BURST).count()).isEqualTo(70);
            assertThat(each.phases().get(ReplayResult.CALM).count()).isEqualTo(70);
        }
    }
}
