package io.lambdafs.store.block;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BlockReportTest {
    @Test
    void shouldKeepTheDigestOfReportsThatAreStored() {
        BlockReport.Contents two = BlockReport.Contents.NONE.plus("03/a", 7).plus("03/bc", 1L << 40);
        assertThat(two.objects()).isEqualTo(2);
        assertThat(two.bytes()).isEqualTo((1L << 40) + 7);
        assertThat(two.hash()).isEqualTo(5_151_851_210_524_563_860L);
    }
}
