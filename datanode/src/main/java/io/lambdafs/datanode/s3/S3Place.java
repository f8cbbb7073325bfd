package io.lambdafs.datanode.s3;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bucket, and what the keys of all objects in it begin with. Immutable.
 *
 * @param prefix empty, or ends with a '/'
 */
public record S3Place(String bucket, String prefix) {
    private static final Pattern TEXT = Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,62})((?:/[A-Za-z0-9._-]+)*)/?");

    /** Returns whether a text names such a place, rather than a directory. */
    public static boolean isOne(String text) {
        return text.startsWith("s3://");
    }

    /**
     * Reads {@code s3://BUCKET[/PREFIX]}.
     *
     * @throws IllegalArgumentException it is not of that form
     */
    public static S3Place of(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("blocks must be a directory or s3://BUCKET[/PREFIX], not " + text);
        }
        String prefix = matcher.group(2);
        return new S3Place(matcher.group(1), prefix.isEmpty() ? "" : prefix.substring(1) + "/");
    }

    @Override
    public String toString() {
        return "s3://" + bucket + "/" + prefix;
    }
}
