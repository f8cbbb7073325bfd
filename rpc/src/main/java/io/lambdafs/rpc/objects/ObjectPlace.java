package io.lambdafs.rpc.objects;

import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bucket or container and the prefix of all object names in it. Immutable.
 *
 * @param scheme {@code s3} for S3-compatible stores, {@code az} for Azure, {@code gs} for Google
 * @param prefix empty, or ends with a '/'
 */
public record ObjectPlace(String scheme, String bucket, String prefix) {
    private static final String REMOTE = "://";
    private static final Pattern TEXT =
            Pattern.compile("(s3|az|gs)://([a-z0-9][a-z0-9._-]{1,62})((?:/[A-Za-z0-9._=+! -]+)*)/?");

    private static final Pattern ENDPOINT = Pattern.compile("(https?://[^\\s/?#]+)/*");

    /** Returns whether a string names a place in an object store, valid or not, rather than a directory. */
    public static boolean isOne(String text) {
        return text.contains(REMOTE);
    }

    /**
     * Parses {@code s3://BUCKET[/PREFIX]}, {@code az://CONTAINER[/PREFIX]} or {@code gs://BUCKET[/PREFIX]}.
     *
     * @throws IllegalArgumentException if it is not of that form
     */
    public static ObjectPlace of(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "blocks must be a directory, s3://BUCKET[/PREFIX], az://CONTAINER[/PREFIX] or gs://BUCKET[/PREFIX], not "
                            + text);
        }
        String prefix = matcher.group(3);
        return new ObjectPlace(matcher.group(1), matcher.group(2), prefix.isEmpty() ? "" : prefix.substring(1) + "/");
    }

    /**
     * Parses the address of an S3-compatible store; drops trailing slashes.
     *
     * @throws IllegalArgumentException if it is not {@code http://HOST[:PORT]} or {@code https://HOST[:PORT]}
     */
    public static URI endpoint(String text) {
        Matcher matcher = ENDPOINT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "the endpoint must be http://HOST[:PORT] or https://HOST[:PORT], not " + text);
        }
        return URI.create(matcher.group(1));
    }

    public boolean isS3() {
        return scheme.equals("s3");
    }

    public boolean isAzure() {
        return scheme.equals("az");
    }

    /** Returns the name of an object in the bucket. */
    public String name(String key) {
        return prefix + key;
    }

    /** Returns the key of an object with that name. */
    public String key(String name) {
        return name.substring(prefix.length());
    }

    @Override
    public String toString() {
        return scheme + REMOTE + bucket + "/" + prefix;
    }
}
