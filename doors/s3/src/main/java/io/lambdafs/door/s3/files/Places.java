package io.lambdafs.door.s3.files;

import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Says where buckets and objects are. A bucket is a directory of the root; the object {@code a/b} is the file of that path
 * in it, and {@code a/} the hidden file {@link #OF_DIRECTORY} in the directory {@code a}. Immutable.
 *
 * @param root of the buckets
 */
public record Places(FsPath root) {
    /** The beginning of names that this door hides. */
    static final String HIDDEN = ".s3-";
    /** The name of the file that is the object of a directory. */
    static final String OF_DIRECTORY = ".s3-dir";

    private static final String UPLOADS = ".s3-uploads";
    private static final int LONGEST_KEY = 1_024;
    private static final Pattern BUCKET = Pattern.compile("[a-z0-9](?:[a-z0-9.-]{1,61})[a-z0-9]");
    private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,3}(?:\\.[0-9]{1,3}){3}");
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int RANDOM_BYTES = 16;

    /**
     * Returns the directory of a bucket.
     *
     * @throws S3Failure if no bucket can have this name
     */
    public FsPath bucket(String name) {
        if (name.startsWith(HIDDEN) || !FsPath.isValidName(name)) {
            throw new S3Failure(S3Code.INVALID_BUCKET_NAME, "no bucket has the name \"" + name + "\"");
        }
        return root.child(name);
    }

    /** Returns whether a name is one that S3 allows a new bucket. */
    public static boolean isBucketName(String name) {
        return BUCKET.matcher(name).matches()
                && !ADDRESS.matcher(name).matches()
                && !name.contains("..")
                && !name.contains(".-")
                && !name.contains("-.");
    }

    /**
     * Returns the file of an object.
     *
     * @throws S3Failure if a file system cannot hold the key
     */
    public FsPath object(String bucket, String key) {
        if (key.getBytes(StandardCharsets.UTF_8).length > LONGEST_KEY) {
            throw new S3Failure(S3Code.KEY_TOO_LONG, "a key has at most " + LONGEST_KEY + " bytes");
        }
        FsPath path = bucket(bucket);
        String[] names = key.split("/", -1);
        for (int i = 0; i < names.length; i++) {
            boolean last = i == names.length - 1;
            path = child(path, last && names[i].isEmpty() && i > 0 ? OF_DIRECTORY : checked(names[i]));
        }
        return path;
    }

    /** Returns the file of an object; empty if a file system cannot hold the key, so that there is none. */
    public Optional<FsPath> find(String bucket, String key) {
        try {
            return Optional.of(object(bucket, key));
        } catch (S3Failure impossible) {
            return Optional.empty();
        }
    }

    private static String checked(String name) {
        if (name.isEmpty() || name.equals(".") || name.equals("..")) {
            throw new S3Failure(
                    S3Code.INVALID_ARGUMENT,
                    "a key is the path of a file here: none begins with a slash, or has two in a row, or . or .."
                            + " between");
        }
        if (name.startsWith(HIDDEN) || name.equals(".snapshot")) {
            throw new S3Failure(
                    S3Code.INVALID_ARGUMENT, "no part of a key begins with " + HIDDEN + ", or is .snapshot");
        }
        if (name.getBytes(StandardCharsets.UTF_8).length > FsPath.MAX_NAME_BYTES) {
            throw new S3Failure(
                    S3Code.KEY_TOO_LONG,
                    "between two slashes a key has at most " + FsPath.MAX_NAME_BYTES + " bytes here");
        }
        return name;
    }

    private static FsPath child(FsPath path, String name) {
        try {
            return path.child(name);
        } catch (FsException e) {
            throw S3Failure.of(e);
        }
    }

    /** Returns a new hidden place beside a file. */
    static FsPath draft(FsPath file) {
        return file.parent().child(HIDDEN + random());
    }

    /** Returns the directory of a bucket's uploads in parts. */
    public FsPath uploads(String bucket) {
        return bucket(bucket).child(UPLOADS);
    }

    /** Returns a random name. */
    public static String random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    static boolean isHidden(String name) {
        return name.startsWith(HIDDEN);
    }
}
