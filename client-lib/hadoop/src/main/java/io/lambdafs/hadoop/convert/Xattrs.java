package io.lambdafs.hadoop.convert;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.Preconditions;

/** Converts and checks the names of extended attributes as Hadoop does. Stateless. */
public final class Xattrs {
    private static final List<String> NAMESPACES = List.of("user", "trusted", "security", "system", "raw");

    private Xattrs() {}

    /** Returns a name with its namespace in lower case. */
    static String canonical(String name) {
        Preconditions.checkNotNull(name, "XAttr name cannot be null.");
        int dot = name.indexOf('.');
        String namespace = dot < 0 ? "" : name.substring(0, dot).toLowerCase(Locale.ROOT);
        if (!NAMESPACES.contains(namespace)) {
            // HDFS's exact words.
            throw new HadoopIllegalArgumentException(
                    "An XAttr name must be prefixed with" + " user/trusted/security/system/raw, followed by a '.'");
        }
        if (dot == name.length() - 1) {
            throw new HadoopIllegalArgumentException("XAttr name cannot be empty.");
        }
        return namespace + name.substring(dot);
    }

    /** Returns such a name, checked to be settable. */
    public static String settable(String name) throws AccessControlException {
        String canonical = canonical(name);
        if (!canonical.startsWith("user.") && !canonical.startsWith("trusted.")) {
            // HDFS's exact words.
            throw new AccessControlException("User doesn't have permission for xattr: " + name);
        }
        return canonical;
    }

    /** Returns such names. */
    public static Set<String> canonical(List<String> names) {
        return names.stream().map(Xattrs::canonical).collect(Collectors.toSet());
    }

    /** Returns the requested attributes; fails if one is missing. */
    public static Map<String, byte[]> named(Map<String, byte[]> all, List<String> names) throws IOException {
        Map<String, byte[]> found = new LinkedHashMap<>();
        for (String name : names) {
            byte[] value = all.get(canonical(name));
            if (value == null) {
                // HDFS's exact words.
                throw new IOException("At least one of the attributes provided was not found.");
            }
            found.put(name, value);
        }
        return found;
    }
}
