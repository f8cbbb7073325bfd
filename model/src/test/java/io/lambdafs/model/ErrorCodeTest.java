package io.lambdafs.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.operation.Reply;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class ErrorCodeTest {
    /** Every code ever given. Numbers are on the wire and in users' scripts: lines are added here, never changed. */
    private static final String TABLE = """
            101 NOT_FOUND FINAL
            102 ALREADY_EXISTS FINAL
            103 NOT_A_DIRECTORY FINAL
            104 IS_A_DIRECTORY FINAL
            105 NOT_EMPTY FINAL
            106 PERMISSION_DENIED FINAL
            107 INVALID_PATH FINAL
            108 INVALID_ARGUMENT FINAL
            109 NEEDS_DATANODE FINAL
            110 NO_CONTENT FINAL
            111 NOT_UNDER_CONSTRUCTION FINAL
            112 NOT_ALLOWED FINAL
            113 UNSUPPORTED FINAL
            114 STALE_GENERATION FINAL
            115 BEING_WRITTEN FINAL
            116 NO_XATTR FINAL
            117 INVALID_ACL FINAL
            118 SAFE_MODE FINAL
            119 NAMES_QUOTA_EXCEEDED FINAL
            120 SPACE_QUOTA_EXCEEDED FINAL
            121 SNAPSHOT_REFUSED FINAL
            201 UNAUTHENTICATED FINAL
            202 TOKEN_EXPIRED FINAL
            203 STALE_SEQUENCE FINAL
            204 NOT_TRUSTED FINAL
            301 OVERLOADED RETRY
            302 NOT_READY RETRY
            303 FENCED RETRY
            304 STORE_CONFLICT RETRY
            305 SUBTREE_BUSY RETRY
            306 UNAVAILABLE RETRY
            307 THROTTLED RETRY
            308 INTERRUPTED RETRY
            309 RESIZED RETRY
            310 OVER_QUOTA RETRY
            401 CONNECTION_LOST OUTCOME_UNKNOWN
            402 TIMED_OUT OUTCOME_UNKNOWN
            403 FUNCTION_FAILED OUTCOME_UNKNOWN
            501 INTERNAL FINAL
            502 BAD_FRAME FINAL
            503 STORE_FULL FINAL
            504 DEADLINE_EXCEEDED FINAL
            505 BLOCK_CORRUPT FINAL
            506 BLOCK_MISSING FINAL
            """;

    @Test
    void shouldKeepNumbersNamesAndDispositions() {
        String actual = String.join(
                "",
                Arrays.stream(ErrorCode.values())
                        .map(code -> code.number() + " " + code + " " + code.disposition() + "\n")
                        .toList());

        assertThat(actual).isEqualTo(TABLE);
    }

    @Test
    void shouldGiveEachNumberOnce() {
        Map<Integer, ErrorCode> byNumber = new TreeMap<>();
        for (ErrorCode code : ErrorCode.values()) {
            assertThat(byNumber.put(code.number(), code)).isNull();
            assertThat(ErrorCode.of(code.number())).isEqualTo(code);
            assertThat(code.label()).isEqualTo("LFS-" + code.number());
        }
    }

    @Test
    void shouldTakeUnknownNumbersForInternalErrors() {
        for (int number : new int[] {0, -1, 100, 199, 599, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertThat(ErrorCode.of(number)).isEqualTo(ErrorCode.INTERNAL);
        }
    }

    @Test
    void shouldFindTheTypedFailureInsideItsWrappers() {
        FsException typed = new FsException(ErrorCode.NOT_EMPTY, "not empty");
        IllegalStateException fault = new IllegalStateException("fault");

        assertThat(FsException.of(new CompletionException(new ExecutionException(typed))))
                .isSameAs(typed);
        assertThat(FsException.of(new CompletionException(fault)).code()).isEqualTo(ErrorCode.INTERNAL);
        assertThat(FsException.of(fault)).hasCause(fault);
        assertThat(typed).hasToString("LFS-105 NOT_EMPTY: not empty");
        assertThat(Reply.Failure.of(typed)).isEqualTo(new Reply.Failure(ErrorCode.NOT_EMPTY, "not empty"));
    }
}
