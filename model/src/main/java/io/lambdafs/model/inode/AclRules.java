package io.lambdafs.model.inode;

import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** HDFS's rules for checking, changing and inheriting ACLs. Stateless. */
public final class AclRules {
    private AclRules() {}

    /** Returns whether an INode's mode and ACL grant a user all wanted actions; superusers are handled elsewhere. */
    public static boolean allows(Principal who, INode node, int wanted) {
        Acl acl = node.traits().acl();
        int bits;
        if (who.user().equals(node.owner())) {
            bits = node.mode() >> 6;
        } else if (acl != null && acl.hasAccessEntries()) {
            bits = acl.allowed(who, node.group(), node.mode(), wanted);
        } else {
            bits = who.isIn(node.group()) ? node.mode() >> 3 : node.mode();
        }
        return (bits & wanted) == wanted;
    }

    /**
     * Returns the INode with its ACL changed.
     *
     * @param path of the INode, for error messages
     * @param given empty when all are removed
     * @throws FsException {@code INVALID_ACL}
     */
    public static INode change(INode node, FsPath path, AclChange change, List<AclEntry> given) {
        AclDraft draft = new AclDraft(whole(node));
        return switch (change) {
            case MODIFY -> with(node, draft.modified(given), path);
            case REMOVE -> with(node, draft.without(given), path);
            case REMOVE_DEFAULT ->
                with(
                        node,
                        whole(node).stream().filter(entry -> !entry.isDefault()).toList(),
                        path);
            case SET -> given.isEmpty() ? cleared(node) : with(node, draft.replaced(given), path);
            case REMOVE_ALL -> cleared(node);
        };
    }

    /** Returns all entries, sorted, including those in the mode. */
    private static List<AclEntry> whole(INode node) {
        List<AclEntry> kept = kept(node);
        boolean extended = !kept.isEmpty() && !kept.get(0).isDefault();
        List<AclEntry> all = new ArrayList<>();
        all.add(new AclEntry(false, AclEntry.Type.USER, "", node.mode() >> 6 & 7));
        kept.stream().filter(entry -> !entry.isDefault()).forEach(all::add);
        all.add(new AclEntry(false, extended ? AclEntry.Type.MASK : AclEntry.Type.GROUP, "", node.mode() >> 3 & 7));
        all.add(new AclEntry(false, AclEntry.Type.OTHER, "", node.mode() & 7));
        kept.stream().filter(AclEntry::isDefault).forEach(all::add);
        return all;
    }

    private static List<AclEntry> kept(INode node) {
        Acl acl = node.traits().acl();
        return acl == null ? List.of() : acl.entries();
    }

    /** Returns the INode with these sorted entries, split between its mode and its ACL. */
    private static INode with(INode node, List<AclEntry> all, @Nullable FsPath shown) {
        List<AclEntry> kept = new ArrayList<>();
        int mode = node.mode() & ~0777;
        boolean extended = all.stream().anyMatch(entry -> !entry.isDefault() && entry.type() == AclEntry.Type.MASK);
        for (AclEntry entry : all) {
            if (entry.isDefault()) {
                kept.add(entry);
            } else if (entry.type() == AclEntry.Type.OTHER) {
                mode |= entry.permission();
            } else if (entry.type() == AclEntry.Type.MASK || (entry.type() == AclEntry.Type.GROUP && !extended)) {
                mode |= entry.permission() << 3;
            } else if (entry.type() == AclEntry.Type.USER && entry.name().isEmpty()) {
                mode |= entry.permission() << 6;
            } else {
                kept.add(entry);
            }
        }
        if (shown != null
                && node.isFile()
                && !kept.isEmpty()
                && kept.get(kept.size() - 1).isDefault()) {
            throw AclEntry.invalid("only directories may have a default ACL. Path: " + shown);
        }
        return node.withAcl(Acl.of(kept), mode);
    }

    /** Returns the INode without an ACL; its group bits come from the group's entry, not from the mask. */
    private static INode cleared(INode node) {
        int mode = node.mode();
        for (AclEntry entry : kept(node)) {
            if (!entry.isDefault()
                    && entry.type() == AclEntry.Type.GROUP
                    && entry.name().isEmpty()) {
                mode = (mode & ~070) | entry.permission() << 3;
            }
        }
        return node.withAcl(null, mode);
    }

    /**
     * Returns a new INode with the entries inherited from its directory's default ACL, limited by the requested mode
     * and not by the umask.
     *
     * @param made the INode with the umask applied to its mode, which it keeps if there is no default ACL
     * @param asked the requested mode without the umask
     */
    public static INode inherit(INode directory, INode made, int asked) {
        List<AclEntry> given =
                kept(directory).stream().filter(AclEntry::isDefault).toList();
        if (given.isEmpty()) {
            return made;
        }
        boolean hasMask = given.stream().anyMatch(entry -> entry.type() == AclEntry.Type.MASK);
        List<AclEntry> all = new ArrayList<>();
        for (AclEntry entry : given) {
            int limit = 7;
            if (entry.type() == AclEntry.Type.OTHER) {
                limit = asked & 7;
            } else if (entry.type() == AclEntry.Type.MASK || (entry.type() == AclEntry.Type.GROUP && !hasMask)) {
                limit = asked >> 3 & 7;
            } else if (entry.type() == AclEntry.Type.USER && entry.name().isEmpty()) {
                limit = asked >> 6 & 7;
            }
            all.add(new AclEntry(false, entry.type(), entry.name(), entry.permission() & limit));
        }
        if (made.isDirectory()) {
            all.addAll(given);
        }
        return with(made.withMode(asked), all, null);
    }
}
