package io.lambdafs.client.lambda;

import io.lambdafs.client.http.FunctionBody;
import io.lambdafs.client.http.Invocation;
import io.lambdafs.client.http.Invoker;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.OperationReply;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;

/**
 * Calls functions by Lambda's Invoke, signed by the SDK and sent by the JDK's client. Each request is a synchronous
 * invocation. If invocations may be held, an asynchronous one asks for connections and lasts as long as these do.
 * Thread-safe.
 */
final class LambdaInvoker implements Invoker {
    private static final Logger LOG = LoggerFactory.getLogger(LambdaInvoker.class);
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
    /** Headers that the JDK's client sets itself. */
    private static final Set<String> RESTRICTED = Set.of("host", "content-length", "connection", "expect", "upgrade");

    private static final int MAX_SHOWN = 300;

    /**
     * The functions and the way to call them.
     *
     * @param alias the alias to call; empty for the latest deployment
     * @param areHeld whether invocations may be held, so that connections are requested
     */
    record Functions(URI endpoint, String region, String prefix, String alias, boolean areHeld) {
        String name(int deployment) {
            return prefix + deployment;
        }

        URI address(int deployment) {
            return endpoint.resolve("/2015-03-31/functions/" + name(deployment) + "/invocations"
                    + (alias.isEmpty() ? "" : "?Qualifier=" + alias));
        }
    }

    /** The type of a Lambda invocation. */
    private enum Kind {
        RequestResponse,
        Event
    }

    private final Functions functions;
    private final FunctionBody bodies;
    private final Scheduler scheduler;
    private final AwsCredentialsProvider credentials;
    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_LIMIT)
            .build();
    private volatile boolean reached;

    LambdaInvoker(Functions functions, Codec codec, Scheduler scheduler, AwsCredentialsProvider credentials) {
        this.functions = functions;
        this.bodies = new FunctionBody(codec, functions.endpoint());
        this.scheduler = scheduler;
        this.credentials = credentials;
    }

    @Override
    public boolean hasReached() {
        return reached;
    }

    @Override
    public CompletionStage<Optional<OperationReply>> invoke(Invocation invocation) {
        boolean connects = functions.areHeld() && !invocation.tcp().isEmpty();
        if (invocation.request() == null) {
            return connects
                    ? send(invocation, Kind.Event).thenApply(taken -> Optional.empty())
                    : send(invocation, Kind.RequestResponse).thenApply(reply -> read(reply, invocation));
        }
        if (connects) {
            send(invocation.withoutRequest(), Kind.Event).exceptionally(failure -> {
                LOG.debug("No instance could be asked to connect: {}", failure.toString());
                return null;
            });
        }
        Invocation asked = invocation.withoutConnections();
        return send(asked, Kind.RequestResponse).thenApply(reply -> read(reply, asked));
    }

    private CompletionStage<HttpResponse<byte[]>> send(Invocation invocation, Kind kind) {
        CompletableFuture<HttpRequest> signed = new CompletableFuture<>();
        // Credentials may have to be fetched, which blocks.
        scheduler.execute(() -> {
            try {
                signed.complete(signed(invocation, kind));
            } catch (RuntimeException e) {
                signed.completeExceptionally(e);
            }
        });
        String function = functions.name(invocation.deployment());
        return signed.thenCompose(request -> http.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray()))
                .handle((reply, thrown) -> {
                    if (thrown != null) {
                        throw ofFailure(thrown, function);
                    }
                    reached = true;
                    if (reply.statusCode() / 100 != 2) {
                        throw ofStatus(reply, function);
                    }
                    return reply;
                });
    }

    private HttpRequest signed(Invocation invocation, Kind kind) {
        byte[] body = bodies.write(invocation);
        URI address = functions.address(invocation.deployment());
        SdkHttpRequest plain = SdkHttpRequest.builder()
                .method(SdkHttpMethod.POST)
                .uri(address)
                .putHeader("X-Amz-Invocation-Type", kind.name())
                .putHeader("Content-Type", "application/json")
                .build();
        SignedRequest signed = signer.sign(request -> request.identity(credentials.resolveCredentials())
                .request(plain)
                .payload(ContentStreamProvider.fromByteArray(body))
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "lambda")
                .putProperty(AwsV4HttpSigner.REGION_NAME, functions.region()));
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .timeout(Duration.ofNanos(Math.max(invocation.timeoutNanos(), 1_000_000)))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        signed.request().forEachHeader((name, values) -> {
            if (!RESTRICTED.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return request.build();
    }

    private Optional<OperationReply> read(HttpResponse<byte[]> reply, Invocation invocation) {
        String function = functions.name(invocation.deployment());
        List<String> failure = reply.headers().allValues("X-Amz-Function-Error");
        if (!failure.isEmpty()) {
            throw new FsException(
                    ErrorCode.FUNCTION_FAILED, "an instance of " + function + " failed under the call" + said(reply));
        }
        return bodies.read(reply.body(), invocation, function);
    }

    private static String said(HttpResponse<byte[]> reply) {
        String text = new String(reply.body(), StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ");
        return text.isEmpty() ? "" : " (" + text.substring(0, Math.min(text.length(), MAX_SHOWN)) + ")";
    }

    /** Maps errors of Lambda, which say nothing about a file: a missing function is never {@code NOT_FOUND}. */
    private static FsException ofStatus(HttpResponse<byte[]> reply, String function) {
        String said = said(reply);
        return switch (reply.statusCode()) {
            case 401, 403 ->
                new FsException(
                        ErrorCode.UNAUTHENTICATED,
                        "Lambda does not let this client call " + function + said
                                + ": give the SDK's chain credentials that have lambda:InvokeFunction on it");
            case 404 ->
                FsException.unavailable("there is no function " + function + said
                        + ": check region, prefix and alias, and that the cluster is deployed");
            case 413 -> FsException.invalidArgument("the request is larger than Lambda takes" + said);
            case 429 ->
                new FsException(ErrorCode.THROTTLED, "Lambda refuses more calls of " + function + " now" + said);
            default ->
                new FsException(
                        reply.statusCode() >= 500 ? ErrorCode.FUNCTION_FAILED : ErrorCode.INTERNAL,
                        "Lambda answered " + reply.statusCode() + " for " + function + said);
        };
    }

    private FsException ofFailure(Throwable thrown, String function) {
        Throwable cause = FsException.unwrap(thrown);
        if (cause instanceof FsException typed) {
            return typed;
        }
        if (cause instanceof SdkException credential) {
            return new FsException(
                    ErrorCode.UNAUTHENTICATED,
                    "no credentials for AWS: " + credential.getMessage()
                            + "; set AWS_PROFILE, or give this machine a role",
                    cause);
        }
        if (cause instanceof ConnectException) {
            return FsException.unavailable(
                    functions.endpoint() + " cannot be reached: check region and network", cause);
        }
        if (cause instanceof HttpTimeoutException) {
            return new FsException(ErrorCode.TIMED_OUT, function + " did not answer in time", cause);
        }
        if (cause instanceof IOException) {
            return new FsException(
                    ErrorCode.CONNECTION_LOST,
                    "the connection to " + functions.endpoint() + " broke before " + function + " had answered: "
                            + cause.getMessage(),
                    cause);
        }
        return new FsException(ErrorCode.INTERNAL, "the call of " + function + " failed: " + cause, cause);
    }
}
