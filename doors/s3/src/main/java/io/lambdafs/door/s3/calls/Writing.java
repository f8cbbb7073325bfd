package io.lambdafs.door.s3.calls;

import io.lambdafs.door.hdfs.metrics.DoorMetrics;
import io.lambdafs.door.s3.auth.Payload;
import io.lambdafs.door.s3.files.Draft;
import io.lambdafs.door.s3.files.Found;
import io.lambdafs.door.s3.files.Label;
import io.lambdafs.door.s3.files.Looking;
import io.lambdafs.door.s3.wire.S3Call;
import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import io.lambdafs.door.s3.wire.S3Replies;
import io.lambdafs.door.s3.wire.XmlOut;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.rpc.http.HttpReply;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Answers calls that write an object whole: PutObject and CopyObject. Thread-safe. */
public final class Writing {
    /** Longest contents of one call. */
    static final long LONGEST = 5L << 30;

    private static final int COPY_BYTES = 256 << 10;
    private static final String COPY_SOURCE = "x-amz-copy-source";

    private final DoorMetrics metrics;

    public Writing(DoorMetrics metrics) {
        this.metrics = metrics;
    }

    /** Takes an object's contents; its condition is checked before, and in the transaction that publishes it. */
    public HttpReply put(Caller caller, Payload payload) throws IOException, InterruptedException {
        S3Call call = caller.call();
        FsPath object = caller.places().object(call.bucket(), call.key());
        Draft.Condition condition = Conditions.ofWrite(call);
        Label label = Labels.of(call);
        Map<String, String> tags = Labels.tags(call);
        checkBefore(caller, object, condition);
        try (Draft draft = new Draft(caller.fs(), object, caller.bucketDepth())) {
            Integrity integrity = take(call, payload, draft);
            String etag = Integrity.hex(integrity.check(payload.trailers()));
            draft.complete();
            draft.label(Labels.with(label, etag, integrity.checksums()), tags);
            draft.publish(condition);
            return withChecksums(HttpReply.empty(200).withHeader("ETag", quoted(etag)), integrity.checksums());
        }
    }

    /** Refuses early what is refused anyway, before contents are sent. */
    static void checkBefore(Caller caller, FsPath object, Draft.Condition condition) throws InterruptedException {
        if (condition != Draft.UNCONDITIONAL) {
            caller.existingBucket();
            condition.check(Looking.at(caller.fs(), object));
        }
    }

    /** Takes the contents of a call into a draft. */
    Integrity take(S3Call call, Payload payload, Draft draft) throws IOException, InterruptedException {
        Integrity integrity = Integrity.of(call);
        long taken = 0;
        for (ByteBuffer piece = payload.next(); piece.hasRemaining(); piece = payload.next()) {
            taken += piece.remaining();
            if (taken > LONGEST || payload.length().orElse(0) > LONGEST) {
                throw new S3Failure(S3Code.ENTITY_TOO_LARGE, "one call takes at most " + LONGEST + " bytes");
            }
            metrics.wrote(piece.remaining());
            integrity.update(piece);
            draft.write(piece);
        }
        return integrity;
    }

    static HttpReply withChecksums(HttpReply reply, Map<String, String> checksums) {
        HttpReply more = reply;
        for (Map.Entry<String, String> each : checksums.entrySet()) {
            more = more.withHeader(Integrity.HEADER + each.getKey(), each.getValue());
        }
        return more;
    }

    static String quoted(String etag) {
        return '"' + etag + '"';
    }

    static boolean isCopy(S3Call call) {
        return call.http().headers().containsKey(COPY_SOURCE);
    }

    /** The place of a copy's source. */
    record Source(String bucket, String key) {
        static Source of(S3Call call) {
            String named = call.http().headers().getOrDefault(COPY_SOURCE, "");
            int version = named.indexOf("?versionId=");
            String path = URLDecoder.decode(
                    (version < 0 ? named : named.substring(0, version)).replace("+", "%2B"), StandardCharsets.UTF_8);
            path = path.startsWith("/") ? path.substring(1) : path;
            int slash = path.indexOf('/');
            if (slash < 1 || slash == path.length() - 1) {
                throw new S3Failure(S3Code.INVALID_ARGUMENT, COPY_SOURCE + " is not BUCKET/KEY");
            }
            return new Source(path.substring(0, slash), path.substring(slash + 1));
        }

        /** Opens it, under the conditions of the call. */
        Looking.Opened open(Caller caller) throws InterruptedException {
            Caller there = new Caller(
                    new S3Call(caller.call().http(), caller.call().user(), bucket, key), caller.fs(), caller.places());
            Looking.Opened opened = Reading.open(there);
            try {
                if (Conditions.ofSource(caller.call()).isKnown(opened.found())) {
                    throw new S3Failure(S3Code.PRECONDITION_FAILED, "the source is not one that the call copies");
                }
                return opened;
            } catch (S3Failure e) {
                opened.reader().close();
                throw e;
            }
        }
    }

    /** Copies an object, as one that is written: its condition holds at the moment at which it is published. */
    public HttpReply copy(Caller caller) throws IOException, InterruptedException {
        S3Call call = caller.call();
        FsPath object = caller.places().object(call.bucket(), call.key());
        Source source = Source.of(call);
        boolean replace = directive(call, "x-amz-metadata-directive");
        boolean replaceTags = directive(call, "x-amz-tagging-directive");
        if (!replace && source.bucket().equals(call.bucket()) && source.key().equals(call.key())) {
            throw new S3Failure(S3Code.INVALID_REQUEST, "an object is copied to itself only to replace its metadata");
        }
        Draft.Condition condition = Conditions.ofWrite(call);
        Label own = Labels.of(call);
        caller.existingBucket();
        checkBefore(caller, object, condition);
        Looking.Opened opened = source.open(caller);
        try (Draft draft = new Draft(caller.fs(), object, caller.bucketDepth())) {
            Found found = opened.found();
            if (found.size() > LONGEST) {
                throw new S3Failure(S3Code.INVALID_REQUEST, "one call copies at most " + LONGEST + " bytes");
            }
            Integrity integrity = Integrity.of(call);
            copy(opened, 0, found.size(), draft, integrity);
            String etag = Integrity.hex(integrity.check(Map.of()));
            Attributes made = draft.complete();
            Label label = replace ? own : found.label().orElse(own);
            Map<String, String> checksums = found.label().map(Label::checksums).orElse(Map.of());
            draft.label(
                    Labels.with(label, etag, found.label().map(Label::parts).isPresent() ? Map.of() : checksums),
                    replaceTags ? Labels.tags(call) : found.tags());
            draft.publish(condition);
            return S3Replies.xml(new XmlOut("CopyObjectResult")
                    .put("LastModified", S3Replies.iso(made.mtime()))
                    .put("ETag", quoted(etag)));
        } finally {
            opened.reader().close();
        }
    }

    private static boolean directive(S3Call call, String header) {
        String told = call.header(header).orElse("COPY");
        if (!told.equals("COPY") && !told.equals("REPLACE")) {
            throw new S3Failure(S3Code.INVALID_ARGUMENT, header + " is COPY or REPLACE");
        }
        return told.equals("REPLACE");
    }

    /** Copies a range of an opened object into a draft. */
    static void copy(Looking.Opened opened, long from, long length, Draft draft, Integrity integrity)
            throws IOException, InterruptedException {
        try (Download download = new Download(opened.reader(), from, length, COPY_BYTES)) {
            for (long done = 0; done < length; ) {
                byte[] piece = download.read();
                done += piece.length;
                integrity.update(ByteBuffer.wrap(piece));
                draft.write(ByteBuffer.wrap(piece));
            }
        }
    }
}
