package io.lambdafs.door.s3.auth;

import io.lambdafs.door.s3.wire.S3Call;
import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import io.lambdafs.door.s3.wire.S3Replies;
import io.lambdafs.rpc.http.HttpCall;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Verifies AWS's signatures of version 4, in the header {@code Authorization} or in a presigned query. A call without
 * one is refused. Thread-safe.
 */
public final class Signatures {
    /** Difference of clocks that S3 allows. */
    static final Duration SKEW = Duration.ofMinutes(15);

    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'");
    private static final Pattern HEADER = Pattern.compile(
            ALGORITHM + " +Credential=([^, ]+) *, *SignedHeaders=([^, ]+) *, *Signature=([0-9a-f]{64}) *");
    private static final Pattern CREDENTIAL =
            Pattern.compile("([^/]+)/([0-9]{8})/([A-Za-z0-9-]{1,64})/s3/aws4_request");
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
    private static final Set<String> STREAMS = Set.of(
            "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
            "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
            "STREAMING-UNSIGNED-PAYLOAD-TRAILER");
    private static final String HASH_HEADER = "x-amz-content-sha256";
    private static final String SIGNATURE = "X-Amz-Signature";
    private static final String EXPIRES = "X-Amz-Expires";
    private static final int LONGEST_LIFE = 604_800;

    private final AccessKeys keys;
    private final InstantSource clock;

    public Signatures(AccessKeys keys, InstantSource clock) {
        this.keys = keys;
        this.clock = clock;
    }

    /** The parts of a signature, in a header or in the query. */
    private record Parts(String credential, List<String> headers, String signature, String date, boolean presigned) {}

    /**
     * Verifies a call by its head.
     *
     * @throws S3Failure why not
     */
    public Signed verify(HttpCall call) {
        Parts parts = parts(call);
        Matcher credential = CREDENTIAL.matcher(parts.credential());
        if (!credential.matches()) {
            throw malformed(parts.presigned(), "the credential is not KEY/DATE/REGION/s3/aws4_request");
        }
        AccessKey key = keys.find(credential.group(1))
                .orElseThrow(() -> new S3Failure(S3Code.INVALID_ACCESS_KEY_ID, "there is no such access key"));
        checkTime(call, parts, credential.group(2));
        String content = content(call, parts);
        String scope = parts.credential().substring(parts.credential().indexOf('/') + 1);
        String text = ALGORITHM + "\n" + parts.date() + "\n" + scope + "\n"
                + Hashes.sha256(Hashes.bytes(canonical(call, parts, content)));
        byte[] ofDay = Hashes.hmac(Hashes.bytes("AWS4" + key.secret()), credential.group(2));
        byte[] signing = Hashes.hmac(Hashes.hmac(Hashes.hmac(ofDay, credential.group(3)), "s3"), "aws4_request");
        Signed.Chain chain = new Signed.Chain(signing, parts.date(), scope, parts.signature());
        if (!Hashes.equal(chain.sign(text), parts.signature())) {
            throw new S3Failure(
                    S3Code.SIGNATURE_DOES_NOT_MATCH,
                    "the signature is not the one that this door makes of the call with the secret key");
        }
        return new Signed(key, content, chain);
    }

    private static Parts parts(HttpCall call) {
        Map<String, String> query = call.query();
        String header = call.header("authorization").orElse("");
        if (header.isEmpty() && query.containsKey(SIGNATURE)) {
            if (!ALGORITHM.equals(query.get("X-Amz-Algorithm"))) {
                throw malformed(true, "X-Amz-Algorithm must be " + ALGORITHM);
            }
            return new Parts(
                    query.getOrDefault("X-Amz-Credential", ""),
                    names(query.getOrDefault("X-Amz-SignedHeaders", "")),
                    query.getOrDefault(SIGNATURE, ""),
                    query.getOrDefault("X-Amz-Date", ""),
                    true);
        }
        if (header.isEmpty() && !query.containsKey("Signature")) {
            throw new S3Failure(S3Code.ACCESS_DENIED, "this door serves nobody without an access key");
        }
        Matcher matcher = HEADER.matcher(header);
        if (!matcher.matches()) {
            throw header.startsWith(ALGORITHM)
                    ? malformed(false, "Authorization is not of the form that signatures of version 4 have")
                    : new S3Failure(S3Code.INVALID_REQUEST, "only signatures of version 4 are taken: " + ALGORITHM);
        }
        return new Parts(
                matcher.group(1),
                names(matcher.group(2)),
                matcher.group(3),
                call.header("x-amz-date").orElseGet(() -> dateOf(call)),
                false);
    }

    /** Returns the moment of the header {@code Date}, as signatures have it: it counts if there is no other. */
    private static String dateOf(HttpCall call) {
        return call.header("date")
                .flatMap(S3Replies::moment)
                .map(millis -> TIME.format(Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC)))
                .orElse("");
    }

    private static List<String> names(String joined) {
        return Arrays.asList(joined.split(";", -1));
    }

    private static S3Failure malformed(boolean presigned, String why) {
        return new S3Failure(
                presigned ? S3Code.AUTHORIZATION_QUERY_PARAMETERS_ERROR : S3Code.AUTHORIZATION_HEADER_MALFORMED, why);
    }

    private void checkTime(HttpCall call, Parts parts, String day) {
        Instant signed;
        try {
            signed = LocalDateTime.parse(parts.date(), TIME).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw new S3Failure(S3Code.ACCESS_DENIED, "x-amz-date is missing, or not like 20130524T000000Z", e);
        }
        if (!parts.date().startsWith(day)) {
            throw malformed(parts.presigned(), "the date of the credential is not that of the call");
        }
        Instant now = clock.instant();
        if (!parts.presigned()) {
            if (Duration.between(signed, now).abs().compareTo(SKEW) > 0) {
                throw new S3Failure(
                        S3Code.REQUEST_TIME_TOO_SKEWED, "the call's time is more than 15 minutes from the door's");
            }
            return;
        }
        String life = call.query().getOrDefault(EXPIRES, "");
        if (!life.matches("[0-9]{1,6}") || Integer.parseInt(life) > LONGEST_LIFE || Integer.parseInt(life) < 1) {
            throw malformed(true, EXPIRES + " must be 1.." + LONGEST_LIFE);
        }
        if (signed.isAfter(now.plus(SKEW))) {
            throw new S3Failure(S3Code.ACCESS_DENIED, "the call's time has not come yet");
        }
        if (now.isAfter(signed.plusSeconds(Integer.parseInt(life)))) {
            throw new S3Failure(S3Code.ACCESS_DENIED, "Request has expired");
        }
    }

    private static String content(HttpCall call, Parts parts) {
        String told = call.header(HASH_HEADER).orElse("");
        if (told.isEmpty()) {
            if (parts.presigned()) {
                return call.query().getOrDefault("X-Amz-Content-Sha256", Signed.UNSIGNED);
            }
            throw new S3Failure(S3Code.INVALID_REQUEST, HASH_HEADER + " is missing");
        }
        if (!told.equals(Signed.UNSIGNED)
                && !STREAMS.contains(told)
                && !HASH.matcher(told).matches()) {
            throw new S3Failure(S3Code.INVALID_ARGUMENT, HASH_HEADER + " is neither a SHA-256 nor a way to stream");
        }
        return told;
    }

    private static String canonical(HttpCall call, Parts parts, String content) {
        List<String> signed = parts.headers();
        if (!signed.contains("host")) {
            throw new S3Failure(S3Code.ACCESS_DENIED, "the header host must be signed");
        }
        for (String name : call.headers().keySet()) {
            if (name.startsWith("x-amz-") && !name.equals(HASH_HEADER) && !signed.contains(name)) {
                throw new S3Failure(S3Code.ACCESS_DENIED, "the header " + name + " must be signed");
            }
        }
        Map<String, String> query = new HashMap<>(call.query());
        if (parts.presigned()) {
            query.remove(SIGNATURE);
        }
        String parameters = query.entrySet().stream()
                .map(each -> Map.entry(S3Call.encoded(each.getKey()), S3Call.encoded(each.getValue())))
                .sorted(Map.Entry.<String, String>comparingByKey()
                        .thenComparing(Map.Entry::getValue, Comparator.naturalOrder()))
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining("&"));
        StringBuilder text =
                new StringBuilder(call.method() + "\n" + S3Call.encodedPath(call.path()) + "\n" + parameters + "\n");
        for (String name : signed) {
            String value =
                    S3Call.decoded(call.header(name.toLowerCase(Locale.ROOT)).orElse(""));
            text.append(name)
                    .append(':')
                    .append(value.strip().replaceAll(" +", " "))
                    .append('\n');
        }
        return text + "\n" + String.join(";", signed) + "\n" + content;
    }
}
