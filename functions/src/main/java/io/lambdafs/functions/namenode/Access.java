package io.lambdafs.functions.namenode;

import io.lambdafs.functions.namenode.transaction.Chain;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.AclRules;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation;

/**
 * HDFS's permission checks: owner, group, others, ACLs, the sticky bit, and the superuser, who passes all. Stateless.
 */
public final class Access {
    public static final int READ = 4;
    public static final int WRITE = 2;
    public static final int EXECUTE = 1;
    public static final int ALL = 7;

    private final String superuser;

    public Access(String superuser) {
        this.superuser = superuser;
    }

    public boolean isSuperuser(Principal who) {
        return who.user().equals(superuser) || who.isSuperuser();
    }

    /** Returns whether mode and ACL allow all of the wanted actions. */
    public boolean allows(Principal who, INode node, int wanted) {
        return isSuperuser(who) || AclRules.allows(who, node, wanted);
    }

    public void check(Principal who, INode node, int wanted, FsPath shown) {
        if (!allows(who, node, wanted)) {
            throw denied(who, node, wanted, shown);
        }
    }

    /** Checks that every directory of a chain, from the root, is searchable. */
    private void checkTraverse(Principal who, INode[] nodes, int count, FsPath shown) {
        for (int i = 0; i < count; i++) {
            if (nodes[i].isDirectory() && !allows(who, nodes[i], EXECUTE)) {
                throw denied(who, nodes[i], EXECUTE, shown.ancestor(i));
            }
        }
    }

    /** Checks that the directories of a chain above the path's last component are searchable. */
    public void checkTraverse(Principal who, Chain chain, FsPath path) {
        checkTraverse(who, chain.nodes(), Math.min(chain.size(), path.depth()), path);
    }

    /**
     * Checks as {@link #checkTraverse(Principal, Chain, FsPath)}, and refuses any path below a file, even for
     * superusers.
     */
    public void checkSearch(Principal who, Chain chain, FsPath path) {
        checkTraverse(who, chain, path);
        if (isBelowFile(chain, path)) {
            throw new FsException(
                    ErrorCode.PERMISSION_DENIED,
                    "permission denied: user=" + who.user() + ", path=\"" + path + "\": \"" + chain.lastPath()
                            + "\" is not a directory");
        }
    }

    /**
     * Checks as {@link #checkSearch}, but a read below a file by a superuser finds nothing instead of being refused.
     */
    public void checkRead(Principal who, Chain chain, FsPath path) {
        if (isBelowFile(chain, path) && isSuperuser(who)) {
            throw Chain.notFound(path);
        }
        checkSearch(who, chain, path);
    }

    private static boolean isBelowFile(Chain chain, FsPath path) {
        return chain.last().isFile() && !chain.reaches(path.depth());
    }

    /** Checks the sticky bit: only the owner of the file or of the directory may remove or rename. */
    public void checkSticky(Principal who, INode parent, INode node, FsPath shown) {
        boolean free = (parent.mode() & INode.STICKY) == 0
                || who.user().equals(node.owner())
                || who.user().equals(parent.owner())
                || isSuperuser(who);
        if (!free) {
            throw new FsException(
                    ErrorCode.PERMISSION_DENIED,
                    "permission denied by the sticky bit of its directory: user=" + who.user() + ", path=\"" + shown
                            + "\", owner=" + node.owner());
        }
    }

    public void checkOwner(Principal who, INode node, FsPath shown) {
        if (!who.user().equals(node.owner()) && !isSuperuser(who)) {
            throw new FsException(
                    ErrorCode.PERMISSION_DENIED,
                    "permission denied: user=" + who.user() + " is not the owner of \"" + shown + "\" (" + node.owner()
                            + ")");
        }
    }

    /**
     * Returns the INode with a changed owner or group. Only the superuser may change the owner; the file's owner may
     * choose among its own groups and name no other, not even the file's current one.
     */
    public INode changeOwner(Principal who, AttributeOperation.SetOwner operation, INode node) {
        String owner = operation.owner() == null ? node.owner() : operation.owner();
        String group = operation.group() == null ? node.group() : operation.group();
        if (owner.isEmpty() || group.isEmpty()) {
            throw FsException.invalidArgument("an owner or group is not empty");
        }
        checkOwner(who, node, operation.path());
        if (!isSuperuser(who)) {
            if (!owner.equals(node.owner())) {
                throw new FsException(ErrorCode.PERMISSION_DENIED, "only a superuser changes the owner of a file");
            }
            if (operation.group() != null && !who.isIn(group)) {
                throw new FsException(ErrorCode.PERMISSION_DENIED, "user " + who.user() + " is not in group " + group);
            }
        }
        return node.withOwner(owner, group);
    }

    public static FsException denied(Principal who, INode node, int wanted, FsPath shown) {
        String action = (wanted & READ) != 0
                ? (wanted & WRITE) != 0 ? "ALL" : (wanted & EXECUTE) != 0 ? "READ_EXECUTE" : "READ"
                : (wanted & WRITE) != 0 ? (wanted & EXECUTE) != 0 ? "WRITE_EXECUTE" : "WRITE" : "EXECUTE";
        return new FsException(
                ErrorCode.PERMISSION_DENIED,
                "permission denied: user=" + who.user() + ", access=" + action + ", path=\"" + shown + "\": "
                        + node.owner() + ":" + node.group() + ":" + symbolic(node));
    }

    private static String symbolic(INode node) {
        StringBuilder text = new StringBuilder(node.isDirectory() ? "d" : "-");
        for (int bit = 8; bit >= 0; bit--) {
            text.append((node.mode() >> bit & 1) == 0 ? '-' : "xwr".charAt(bit % 3));
        }
        if ((node.mode() & INode.STICKY) != 0) {
            text.setCharAt(9, text.charAt(9) == 'x' ? 't' : 'T');
        }
        return text.append(node.traits().acl() == null ? "" : "+").toString();
    }
}
