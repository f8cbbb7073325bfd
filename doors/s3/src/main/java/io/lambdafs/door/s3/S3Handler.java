package io.lambdafs.door.s3;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.door.hdfs.metrics.DoorMetrics;
import io.lambdafs.door.s3.auth.Payload;
import io.lambdafs.door.s3.auth.Signatures;
import io.lambdafs.door.s3.auth.Signed;
import io.lambdafs.door.s3.calls.Acls;
import io.lambdafs.door.s3.calls.Buckets;
import io.lambdafs.door.s3.calls.Caller;
import io.lambdafs.door.s3.calls.Deleting;
import io.lambdafs.door.s3.calls.Listings;
import io.lambdafs.door.s3.calls.Properties;
import io.lambdafs.door.s3.calls.Reading;
import io.lambdafs.door.s3.calls.Tagging;
import io.lambdafs.door.s3.calls.Uploads;
import io.lambdafs.door.s3.calls.Writing;
import io.lambdafs.door.s3.files.Accounts;
import io.lambdafs.door.s3.files.Places;
import io.lambdafs.door.s3.wire.S3Call;
import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import io.lambdafs.door.s3.wire.S3Replies;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpHandler;
import io.lambdafs.rpc.http.HttpReply;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers S3's REST API. The signature of a call is verified by its head, before its body is read; then workers, which may
 * wait, do it as the user of the access key. Thread-safe.
 */
final class S3Handler implements HttpHandler {
    private static final Logger LOG = LoggerFactory.getLogger(S3Handler.class);

    private final Signatures signatures;
    private final Accounts accounts;
    private final Places places;
    private final String domain;
    private final Working working;
    private final Buckets buckets = new Buckets();
    private final Listings listings = new Listings();
    private final Deleting deleting = new Deleting();
    private final Tagging tagging = new Tagging();
    private final Acls acls = new Acls();
    private final Properties properties = new Properties();
    private final Reading reading;
    private final Writing writing;
    private final Uploads uploads;

    /**
     * The way that calls are worked on.
     *
     * @param calls workers for calls, which refuse more than may wait at once
     * @param contents workers for calls whose contents come
     */
    record Working(Executor calls, Executor contents, DoorMetrics metrics) {}

    /** @param domain below which the names of hosts begin with a bucket; empty for none */
    S3Handler(Signatures signatures, Accounts accounts, Places places, String domain, Working working) {
        this.signatures = signatures;
        this.accounts = accounts;
        this.places = places;
        this.domain = domain;
        this.working = working;
        this.reading = new Reading(working.metrics(), working.calls());
        this.writing = new Writing(working.metrics());
        this.uploads = new Uploads(writing);
    }

    /** An answer, which may wait. */
    private interface Answer {
        HttpReply give(Caller caller) throws IOException, InterruptedException;
    }

    @Override
    public Admission admit(HttpCall head) {
        Signed signed;
        try {
            signed = signatures.verify(head);
        } catch (S3Failure why) {
            working.metrics().failed(why);
            return new Admission.Refused(S3Replies.failure(why, head.path()));
        }
        S3Call call = S3Call.of(head, signed.key().user(), domain);
        String name = Operations.name(call);
        if (!Operations.takesContents(name)) {
            return new Admission.Collected(whole -> handle(whole, signed));
        }
        return new Admission.Taken(body -> answer(
                working.contents(),
                call,
                name,
                signed,
                caller -> name.equals("PutObject")
                        ? writing.put(caller, Payload.of(head, signed, body))
                        : uploads.part(caller, Payload.of(head, signed, body))));
    }

    @Override
    public CompletionStage<HttpReply> handle(HttpCall whole) {
        return handle(whole, signatures.verify(whole));
    }

    private CompletionStage<HttpReply> handle(HttpCall whole, Signed signed) {
        S3Call call = S3Call.of(whole, signed.key().user(), domain);
        String name = Operations.name(call);
        return answer(working.calls(), call, name, signed, caller -> {
            Payload.check(whole, signed);
            return reply(name, caller);
        });
    }

    private HttpReply reply(String name, Caller caller) throws IOException, InterruptedException {
        return switch (name) {
            case "ListBuckets" -> buckets.list(caller);
            case "CreateBucket" -> buckets.create(caller);
            case "DeleteBucket" -> buckets.delete(caller);
            case "HeadBucket" -> buckets.head(caller);
            case "ListObjects" -> listings.first(caller);
            case "ListObjectsV2" -> listings.second(caller);
            case "ListObjectVersions" -> listings.versions(caller);
            case "GetObject", "HeadObject" -> reading.read(caller);
            case "CopyObject" -> writing.copy(caller);
            case "DeleteObject" -> deleting.one(caller);
            case "DeleteObjects" -> deleting.many(caller);
            case "GetObjectTagging", "GetBucketTagging" -> tagging.get(caller);
            case "PutObjectTagging", "PutBucketTagging" -> tagging.put(caller);
            case "DeleteObjectTagging", "DeleteBucketTagging" -> tagging.delete(caller);
            case "GetObjectAcl", "GetBucketAcl" -> acls.get(caller);
            case "PutObjectAcl", "PutBucketAcl" -> acls.put(caller);
            case "GetObjectAttributes" -> properties.get(caller);
            case "CreateMultipartUpload" -> uploads.begin(caller);
            case "UploadPartCopy" -> uploads.copyPart(caller);
            case "CompleteMultipartUpload" -> uploads.complete(caller);
            case "AbortMultipartUpload" -> uploads.abort(caller);
            case "ListParts" -> uploads.parts(caller);
            case "ListMultipartUploads" -> uploads.list(caller);
            case Operations.OTHER ->
                throw new S3Failure(S3Code.METHOD_NOT_ALLOWED, "S3 has no such call, or this door does not know it");
            default -> buckets.describe(caller, name);
        };
    }

    private CompletionStage<HttpReply> answer(
            Executor workers, S3Call call, String name, Signed signed, Answer answer) {
        CompletableFuture<HttpReply> reply = new CompletableFuture<>();
        try {
            workers.execute(() -> reply.complete(answered(call, name, signed, answer)));
        } catch (RejectedExecutionException full) {
            reply.complete(S3Replies.failure(
                    new S3Failure(S3Code.SLOW_DOWN, "the door has too much to do: ask again", full),
                    call.http().path()));
        }
        return reply;
    }

    private HttpReply answered(S3Call call, String name, Signed signed, Answer answer) {
        long since = System.nanoTime();
        try {
            BlockingLambdaFs fs = accounts.of(signed.key());
            return answer.give(new Caller(call, fs, places));
        } catch (S3Failure e) {
            return failed(call, name, e, e);
        } catch (FsException e) {
            return failed(call, name, e, S3Failure.of(e));
        } catch (IOException e) {
            return failed(call, name, e, new S3Failure(S3Code.INCOMPLETE_BODY, String.valueOf(e.getMessage()), e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed(
                    call,
                    name,
                    new InterruptedIOException(),
                    new S3Failure(S3Code.SERVICE_UNAVAILABLE, "the door stops", e));
        } catch (RuntimeException e) {
            LOG.warn("{} fails", name, e);
            return failed(call, name, e, new S3Failure(S3Code.INTERNAL_ERROR, "the door fails: see its log", e));
        } finally {
            working.metrics().answered(name, System.nanoTime() - since);
        }
    }

    private HttpReply failed(S3Call call, String name, Exception why, S3Failure told) {
        LOG.debug("{} {} fails", name, call.http().path(), why);
        working.metrics().failed(why);
        return S3Replies.failure(told, call.http().path());
    }

    @Override
    public HttpReply refusal(int status, String message) {
        return S3Replies.refusal(status, message);
    }
}
