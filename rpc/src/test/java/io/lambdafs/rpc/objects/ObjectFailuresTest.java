package io.lambdafs.rpc.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectFailuresTest {
    @ParameterizedTest
    @CsvSource({
        "RequestTimeTooSkewed, The difference between the request time and the current time is too large., clock",
        "AuthenticationFailed, Request date header too old, clock",
        "SignatureDoesNotMatch, '', credentials"
    })
    void shouldTellAWrongClockFromWrongCredentials(String code, String message, String advice) {
        FsException failure = ObjectFailures.of("cannot read k in s3://b", 403, code, message);

        assertThat(failure.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(failure).hasMessageContaining(advice);
        assertThat(advice.equals("clock")).isNotEqualTo(failure.getMessage().contains("credentials"));
    }

    @ParameterizedTest
    @CsvSource({
        "403, AccessDenied, Request has expired, TOKEN_EXPIRED",
        "403, ExpiredToken, The provided token has expired., TOKEN_EXPIRED",
        "400, ExpiredToken, Invalid argument., TOKEN_EXPIRED",
        "403, AuthenticationFailed, Signature not valid in the specified time frame, TOKEN_EXPIRED",
        "403, SignatureDoesNotMatch, '', PERMISSION_DENIED",
        "401, '', '', PERMISSION_DENIED",
        "404, NoSuchKey, '', BLOCK_MISSING",
        "404, NoSuchBucket, '', UNAVAILABLE",
        "404, ContainerNotFound, '', UNAVAILABLE",
        "409, BlobAlreadyExists, '', ALREADY_EXISTS",
        "409, FileAlreadyExists, '', ALREADY_EXISTS",
        "403, UnauthorizedBlobOverwrite, '', ALREADY_EXISTS",
        "409, ConditionalRequestConflict, '', STORE_CONFLICT",
        "409, OperationAborted, '', STORE_CONFLICT",
        "409, ContainerBeingDeleted, '', STORE_CONFLICT",
        "409, conflict, '', STORE_CONFLICT",
        "409, '', '', STORE_CONFLICT",
        "404, NoSuchUpload, '', UNAVAILABLE",
        "412, PreconditionFailed, '', ALREADY_EXISTS",
        "416, InvalidRange, '', BLOCK_CORRUPT",
        "400, BadDigest, '', BLOCK_CORRUPT",
        "400, Md5Mismatch, '', BLOCK_CORRUPT",
        "507, XMinioStorageFull, '', STORE_FULL",
        "400, QuotaExceeded, '', STORE_FULL",
        "503, SlowDown, '', UNAVAILABLE",
        "500, InternalError, '', UNAVAILABLE"
    })
    void shouldSayWhatAnAnswerMeans(int status, String code, String message, ErrorCode expected) {
        String body = "<Error><Code>" + code + "</Code><Message>" + message + "</Message></Error>";

        FsException failure =
                ObjectFailures.of("cannot read k in s3://b", status, body.getBytes(StandardCharsets.UTF_8));

        assertThat(failure.code()).isEqualTo(expected);
        assertThat(failure).hasMessageStartingWith("cannot read k in s3://b: ");
    }
}
