package io.lambdafs.door.s3.calls;

import io.lambdafs.door.s3.files.Found;
import io.lambdafs.door.s3.files.Label;
import io.lambdafs.door.s3.files.Listing;
import io.lambdafs.door.s3.wire.S3Call;
import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import io.lambdafs.door.s3.wire.S3Replies;
import io.lambdafs.door.s3.wire.XmlOut;
import io.lambdafs.model.FsPath;
import io.lambdafs.rpc.http.HttpReply;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers ListObjects, ListObjectsV2, and ListObjectVersions, by which every object has one version, {@code null}. Stateless. */
public final class Listings {
    private static final int MOST = 1_000;
    private static final String MARKER = "marker";
    private static final String KEY_MARKER = "key-marker";
    private static final String START_AFTER = "start-after";
    private static final String TOKEN = "continuation-token";

    public HttpReply first(Caller caller) throws InterruptedException {
        Asked asked = new Asked(caller, caller.call().query(MARKER));
        Listing page = asked.page();
        XmlOut out = asked.begin("ListBucketResult", page)
                .put("Marker", caller.call().shown(caller.call().query(MARKER)));
        if (page.more() && caller.call().asks("delimiter")) {
            out.put("NextMarker", caller.call().shown(page.last()));
        }
        return asked.end(out, page, "Contents", true);
    }

    public HttpReply second(Caller caller) throws InterruptedException {
        S3Call call = caller.call();
        String token = call.query(TOKEN);
        Asked asked = new Asked(caller, token.isEmpty() ? call.query(START_AFTER) : decoded(token));
        Listing page = asked.page();
        XmlOut out = asked.begin("ListBucketResult", page)
                .put("KeyCount", page.keys().size() + page.prefixes().size())
                .put("ContinuationToken", call.asks(TOKEN) ? token : null)
                .put("NextContinuationToken", page.more() ? encoded(page.last()) : null)
                .put("StartAfter", call.asks(START_AFTER) ? call.shown(call.query(START_AFTER)) : null);
        return asked.end(out, page, "Contents", call.query("fetch-owner").equals("true"));
    }

    public HttpReply versions(Caller caller) throws InterruptedException {
        Asked asked = new Asked(caller, caller.call().query(KEY_MARKER));
        Listing page = asked.page();
        XmlOut out = asked.begin("ListVersionsResult", page)
                .put("KeyMarker", caller.call().shown(caller.call().query(KEY_MARKER)))
                .put("VersionIdMarker", "")
                .put("NextKeyMarker", page.more() ? caller.call().shown(page.last()) : null)
                .put("NextVersionIdMarker", page.more() ? "null" : null);
        return asked.end(out, page, "Version", true);
    }

    private static String encoded(String key) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(key.getBytes(StandardCharsets.UTF_8));
    }

    private static String decoded(String token) {
        try {
            return new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new S3Failure(S3Code.INVALID_ARGUMENT, "the continuation token is none of this door's", e);
        }
    }

    /** A call that lists. */
    private static final class Asked {
        private final Caller caller;
        private final S3Call call;
        private final Listing.Wish wish;

        Asked(Caller caller, String after) {
            this.caller = caller;
            this.call = caller.call();
            this.wish = new Listing.Wish(
                    call.query("prefix"), call.query("delimiter"), after, call.number("max-keys", MOST, MOST));
        }

        Listing page() throws InterruptedException {
            FsPath bucket = caller.existingBucket();
            return Listing.of(caller.fs(), bucket, wish);
        }

        XmlOut begin(String root, Listing page) {
            return new XmlOut(root)
                    .put("Name", call.bucket())
                    .put("Prefix", call.shown(wish.prefix()))
                    .put("MaxKeys", call.number("max-keys", MOST, MOST))
                    .put("Delimiter", wish.delimiter().isEmpty() ? null : call.shown(wish.delimiter()))
                    .put("EncodingType", call.encodesKeys() ? "url" : null)
                    .put("IsTruncated", page.more());
        }

        HttpReply end(XmlOut out, Listing page, String element, boolean withOwner) {
            for (int i = 0; i < page.keys().size(); i++) {
                Found found = page.objects().get(i);
                out.open(element).put("Key", call.shown(page.keys().get(i)));
                if (element.equals("Version")) {
                    out.put("VersionId", "null").put("IsLatest", true);
                }
                out.put("LastModified", S3Replies.iso(found.time()))
                        .put("ETag", Writing.quoted(found.etag()))
                        .put("ChecksumAlgorithm", algorithm(found))
                        .put("Size", found.size());
                if (withOwner) {
                    out.owner("Owner", found.file().owner());
                }
                out.put("StorageClass", "STANDARD").close();
            }
            page.prefixes()
                    .forEach(each -> out.open("CommonPrefixes")
                            .put("Prefix", call.shown(each))
                            .close());
            return S3Replies.xml(out);
        }

        private static @Nullable String algorithm(Found found) {
            return found.label().map(Label::checksums).orElse(Map.of()).keySet().stream()
                    .findFirst()
                    .map(each -> each.toUpperCase(Locale.ROOT))
                    .orElse(null);
        }
    }
}
