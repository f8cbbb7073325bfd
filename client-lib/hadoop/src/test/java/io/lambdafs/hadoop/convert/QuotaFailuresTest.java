package io.lambdafs.hadoop.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HDFS's own exceptions tell what a quota refuses, in HDFS's words. */
class QuotaFailuresTest {
    @ParameterizedTest
    @CsvSource({"NAMES_QUOTA_EXCEEDED, true", "SPACE_QUOTA_EXCEEDED, false"})
    void shouldBeHdfssOwnException(ErrorCode code, boolean ofNames) {
        FsException refusal = new FsException(code, "The quota is exceeded");

        IOException shown = Failures.of(refusal, "/d");

        assertThat(shown)
                .isInstanceOf(ofNames ? NSQuotaExceededException.class : DSQuotaExceededException.class)
                .hasMessage("The quota is exceeded")
                .hasCause(refusal);
    }
}
