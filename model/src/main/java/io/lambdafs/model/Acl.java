package io.lambdafs.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an INode allows beyond its mode, as HDFS keeps it: the users, the group and the groups that its ACL names, sorted, then, of a directory, the
 * whole default ACL. The owner's and others' entries are in the mode; where there are access entries, its group bits are the mask. Immutable.
 */
public final class Acl {
    /** In {@link Attributes}: there are entries, which {@link ReadOperation.GetAcl} tells. */
    public static final Acl UNTOLD = new Acl("", List.of());

    private final String text;
    private final List<AclEntry> entries;

    private Acl(String text, List<AclEntry> entries) {
        this.text = text;
        this.entries = List.copyOf(entries);
    }

    /** Returns the ACL of entries in their order; null where there are none. */
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

    /** Returns whether entries judge who may do something with the INode itself. */
    boolean hasAccessEntries() {
        return !entries.isEmpty() && !entries.get(0).isDefault();
    }

    /**
     * Returns the bits that somebody has who is not the owner; HDFS's rules.
     *
     * @param mode of the INode, with the mask in its group bits
     * @return what the entry of the user allows, or an entry of one of its groups that allows all that is wanted
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
