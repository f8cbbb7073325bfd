package io.lambdafs.door.s3.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.door.s3.files.Label;
import io.lambdafs.door.s3.wire.S3Call;
import io.lambdafs.rpc.http.HttpCall;
import java.net.InetSocketAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelsTest {
    private static Label label(String name, String value) {
        return Labels.of(S3Call.of(
                new HttpCall(
                        "PUT", "/bucket/key", Map.of(), Map.of(name, value), new byte[0], new InetSocketAddress(1)),
                "me",
                ""));
    }

    /** An e with an acute as one byte, and as UTF-8 has it. */
    @ParameterizedTest
    @CsvSource({"\u00e9", "\u00c3\u00a9", "plain"})
    void shouldKeepMetadataByteForByte(String value) {
        assertThat(label("x-amz-meta-a", value).metadata()).containsExactly(Map.entry("a", value));
    }

    @Test
    void shouldLeaveOutHowTheContentsWereSent() {
        assertThat(label("content-encoding", "deflate, gzip").headers())
                .containsExactly(Map.entry("content-encoding", "deflate, gzip"));
        assertThat(label("content-encoding", "aws-chunked, gzip").headers())
                .containsExactly(Map.entry("content-encoding", "gzip"));
        assertThat(label("content-encoding", "aws-chunked").headers()).isEmpty();
    }
}
