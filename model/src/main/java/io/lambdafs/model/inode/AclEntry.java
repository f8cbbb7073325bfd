package io.lambdafs.model.inode;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.WireReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * One entry of an ACL; {@code default:user:ann:rw-} as text. Immutable. Entries sort as HDFS's do: access before default; owner, users, group,
 * groups, mask, others.
 *
 * @param isDefault whether new children of the directory inherit it
 * @param name of a user or group; empty for the owner, the group, the mask and others
 * @param permission the sum of the actions allowed: 4 read, 2 write, 1 execute; ignored when entries are removed
 */
public record AclEntry(boolean isDefault, Type type, String name, int permission) implements Comparable<AclEntry> {
    private static final String DEFAULT = "default:";
    private static final int MAX_NAME = 255;
    private static final Comparator<AclEntry> ORDER = Comparator.comparing(AclEntry::isDefault)
            .thenComparing(AclEntry::type)
            .thenComparing(AclEntry::name);

    /** The kind of subject an entry applies to. */
    public enum Type {
        USER,
        GROUP,
        MASK,
        OTHER
    }

    public AclEntry {
        if (permission < 0 || permission > 7) {
            throw invalid("an entry allows 0..7, not " + permission);
        }
        if (name.length() > MAX_NAME || name.chars().anyMatch(c -> c == ':' || c == ',' || c < ' ')) {
            throw invalid(
                    "a name has at most " + MAX_NAME + " characters, and neither colon nor comma: \"" + name + "\"");
        }
        if (!name.isEmpty() && (type == Type.MASK || type == Type.OTHER)) {
            throw invalid("this entry type must not have a name: " + name);
        }
    }

    static FsException invalid(String why) {
        // Only the beginning of HDFS's words.
        return new FsException(ErrorCode.INVALID_ACL, "Invalid ACL: " + why);
    }

    /** Returns whether both entries have the same subject, whatever they allow. */
    boolean replaces(AclEntry other) {
        return compareTo(other) == 0;
    }

    AclEntry allowing(int other) {
        return new AclEntry(isDefault, type, name, other);
    }

    /** Compares subjects only: entries that differ in permission alone compare as equal. */
    @Override
    public int compareTo(AclEntry other) {
        return ORDER.compare(this, other);
    }

    /**
     * Parses comma-separated entries.
     *
     * @throws FsException {@code INVALID_ACL}
     */
    public static List<AclEntry> parse(String text) {
        List<AclEntry> entries = new ArrayList<>();
        if (!text.isEmpty()) {
            for (String entry : text.split(",", -1)) {
                entries.add(parseOne(entry));
            }
        }
        return entries;
    }

    /** Reads entries that were written as {@link #text}. */
    public static List<AclEntry> read(WireReader in) {
        try {
            return parse(in.readString());
        } catch (FsException e) {
            throw WireReader.bad(String.valueOf(e.getMessage()));
        }
    }

    private static AclEntry parseOne(String text) {
        boolean isDefault = text.startsWith(DEFAULT);
        String[] parts = text.substring(isDefault ? DEFAULT.length() : 0).split(":", -1);
        if (parts.length == 3 && parts[2].length() == 3) {
            int permission = (parts[2].charAt(0) == 'r' ? 4 : 0)
                    + (parts[2].charAt(1) == 'w' ? 2 : 0)
                    + (parts[2].charAt(2) == 'x' ? 1 : 0);
            for (Type type : Type.values()) {
                if (parts[0].equals(word(type)) && symbolic(permission).equals(parts[2])) {
                    return new AclEntry(isDefault, type, parts[1], permission);
                }
            }
        }
        throw invalid("\"" + text + "\" is no entry");
    }

    /** Formats entries as text for {@link #parse}. */
    public static String text(List<AclEntry> entries) {
        StringBuilder text = new StringBuilder();
        for (AclEntry entry : entries) {
            text.append(text.length() == 0 ? "" : ",").append(entry);
        }
        return text.toString();
    }

    private static String word(Type type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    private static String symbolic(int permission) {
        return ((permission & 4) == 0 ? "-" : "r")
                + ((permission & 2) == 0 ? "-" : "w")
                + ((permission & 1) == 0 ? "-" : "x");
    }

    @Override
    public String toString() {
        return (isDefault ? DEFAULT : "") + word(type) + ":" + name + ":" + symbolic(permission);
    }
}
