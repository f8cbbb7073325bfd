package io.lambdafs.door.s3.files;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Tags, as JSON in the extended attribute {@value #XATTR}. Stateless. */
public final class Tags {
    public static final String XATTR = "user.s3.tags";

    private static final int MOST = 10;
    private static final int LONGEST_KEY = 128;
    private static final int LONGEST_VALUE = 256;
    private static final JsonMapper JSON = new JsonMapper();

    private Tags() {}

    /** Reads the form that the header {@code x-amz-tagging} has, of a query. */
    public static Map<String, String> ofQuery(String query) {
        Map<String, String> tags = new TreeMap<>();
        for (String each : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = each.indexOf('=');
            put(
                    tags,
                    URLDecoder.decode(equals < 0 ? each : each.substring(0, equals), StandardCharsets.UTF_8),
                    equals < 0 ? "" : URLDecoder.decode(each.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return tags;
    }

    /**
     * Adds a tag.
     *
     * @throws S3Failure if it is none, or there are too many
     */
    public static void put(Map<String, String> tags, String key, String value) {
        if (key.isEmpty() || key.length() > LONGEST_KEY || value.length() > LONGEST_VALUE) {
            throw new S3Failure(
                    S3Code.INVALID_TAG,
                    "a tag has a key of 1 to " + LONGEST_KEY + " and a value of at most " + LONGEST_VALUE
                            + " characters");
        }
        if (tags.put(key, value) != null) {
            throw new S3Failure(S3Code.INVALID_TAG, "a tag's key is there twice");
        }
        if (tags.size() > MOST) {
            throw new S3Failure(S3Code.INVALID_TAG, "an object has at most " + MOST + " tags");
        }
    }

    public static byte[] json(Map<String, String> tags) {
        try {
            return JSON.writeValueAsBytes(new TreeMap<>(tags));
        } catch (JacksonException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads an attribute's value; no tags if it is none of this door's. */
    public static Map<String, String> read(byte @Nullable [] value) {
        try {
            return value == null
                    ? Map.of()
                    : JSON.readValue(
                            value, JSON.getTypeFactory().constructMapType(TreeMap.class, String.class, String.class));
        } catch (IOException foreign) {
            return Map.of();
        }
    }
}
