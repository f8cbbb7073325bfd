package io.lambdafs.door.s3.calls;

import io.lambdafs.door.s3.files.Found;
import io.lambdafs.door.s3.files.Label;
import io.lambdafs.door.s3.wire.S3Call;
import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import io.lambdafs.door.s3.wire.S3Replies;
import io.lambdafs.door.s3.wire.XmlOut;
import io.lambdafs.rpc.http.HttpReply;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Answers GetObjectAttributes. Stateless. */
public final class Properties {
    private static final List<String> KNOWN = List.of("ETag", "Checksum", "ObjectParts", "StorageClass", "ObjectSize");
    private static final int MOST_PARTS = 1_000;

    public HttpReply get(Caller caller) throws InterruptedException {
        S3Call call = caller.call();
        Deleting.checkVersion(call.query("versionId"));
        List<String> asked = Arrays.stream(
                        call.header("x-amz-object-attributes").orElse("").split(",", -1))
                .map(String::strip)
                .toList();
        if (!KNOWN.containsAll(asked)) {
            throw new S3Failure(S3Code.INVALID_ARGUMENT, "x-amz-object-attributes names some of " + KNOWN);
        }
        Found found = Tagging.found(caller);
        XmlOut out = new XmlOut("GetObjectAttributesResponse");
        if (asked.contains("ETag")) {
            out.put("ETag", found.etag());
        }
        Map<String, String> checksums = found.label().map(Label::checksums).orElse(Map.of());
        if (asked.contains("Checksum") && !checksums.isEmpty()) {
            out.open("Checksum");
            checksums.forEach((kind, value) -> out.put("Checksum" + kind.toUpperCase(Locale.ROOT), value));
            out.close();
        }
        String parts = found.label().map(Label::parts).orElse(null);
        if (asked.contains("ObjectParts") && parts != null) {
            putParts(out, call, List.of(parts.split(",", -1)));
        }
        if (asked.contains("StorageClass")) {
            out.put("StorageClass", "STANDARD");
        }
        if (asked.contains("ObjectSize")) {
            out.put("ObjectSize", found.size());
        }
        return S3Replies.xml(out).withHeader("last-modified", S3Replies.http(found.time()));
    }

    private static void putParts(XmlOut out, S3Call call, List<String> lengths) {
        int most = call.numberOfHeader("x-amz-max-parts", MOST_PARTS, MOST_PARTS);
        int after = call.numberOfHeader("x-amz-part-number-marker", 0, lengths.size());
        int last = Math.min(lengths.size(), after + most);
        out.open("ObjectParts")
                .put("PartsCount", lengths.size())
                .put("MaxParts", most)
                .put("PartNumberMarker", after)
                .put("NextPartNumberMarker", last)
                .put("IsTruncated", last < lengths.size());
        for (int i = after; i < last; i++) {
            out.open("Part")
                    .put("PartNumber", i + 1)
                    .put("Size", lengths.get(i))
                    .close();
        }
        out.close();
    }
}
