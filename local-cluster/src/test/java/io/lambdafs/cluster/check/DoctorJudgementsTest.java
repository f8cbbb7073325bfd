package io.lambdafs.cluster.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.block.Datanode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how doctor judges its findings. */
class DoctorJudgementsTest {
    private static Datanode datanode(long heartbeat) {
        return Datanode.of(
                new Row(Schema.DATANODES.key(0L, "dn"), "host", 1L, "store", 1L, 1L << 30, 1L << 30, heartbeat));
    }

    /** The store was asked at 100,000, and had answered ten minutes later: neither clock is wrong. */
    @ParameterizedTest
    @CsvSource({"100000, OK", "400000, OK", "700000, OK", "702000, OK", "702001, FAULT", "41000, OK", "39000, FAULT"})
    void shouldNotTakeItsOwnSlownessForAClock(long heartbeat, Finding.State state) {
        Finding found = StoreChecks.clock(datanode(heartbeat), 100_000, 700_000);
        assertThat(found.state()).as(found.line()).isEqualTo(state);
    }

    @Test
    void shouldNotAdviseChownOnAReadOnlyFileSystem() {
        Path place = Path.of("/place");
        assertThat(FileChecks.notWritable(place, false, "ada").line()).contains("chown -R ada /place");
        assertThat(FileChecks.notWritable(place, true, "ada").line())
                .contains("read-only file system", "mount it writable")
                .doesNotContain("chown");
    }
}
