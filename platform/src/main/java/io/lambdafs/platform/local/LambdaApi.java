package io.lambdafs.platform.local;

import io.lambdafs.model.Sha256;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.local.pool.Activation;
import io.lambdafs.platform.local.pool.InstancePool;
import io.lambdafs.platform.local.pool.Outcome;
import io.lambdafs.platform.local.pool.RefusedException;
import io.lambdafs.platform.local.pool.RegisteredAction;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpReply;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Serves Lambda's Invoke, {@code POST /2015-03-31/functions/NAME/invocations}, for registered actions. Calls are signed
 * with AWS's Signature Version 4; the access key is the API key's user, and the secret key its password. Thread-safe.
 */
final class LambdaApi {
    static final String PREFIX = "/2015-03-31/functions/";

    private static final Pattern PATH = Pattern.compile(PREFIX + "([^/]+)/invocations");
    private static final Pattern AUTHORIZATION =
            Pattern.compile("AWS4-HMAC-SHA256 Credential=([^/]+)/(\\d{8}/([^/]+)/([^/]+)/aws4_request),"
                    + " ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final long MOST_SECONDS_OFF = 300;

    private final ActionRegistry actions;
    private final InstancePool pool;
    private final Scheduler scheduler;
    private final Supplier<String> ids;
    private final ApiKey key;

    LambdaApi(ActionRegistry actions, InstancePool pool, Scheduler scheduler, Supplier<String> ids, ApiKey key) {
        this.actions = actions;
        this.pool = pool;
        this.scheduler = scheduler;
        this.ids = ids;
        this.key = key;
    }

    /**
     * Returns the refusal of a call by its head, if any: its signature also covers the body and is checked once that
     * has arrived.
     */
    static Optional<HttpReply> refuse(HttpCall head) {
        return AUTHORIZATION.matcher(head.header("authorization").orElse("")).matches()
                ? Optional.empty()
                : Optional.of(error(403, "MissingAuthenticationToken", "the call is not signed"));
    }

    CompletionStage<HttpReply> handle(HttpCall call) {
        Matcher path = PATH.matcher(call.path());
        if (!path.matches() || !call.method().equals("POST")) {
            return done(error(404, "ResourceNotFoundException", "only invocations are served here"));
        }
        if (!isSigned(call)) {
            return done(error(403, "InvalidSignatureException", "the signature is not this gateway's key's"));
        }
        Optional<RegisteredAction> action = actions.get(path.group(1));
        if (action.isEmpty()) {
            return done(error(404, "ResourceNotFoundException", "there is no function " + path.group(1)));
        }
        if (Json.shape(call.body()) == Json.Shape.NO_OBJECT) {
            return done(error(400, "InvalidRequestContentException", "the payload is no JSON object"));
        }
        CompletionStage<Activation> activation;
        try {
            activation = pool.invoke(
                    action.get(), ids.get(), call.body(), call.remote().getAddress());
        } catch (RefusedException full) {
            return done(error(429, "TooManyRequestsException", String.valueOf(full.getMessage())));
        }
        boolean isEvent = call.header("x-amz-invocation-type").orElse("").equals("Event");
        return isEvent ? done(HttpReply.empty(202)) : activation.thenApply(LambdaApi::reply);
    }

    private static HttpReply reply(Activation ended) {
        if (ended.outcome() == Outcome.SUCCESS) {
            return HttpReply.json(200, ended.result());
        }
        if (ended.outcome() == Outcome.NO_CAPACITY) {
            return error(429, "TooManyRequestsException", "no environment is free");
        }
        return HttpReply.json(200, ended.result()).withHeader("X-Amz-Function-Error", "Unhandled");
    }

    private static HttpReply error(int status, String type, String message) {
        return HttpReply.json(
                        status, Json.bytes(Json.object().put("Type", "User").put("message", message)))
                .withHeader("x-amzn-ErrorType", type);
    }

    private static CompletionStage<HttpReply> done(HttpReply reply) {
        return CompletableFuture.completedFuture(reply);
    }

    // Signature Version 4

    private boolean isSigned(HttpCall call) {
        Matcher authorization =
                AUTHORIZATION.matcher(call.header("authorization").orElse(""));
        String time = call.header("x-amz-date").orElse("");
        if (!authorization.matches() || !authorization.group(1).equals(key.user()) || !isNow(time)) {
            return false;
        }
        String scope = authorization.group(2);
        String text =
                "AWS4-HMAC-SHA256\n" + time + "\n" + scope + "\n" + Sha256.hex(canonical(call, authorization.group(5)));
        byte[] signing = ("AWS4" + key.password()).getBytes(StandardCharsets.UTF_8);
        for (String part : scope.split("/", -1)) {
            signing = hmac(signing, part);
        }
        return MessageDigest.isEqual(
                hex(hmac(signing, text)).getBytes(StandardCharsets.US_ASCII),
                authorization.group(6).getBytes(StandardCharsets.US_ASCII));
    }

    private boolean isNow(String time) {
        try {
            long seconds = Instant.from(TIME.parse(time)).getEpochSecond();
            return Math.abs(seconds - scheduler.currentTimeMillis() / 1_000) <= MOST_SECONDS_OFF;
        } catch (DateTimeParseException malformed) {
            return false;
        }
    }

    /**
     * Returns the canonical request of a call whose names need no encoding, as those of functions and aliases never do.
     */
    private static String canonical(HttpCall call, String signedHeaders) {
        StringBuilder query = new StringBuilder();
        for (Map.Entry<String, String> each : new TreeMap<>(call.query()).entrySet()) {
            query.append(query.isEmpty() ? "" : "&")
                    .append(each.getKey())
                    .append('=')
                    .append(each.getValue());
        }
        StringBuilder headers = new StringBuilder();
        for (String name : signedHeaders.split(";", -1)) {
            headers.append(name)
                    .append(':')
                    .append(call.header(name).orElse("").strip())
                    .append('\n');
        }
        return "POST\n" + call.path() + "\n" + query + "\n" + headers + "\n" + signedHeaders + "\n"
                + hex(Sha256.of(call.body()));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static byte[] hmac(byte[] signing, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(signing, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("this Java cannot compute HMAC-SHA-256", e);
        }
    }
}
