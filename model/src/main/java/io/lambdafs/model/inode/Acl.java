package io.lambdafs.model.inode;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An INode's ACL entries beyond its mode bits, as in HDFS: named users, the group, named groups, sorted; for a
 * directory, the whole default ACL follows. The owner's and others' entries are in the mode; if there are access
 * entries, its group bits are the mask. Immutable.
 */
public final class Acl {
    /**
     * Stands for an ACL in {@link Attributes}, which does not carry the entries; the operation {@code GetAcl} returns
     * them.
     */
    public static final Acl UNTOLD = new Acl("", List.of());

    private final String text;
    private final List<AclEntry> entries;

    private Acl(String text, List<AclEntry> entries) {
        this.text = text;
        this.entries = List.copyOf(entries);
    }

    /** Returns an ACL with these entries, in the given order; null if there are none. */
    public static @Nullable Acl of(List<AclEntry> entries) {
        return entries.isEmpty() ? null : new Acl(AclEntry.text(entries), entries);
    }

    /** Reads what {@link #toString} wrote; null for an empty text. */
    public static @Nullable Acl parse(String text) {
        return text.isEmpty() ? null : new Acl(text, AclEntry.parse(text));
    }

    public List<AclEntry> entries() {
        return entries;
    }

    /** Returns whether the ACL has access entries, which apply to the INode itself. */
    boolean hasAccessEntries() {
        return !entries.isEmpty() && !entries.get(0).isDefault();
    }

    /**
     * Returns the permission bits of a user other than the owner, by HDFS's rules.
     *
     * @param mode of the INode, with the mask in its group bits
     * @return the bits of the user's entry, or of an entry of one of the user's groups that grants all wanted bits
     */
    int allowed(Principal who, String owningGroup, int mode, int wanted) {
        int mask = mode >> 3 & 7;
        boolean isNamed = false;
        for (AclEntry entry : entries) {
            if (entry.isDefault()) {
                break;
            }
            boolean isUser = entry.type() == AclEntry.Type.USER;
            String group = entry.name().isEmpty() ? owningGroup : entry.name();
            if (isUser ? entry.name().equals(who.user()) : who.isIn(group)) {
                int bits = entry.permission() & mask;
                if (isUser || (bits & wanted) == wanted) {
                    return bits;
                }
                isNamed = true;
            }
        }
        return isNamed ? 0 : mode & 7;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Acl acl && text.equals(acl.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
