package io.lambdafs.door.s3.wire;

import io.lambdafs.rpc.http.HttpReply;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Makes replies. Stateless. */
public final class S3Replies {
    private static final DateTimeFormatter ISO =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter HTTP = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);
    private static final String XML = "application/xml";

    private S3Replies() {}

    public static HttpReply xml(XmlOut document) {
        return new HttpReply(200, XML, document.bytes(), Map.of());
    }

    public static HttpReply failure(S3Failure why, String resource) {
        return failure(why.code(), why.code().status(), String.valueOf(why.getMessage()), resource);
    }

    /** Returns the reply to a request that the server itself refuses. */
    public static HttpReply refusal(int status, String message) {
        S3Code code = switch (status) {
            case 503 -> S3Code.SLOW_DOWN;
            case 500 -> S3Code.INTERNAL_ERROR;
            case 408 -> S3Code.REQUEST_TIMEOUT;
            case 413 -> S3Code.ENTITY_TOO_LARGE;
            default -> S3Code.INVALID_REQUEST;
        };
        return failure(code, status, message, "");
    }

    private static HttpReply failure(S3Code code, int status, String message, String resource) {
        String id = UUID.randomUUID().toString();
        byte[] body = XmlOut.error()
                .put("Code", code.label())
                .tell("Message", message)
                .tell("Resource", resource)
                .put("RequestId", id)
                .bytes();
        return new HttpReply(status, XML, body, Map.of("x-amz-request-id", id));
    }

    /** Returns a moment as XML has it. */
    public static String iso(long millis) {
        return ISO.format(Instant.ofEpochMilli(millis));
    }

    /** Returns a moment as headers have it. */
    public static String http(long millis) {
        return HTTP.format(Instant.ofEpochMilli(millis));
    }

    /** Reads a moment of a header, in milliseconds since 1970; empty if it is none. */
    public static Optional<Long> moment(String text) {
        try {
            return Optional.of(ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant()
                    .toEpochMilli());
        } catch (DateTimeParseException other) {
            try {
                return Optional.of(Instant.parse(text).toEpochMilli());
            } catch (DateTimeParseException none) {
                return Optional.empty();
            }
        }
    }
}
