package io.lambdafs.testing.history;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Acl;
import io.lambdafs.model.inode.AclEntry;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** HDFS's permission rules on a model tree. Stateless. */
final class Rights {
    private static final int SEARCH = 1;
    private static final int WRITE = 2;
    private static final int ALL = 7;

    private final Node root;
    private final Principal who;

    Rights(Node root, Principal who) {
        this.root = root;
        this.who = who;
    }

    static boolean isSuperuser(Principal who) {
        return who.user().equals("root");
    }

    /** Returns whether the applicable bits or entries grant a user all wanted actions. */
    static boolean may(Principal who, Node node, int wanted) {
        if (isSuperuser(who)) {
            return true;
        }
        if (who.user().equals(node.owner())) {
            return (node.mode() >> 6 & wanted) == wanted;
        }
        List<AclEntry> entries = entries(node);
        if (entries.isEmpty()) {
            return (node.mode() >> (who.isIn(node.group()) ? 3 : 0) & wanted) == wanted;
        }
        List<AclEntry> own = entries.stream()
                .filter(entry ->
                        entry.type() == AclEntry.Type.USER && entry.name().equals(who.user()))
                .toList();
        List<AclEntry> groups = entries.stream()
                .filter(entry -> entry.type() == AclEntry.Type.GROUP
                        && who.isIn(entry.name().isEmpty() ? node.group() : entry.name()))
                .toList();
        if (own.isEmpty() && groups.isEmpty()) {
            return (node.mode() & wanted) == wanted;
        }
        // The mask is in place of the group's bits.
        int masked = wanted & node.mode() >> 3;
        return masked == wanted
                && (own.isEmpty() ? groups : own).stream().anyMatch(entry -> (entry.permission() & wanted) == wanted);
    }

    /** Returns the access entries, which apply to the node itself. */
    private static List<AclEntry> entries(Node node) {
        Acl acl = node.access().acl();
        return acl == null
                ? List.of()
                : acl.entries().stream().filter(entry -> !entry.isDefault()).toList();
    }

    /** Returns whether a directory on the path is not searchable, so nothing beyond it is revealed. */
    boolean hides(Operation<?> operation) {
        ErrorCode source = Answers.refusal(root, operation.path(), who);
        boolean reached = source == null || source == ErrorCode.NOT_FOUND;
        return source == ErrorCode.PERMISSION_DENIED
                || (reached
                        && operation instanceof NamespaceOperation.Rename rename
                        && Answers.refusal(root, rename.destination(), who) == ErrorCode.PERMISSION_DENIED);
    }

    /** Returns whether a write lacks permissions on existing nodes. */
    boolean deny(Operation<?> operation) {
        if (isSuperuser(who)) {
            return false;
        }
        FsPath path = operation.path();
        Node node = Answers.at(root, path, path.depth());
        if (operation instanceof FileOperation.Create create) {
            return denyCreate(create, node);
        }
        if (operation instanceof NamespaceOperation.Mkdirs) {
            return node == null && !mayWrite(ancestor(path));
        }
        if (operation instanceof NamespaceOperation.Delete) {
            return denyRemoval(path, node) || (node != null && !mayEmpty(node));
        }
        if (operation instanceof NamespaceOperation.Rename rename) {
            FsPath to = rename.destination();
            // Replacing removes the target; moves to nowhere, into an ancestor or over another kind are refused
            // earlier.
            boolean replaces = rename.mode() == RenameMode.OVERWRITE && node != null && !path.isAtOrBelow(to);
            Node there = replaces ? Answers.at(root, to, to.depth()) : null;
            boolean sticks = node != null
                    && there != null
                    && there.isDirectory() == node.isDirectory()
                    && sticks(ancestor(to), there);
            // Moving into a directory also requires search permission on it.
            Node entered = Answers.landing(root, rename).equals(to) ? null : Answers.at(root, to, to.depth());
            boolean closed = entered == null ? !mayWrite(ancestor(to)) : !may(who, entered, WRITE | SEARCH);
            return denyRemoval(path, node) || closed || sticks;
        }
        return node != null && denyChange(operation, node);
    }

    private boolean denyCreate(FileOperation.Create create, @Nullable Node node) {
        Node parent = ancestor(create.path());
        if (!mayWrite(parent)) {
            return true;
        }
        return node != null
                && !node.isDirectory()
                && create.overwrite()
                && (!may(who, node, WRITE) || sticks(parent, node));
    }

    private boolean denyChange(Operation<?> operation, Node node) {
        boolean owns = who.user().equals(node.owner());
        if (operation instanceof AttributeOperation.SetPermission
                || operation instanceof AttributeOperation.ChangeAcl) {
            return !owns;
        }
        if (operation instanceof AttributeOperation.SetOwner chown) {
            String owner = chown.owner();
            String group = chown.group();
            return !owns || (owner != null && !owner.equals(who.user())) || (group != null && !who.isIn(group));
        }
        return !may(who, node, WRITE);
    }

    /** Returns whether removing or moving away the node at a path is denied. */
    private boolean denyRemoval(FsPath path, @Nullable Node node) {
        Node parent = Answers.at(root, path, path.depth() - 1);
        return parent != null && (!mayWrite(parent) || (node != null && sticks(parent, node)));
    }

    private boolean mayWrite(Node directory) {
        return !directory.isDirectory() || may(who, directory, WRITE);
    }

    private boolean sticks(Node parent, Node node) {
        return (parent.mode() & INode.STICKY) != 0
                && !who.user().equals(parent.owner())
                && !who.user().equals(node.owner());
    }

    /** Returns whether all non-empty directories of a tree may be emptied. */
    private boolean mayEmpty(Node tree) {
        Deque<Node> left = new ArrayDeque<>();
        left.add(tree);
        while (!left.isEmpty()) {
            Node node = left.remove();
            if (node.size() > 0 && !may(who, node, ALL)) {
                return false;
            }
            for (int i = 0; i < node.size(); i++) {
                if (sticks(node, node.node(i))) {
                    return false;
                }
                left.add(node.node(i));
            }
        }
        return true;
    }

    /** Returns the deepest existing ancestor of a path. */
    private Node ancestor(FsPath path) {
        Node node = root;
        for (int i = 0; i < path.depth() - 1; i++) {
            Node child = node.child(path.name(i));
            if (child == null) {
                return node;
            }
            node = child;
        }
        return node;
    }
}
