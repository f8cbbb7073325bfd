package io.lambdafs.door.s3.calls;

import io.lambdafs.door.s3.auth.Payload;
import io.lambdafs.door.s3.files.Draft;
import io.lambdafs.door.s3.files.Found;
import io.lambdafs.door.s3.files.Label;
import io.lambdafs.door.s3.files.Looking;
import io.lambdafs.door.s3.files.Upload;
import io.lambdafs.door.s3.wire.S3Call;
import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import io.lambdafs.door.s3.wire.S3Replies;
import io.lambdafs.door.s3.wire.XmlIn;
import io.lambdafs.door.s3.wire.XmlOut;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Utf8Order;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.rpc.http.HttpReply;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers calls on uploads in parts. Thread-safe. */
public final class Uploads {
    private static final Logger LOG = LoggerFactory.getLogger(Uploads.class);
    private static final int MOST_PARTS = 10_000;
    private static final int MOST_LISTED = 1_000;
    private static final long LEAST_PART = 5L << 20;
    private static final int NO_CONTENT = 204;

    private final Writing writing;

    /** @param writing takes contents */
    public Uploads(Writing writing) {
        this.writing = writing;
    }

    private static Upload named(Caller caller) {
        S3Call call = caller.call();
        return Upload.named(caller.places().uploads(call.bucket()), call.query("uploadId"));
    }

    public HttpReply begin(Caller caller) throws InterruptedException {
        S3Call call = caller.call();
        caller.existingBucket();
        caller.places().object(call.bucket(), call.key());
        Upload upload = Upload.begin(
                caller.fs(),
                caller.places().uploads(call.bucket()),
                new Upload.About(
                        call.key(), call.user(), System.currentTimeMillis(), Labels.of(call), Labels.tags(call)));
        return S3Replies.xml(new XmlOut("InitiateMultipartUploadResult")
                .put("Bucket", call.bucket())
                .tell("Key", call.key())
                .put("UploadId", upload.id()));
    }

    /** Returns what the upload is to become, if it is the one of the call's key. */
    private static Upload.About about(Caller caller, Upload upload) throws InterruptedException {
        caller.existingBucket();
        Upload.About about = upload.about(caller.fs());
        if (!about.key().equals(caller.call().key())) {
            throw new S3Failure(S3Code.NO_SUCH_UPLOAD, "the upload is one of another key");
        }
        return about;
    }

    private static int number(S3Call call) {
        int number = call.number("partNumber", 0, Integer.MAX_VALUE);
        if (number < 1 || number > MOST_PARTS) {
            throw new S3Failure(S3Code.INVALID_ARGUMENT, "a part has a number of 1 to " + MOST_PARTS);
        }
        return number;
    }

    public HttpReply part(Caller caller, Payload payload) throws IOException, InterruptedException {
        S3Call call = caller.call();
        Upload upload = named(caller);
        int number = number(call);
        about(caller, upload);
        try (Draft draft = draft(caller, upload, number)) {
            Integrity integrity = writing.take(call, payload, draft);
            String etag = Integrity.hex(integrity.check(payload.trailers()));
            publish(draft, etag, integrity.checksums());
            return Writing.withChecksums(
                    HttpReply.empty(200).withHeader("ETag", Writing.quoted(etag)), integrity.checksums());
        }
    }

    private static Draft draft(Caller caller, Upload upload, int number) {
        return new Draft(caller.fs(), upload.part(number), upload.directory().depth());
    }

    private static Attributes publish(Draft draft, String etag, Map<String, String> checksums)
            throws InterruptedException {
        Attributes made = draft.complete();
        draft.label(new Label(0, 0, 0, etag, null, Map.of(), Map.of(), checksums, null), Map.of());
        draft.publish(Draft.UNCONDITIONAL);
        return made;
    }

    public HttpReply copyPart(Caller caller) throws IOException, InterruptedException {
        S3Call call = caller.call();
        Upload upload = named(caller);
        int number = number(call);
        about(caller, upload);
        Looking.Opened opened = Writing.Source.of(call).open(caller);
        try (Draft draft = draft(caller, upload, number)) {
            long size = opened.found().size();
            Optional<String> told = call.header("x-amz-copy-source-range");
            Reading.Range range = new Reading.Range(0, size);
            if (told.isPresent()) {
                Optional<Reading.Range> read = told.get().matches("bytes=[0-9]+-[0-9]+")
                        ? Reading.Range.of(told.get(), size)
                        : Optional.empty();
                long last = read.isEmpty()
                        ? 0
                        : Long.parseLong(told.get().substring(told.get().indexOf('-') + 1));
                if (read.isEmpty()) {
                    throw new S3Failure(S3Code.INVALID_ARGUMENT, "x-amz-copy-source-range is not bytes=FIRST-LAST");
                }
                if (last >= size) {
                    throw new S3Failure(S3Code.INVALID_RANGE, "the range ends beyond the source's " + size + " bytes");
                }
                range = read.get();
            }
            Integrity integrity = Integrity.of(call);
            Writing.copy(opened, range.from(), range.length(), draft, integrity);
            String etag = Integrity.hex(integrity.check(Map.of()));
            Attributes made = publish(draft, etag, Map.of());
            return S3Replies.xml(new XmlOut("CopyPartResult")
                    .put("LastModified", S3Replies.iso(made.mtime()))
                    .put("ETag", Writing.quoted(etag)));
        } finally {
            opened.reader().close();
        }
    }

    public HttpReply complete(Caller caller) throws InterruptedException {
        S3Call call = caller.call();
        Upload upload = named(caller);
        FsPath object = caller.places().object(call.bucket(), call.key());
        List<Upload.Part> asked = asked(call);
        String etag = etag(asked);
        Upload.About about;
        try {
            about = about(caller, upload);
        } catch (S3Failure none) {
            return repeated(caller, object, upload, none);
        }
        Draft.Condition condition = Conditions.ofWrite(call);
        Writing.checkBefore(caller, object, condition);
        try {
            List<Upload.Part> parts = noted(caller, upload, asked);
            Attributes whole = upload.join(caller.fs(), parts);
            Label own = about.label();
            String lengths =
                    parts.stream().map(each -> String.valueOf(each.size())).collect(Collectors.joining(","));
            Label label =
                    new Label(0, 0, 0, etag, upload.id(), own.headers(), own.metadata(), Map.of(), lengths).of(whole);
            upload.publish(caller.fs(), object, caller.bucketDepth(), label, about, condition);
        } catch (FsException e) {
            if (e.code() != ErrorCode.NOT_FOUND) {
                throw e;
            }
            return repeated(caller, object, upload, S3Failure.of(e));
        }
        return completed(call, etag);
    }

    /** Answers a completion that has been answered before. */
    private static HttpReply repeated(Caller caller, FsPath object, Upload upload, S3Failure none)
            throws InterruptedException {
        Optional<Label> label = Looking.at(caller.fs(), object).flatMap(Found::label);
        if (label.isPresent() && upload.id().equals(label.get().upload())) {
            return completed(caller.call(), label.get().etag());
        }
        throw none;
    }

    private static HttpReply completed(S3Call call, String etag) {
        String host = call.http().header("host").orElse("");
        return S3Replies.xml(new XmlOut("CompleteMultipartUploadResult")
                .put("Location", "http://" + host + "/" + call.bucket() + "/" + S3Call.encodedPath(call.key()))
                .put("Bucket", call.bucket())
                .tell("Key", call.key())
                .put("ETag", Writing.quoted(etag)));
    }

    private static List<Upload.Part> asked(S3Call call) {
        List<Upload.Part> asked = new ArrayList<>();
        int before = 0;
        for (XmlIn each :
                XmlIn.read(call.http().body(), "CompleteMultipartUpload").all("Part")) {
            String number = each.get("PartNumber").strip();
            if (!number.matches("[0-9]{1,6}")) {
                throw XmlIn.malformed("a PartNumber is no number");
            }
            if (Integer.parseInt(number) <= before) {
                throw new S3Failure(S3Code.INVALID_PART_ORDER, "the parts are not in the order of their numbers");
            }
            before = Integer.parseInt(number);
            asked.add(new Upload.Part(before, each.get("ETag").strip().replace("\"", ""), 0));
        }
        if (asked.isEmpty() || asked.size() > MOST_PARTS) {
            throw XmlIn.malformed("an upload has 1 to " + MOST_PARTS + " parts");
        }
        return asked;
    }

    /** Returns the ETag of parts: the MD5 of their MD5s, and how many they are. */
    private static String etag(List<Upload.Part> parts) {
        try {
            MessageDigest md5 = MessageDigest.getInstance("MD5");
            for (Upload.Part each : parts) {
                if (!each.etag().matches("[0-9a-fA-F]{32}")) {
                    throw noPart(each.number());
                }
                md5.update(HexFormat.of().parseHex(each.etag()));
            }
            return Integrity.hex(md5.digest()) + "-" + parts.size();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static S3Failure noPart(int number) {
        return new S3Failure(S3Code.INVALID_PART, "there is no part " + number + " with this ETag");
    }

    /** Returns the parts with their lengths, once they are noted as the ones to join. */
    private static List<Upload.Part> noted(Caller caller, Upload upload, List<Upload.Part> asked)
            throws InterruptedException {
        Optional<List<Upload.Part>> before = upload.noted(caller.fs());
        List<Upload.Part> noted =
                before.isPresent() ? before.get() : upload.note(caller.fs(), checked(caller, upload, asked));
        if (noted.size() != asked.size()) {
            throw new S3Failure(S3Code.INVALID_PART, "the upload is being completed with other parts");
        }
        for (int i = 0; i < asked.size(); i++) {
            if (noted.get(i).number() != asked.get(i).number()
                    || !noted.get(i).etag().equals(asked.get(i).etag())) {
                throw new S3Failure(S3Code.INVALID_PART, "the upload is being completed with other parts");
            }
        }
        return noted;
    }

    private static List<Upload.Part> checked(Caller caller, Upload upload, List<Upload.Part> asked)
            throws InterruptedException {
        Map<Integer, Found> there =
                upload.parts(caller.fs()).stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        List<Upload.Part> checked = new ArrayList<>();
        for (Upload.Part each : asked) {
            Found found = there.get(each.number());
            if (found == null || !found.etag().equals(each.etag())) {
                throw noPart(each.number());
            }
            if (found.size() < LEAST_PART && checked.size() < asked.size() - 1) {
                throw new S3Failure(
                        S3Code.ENTITY_TOO_SMALL, "all parts but the last have at least " + LEAST_PART + " bytes");
            }
            checked.add(new Upload.Part(each.number(), each.etag(), found.size()));
        }
        return checked;
    }

    public HttpReply abort(Caller caller) throws InterruptedException {
        Upload upload = named(caller);
        about(caller, upload);
        upload.remove(caller.fs());
        return HttpReply.empty(NO_CONTENT);
    }

    public HttpReply parts(Caller caller) throws InterruptedException {
        S3Call call = caller.call();
        Upload upload = named(caller);
        Upload.About about = about(caller, upload);
        int most = call.number("max-parts", MOST_LISTED, MOST_LISTED);
        int after = call.number("part-number-marker", 0, Integer.MAX_VALUE);
        List<Map.Entry<Integer, Found>> left = upload.parts(caller.fs()).stream()
                .filter(each -> each.getKey() > after)
                .toList();
        List<Map.Entry<Integer, Found>> page = left.subList(0, Math.min(most, left.size()));
        XmlOut out = new XmlOut("ListPartsResult")
                .put("Bucket", call.bucket())
                .tell("Key", call.key())
                .put("UploadId", upload.id())
                .owner("Initiator", about.user())
                .owner("Owner", about.user())
                .put("StorageClass", "STANDARD")
                .put("PartNumberMarker", after)
                .put(
                        "NextPartNumberMarker",
                        page.isEmpty() ? 0 : page.get(page.size() - 1).getKey())
                .put("MaxParts", most)
                .put("IsTruncated", page.size() < left.size());
        for (Map.Entry<Integer, Found> each : page) {
            out.open("Part")
                    .put("PartNumber", each.getKey())
                    .put("LastModified", S3Replies.iso(each.getValue().time()))
                    .put("ETag", Writing.quoted(each.getValue().etag()))
                    .put("Size", each.getValue().size())
                    .close();
        }
        return S3Replies.xml(out);
    }

    /** An upload with what it is to become. */
    private record Begun(Upload upload, Upload.About about) {
        String order() {
            return about.key() + "\0" + upload.id();
        }
    }

    public HttpReply list(Caller caller) throws InterruptedException {
        S3Call call = caller.call();
        caller.existingBucket();
        List<Begun> all = new ArrayList<>();
        for (Upload each : Upload.all(caller.fs(), caller.places().uploads(call.bucket()))) {
            try {
                Upload.About about = each.about(caller.fs());
                if (about.key().startsWith(call.query("prefix"))) {
                    all.add(new Begun(each, about));
                }
            } catch (S3Failure | FsException gone) {
                // Complete, or aborted meanwhile, or not the caller's to see.
                LOG.debug("An upload is not listed", gone);
            }
        }
        String marker = call.query("key-marker");
        String after = call.query("upload-id-marker").isEmpty()
                ? marker + "\uffff"
                : marker + "\0" + call.query("upload-id-marker");
        List<Begun> left = all.stream()
                .filter(each -> marker.isEmpty() || each.order().compareTo(after) > 0)
                .sorted(Comparator.comparing(Begun::order, Utf8Order::compare))
                .toList();
        int most = call.number("max-uploads", MOST_LISTED, MOST_LISTED);
        List<Begun> page = left.subList(0, Math.min(most, left.size()));
        Begun last = page.isEmpty() ? null : page.get(page.size() - 1);
        XmlOut out = new XmlOut("ListMultipartUploadsResult")
                .put("Bucket", call.bucket())
                .put("KeyMarker", call.shown(marker))
                .put("UploadIdMarker", call.query("upload-id-marker"))
                .put(
                        "NextKeyMarker",
                        last == null ? "" : call.shown(last.about().key()))
                .put("NextUploadIdMarker", last == null ? "" : last.upload().id())
                .put("MaxUploads", most)
                .put("Prefix", call.shown(call.query("prefix")))
                .put("EncodingType", call.encodesKeys() ? "url" : null)
                .put("IsTruncated", page.size() < left.size());
        for (Begun each : page) {
            out.open("Upload")
                    .put("Key", call.shown(each.about().key()))
                    .put("UploadId", each.upload().id())
                    .owner("Initiator", each.about().user())
                    .owner("Owner", each.about().user())
                    .put("StorageClass", "STANDARD")
                    .put("Initiated", S3Replies.iso(each.about().begun()))
                    .close();
        }
        return S3Replies.xml(out);
    }
}
