package io.lambdafs.model.inode;

import io.lambdafs.model.FsException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The names of storage policies: HDFS's, and those of named block stores. A policy places blocks in the store of its
 * name, ignoring case, or in an unnamed store if no datanode serves that one. Stateless.
 */
public final class StoragePolicies {
    /** The policy of a path if neither it nor any ancestor has one. */
    public static final String DEFAULT = "HOT";
    /** HDFS writes these files to memory first, so the policy cannot be set later. */
    public static final String LAZY_PERSIST = "LAZY_PERSIST";
    /** HDFS's policies, available with any block stores. */
    public static final List<String> STANDARD =
            List.of("HOT", "WARM", "COLD", "ALL_SSD", "ONE_SSD", LAZY_PERSIST, "ALL_NVDIMM", "PROVIDED");

    /** The prefix, in the metadata, of named block stores, which only take blocks that a policy places there. */
    private static final String NAMED = "policy:";

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,31}");

    private StoragePolicies() {}

    /** Returns whether a string is valid as the name of a policy or block store. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** Returns the metadata's name for a named block store. */
    public static String store(String name) {
        return NAMED + name.toLowerCase(Locale.ROOT);
    }

    /** Returns whether a block store is a named one, which only takes blocks that a policy places there. */
    public static boolean isNamed(String store) {
        return store.startsWith(NAMED);
    }

    /** Returns the name of a named block store. */
    public static String nameOf(String store) {
        return store.substring(NAMED.length());
    }

    /**
     * Returns a policy's name as stored: HDFS's in capitals.
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

    /** Returns the refusal of a name that is no storage policy's. */
    public static FsException unknown(String name) {
        return FsException.invalidArgument("Cannot find a block policy with the name " + name + ": there are HDFS's ("
                + String.join(", ", STANDARD)
                + "), and those of the block stores that datanodes serve now (lambdafs storagepolicies -listPolicies)");
    }
}
