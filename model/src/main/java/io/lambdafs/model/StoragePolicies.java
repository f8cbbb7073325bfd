package io.lambdafs.model;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The names of storage policies: those of HDFS, and those of the block stores that have a name. A policy sends blocks to the store of its name, whichever
 * case it is written in; where no datanode serves such a store, to one that has no name. Stateless.
 */
public final class StoragePolicies {
    /** That of a path which has none, nor any directory above. */
    public static final String DEFAULT = "HOT";
    /** HDFS writes such files to memory first, and so does not set it later. */
    public static final String LAZY_PERSIST = "LAZY_PERSIST";
    /** Those that HDFS has, whatever block stores there are. */
    public static final List<String> STANDARD =
            List.of("HOT", "WARM", "COLD", "ALL_SSD", "ONE_SSD", LAZY_PERSIST, "ALL_NVDIMM", "PROVIDED");

    /** What the metadata's name of a block store begins with that takes only what a policy sends there. */
    private static final String NAMED = "policy:";

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,31}");

    private StoragePolicies() {}

    /** Whether a text can be a policy's name, or a block store's. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** What the metadata call the block store of a name. */
    public static String store(String name) {
        return NAMED + name.toLowerCase(Locale.ROOT);
    }

    /** Whether a block store has a name, so that it takes only what a policy sends there. */
    public static boolean isNamed(String store) {
        return store.startsWith(NAMED);
    }

    /** The name of a block store that has one. */
    public static String nameOf(String store) {
        return store.substring(NAMED.length());
    }

    /**
     * A policy's name as it is kept: HDFS's in capitals.
     *
     * @param stores the names of block stores
     * @throws FsException {@code INVALID_ARGUMENT}: there is no such policy
     */
    public static String known(String name, List<String> stores) {
        String upper = name.toUpperCase(Locale.ROOT);
        if (STANDARD.contains(upper)) {
            return upper;
        }
        String lower = name.toLowerCase(Locale.ROOT);
        if (stores.contains(lower)) {
            return lower;
        }
        throw unknown(name);
    }

    static FsException unknown(String name) {
        return new FsException(
                ErrorCode.INVALID_ARGUMENT,
                "Cannot find a block policy with the name " + name + ": there are HDFS's ("
                        + String.join(", ", STANDARD)
                        + "), and those of the block stores that datanodes serve now (lambdafs storagepolicies -listPolicies)");
    }
}
