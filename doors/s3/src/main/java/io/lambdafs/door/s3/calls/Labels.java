package io.lambdafs.door.s3.calls;

import io.lambdafs.door.s3.files.Label;
import io.lambdafs.door.s3.files.Tags;
import io.lambdafs.door.s3.wire.S3Call;
import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Makes labels of the headers of calls. Stateless. */
final class Labels {
    static final String METADATA = "x-amz-meta-";

    private static final List<String> KEPT = List.of(
            "cache-control", "content-disposition", "content-encoding", "content-language", "content-type", "expires");
    private static final int MOST_METADATA = 2 << 10;
    /** Headers that ask for what the door does not do, and whose sender must not believe that it does. */
    private static final List<String> REFUSED = List.of(
            "x-amz-server-side-encryption",
            "x-amz-object-lock-",
            "x-amz-write-offset-bytes",
            "x-amz-copy-source-server-side-encryption");

    private Labels() {}

    /** Returns the label of the headers, byte for byte as they came, without what only the contents tell. */
    static Label of(S3Call call) {
        checkAsked(call);
        Map<String, String> headers = new TreeMap<>();
        for (String name : KEPT) {
            call.http()
                    .header(name)
                    .map(value -> name.equals("content-encoding") ? withoutChunks(value) : value)
                    .filter(value -> !value.isEmpty())
                    .ifPresent(value -> headers.put(name, value));
        }
        Map<String, String> metadata = new TreeMap<>();
        int bytes = 0;
        for (Map.Entry<String, String> each : call.http().headers().entrySet()) {
            if (each.getKey().startsWith(METADATA)) {
                String name = each.getKey().substring(METADATA.length());
                bytes += name.length() + each.getValue().length();
                metadata.put(name, each.getValue());
            }
        }
        if (bytes > MOST_METADATA) {
            throw new S3Failure(
                    S3Code.METADATA_TOO_LARGE, "an object's metadata has at most " + MOST_METADATA + " bytes");
        }
        return new Label(0, 0, 0, "", null, headers, metadata, Map.of(), null);
    }

    /** Refuses what must not be passed over in silence. */
    static void checkAsked(S3Call call) {
        for (String name : call.http().headers().keySet()) {
            if (REFUSED.stream().anyMatch(name::startsWith)) {
                throw new S3Failure(S3Code.NOT_IMPLEMENTED, name + " asks for what this door does not do");
            }
        }
    }

    private static String withoutChunks(String encoding) {
        return !encoding.contains("aws-chunked")
                ? encoding
                : Arrays.stream(encoding.split(",", -1))
                        .map(String::strip)
                        .filter(each -> !each.equals("aws-chunked"))
                        .collect(Collectors.joining(","));
    }

    static Map<String, String> tags(S3Call call) {
        return Tags.ofQuery(call.header("x-amz-tagging").orElse(""));
    }

    static Label with(Label label, String etag, Map<String, String> checksums) {
        return new Label(0, 0, 0, etag, null, label.headers(), label.metadata(), checksums, null);
    }
}
