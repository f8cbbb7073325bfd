package io.lambdafs.testing.history;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Computes and checks the answers of reads on a model tree. Stateless. */
final class Answers {
    private static final byte[] NOTHING = {};

    private Answers() {}

    /** Returns the node at a path, truncated to a depth; null if none. */
    static @Nullable Node at(Node from, FsPath path, int depth) {
        Node node = from;
        for (int i = 0; i < depth; i++) {
            Node child = node.child(path.name(i));
            if (child == null) {
                return null;
            }
            node = child;
        }
        return node;
    }

    /** Returns the final path of a rename's source. */
    static FsPath landing(Node root, NamespaceOperation.Rename rename) {
        FsPath to = rename.destination();
        Node there = rename.mode() == RenameMode.INTO ? at(root, to, to.depth()) : null;
        return there != null && there.isDirectory() ? to.child(rename.path().name()) : to;
    }

    /** Returns why a path cannot be reached; null if it exists. */
    static @Nullable ErrorCode refusal(Node root, FsPath path, @Nullable Principal who) {
        Node node = root;
        for (int i = 0; i < path.depth(); i++) {
            if (!node.isDirectory()) {
                return ErrorCode.NOT_A_DIRECTORY;
            }
            if (who != null && !Rights.may(who, node, 1)) {
                return ErrorCode.PERMISSION_DENIED;
            }
            Node child = node.child(path.name(i));
            if (child == null) {
                return ErrorCode.NOT_FOUND;
            }
            node = child;
        }
        return null;
    }

    /** Returns whether this tree explains the answer of a read. */
    static boolean explain(Node root, Event event) {
        Principal who = event.caller();
        Operation<?> operation = event.operation();
        Reply reply = event.reply();
        FsPath path = operation.path();
        ErrorCode refusal = refusal(root, path, who);
        if (refusal == ErrorCode.NOT_A_DIRECTORY) {
            refusal = who.user().equals("root") ? ErrorCode.NOT_FOUND : ErrorCode.PERMISSION_DENIED;
        }
        Node node = at(root, path, path.depth());
        if (refusal == null && node != null) {
            refusal = refusalOf(who, operation, node);
        }
        if (refusal != null || node == null || reply instanceof Reply.Failure) {
            return reply instanceof Reply.Failure failure && failure.code() == refusal;
        }
        if (reply instanceof Reply.Status status) {
            return show(status.attributes(), node);
        }
        if (reply instanceof Reply.Opened opened) {
            // A file in blocks has no other content, and is empty because no blocks are written here.
            byte[] content = opened.content() == null ? NOTHING : opened.content();
            return show(opened.attributes(), node)
                    && node.content().equals(new String(content, StandardCharsets.UTF_8));
        }
        if (reply instanceof Reply.AclStatus acl) {
            return acl.equals(Reply.AclStatus.of(node.access().node(node.isDirectory())));
        }
        return reply instanceof Reply.Page page && lists(page, (ReadOperation.ListPage) operation, node);
    }

    private static @Nullable ErrorCode refusalOf(Principal who, Operation<?> operation, Node node) {
        if (operation instanceof ReadOperation.Open) {
            return node.isDirectory()
                    ? ErrorCode.IS_A_DIRECTORY
                    : Rights.may(who, node, 4) ? null : ErrorCode.PERMISSION_DENIED;
        }
        boolean listing = operation instanceof ReadOperation.ListPage && node.isDirectory();
        return !listing || Rights.may(who, node, 5) ? null : ErrorCode.PERMISSION_DENIED;
    }

    /** Returns whether attributes match a node. */
    static boolean show(Attributes shown, Node node) {
        // A file's sticky bit has no meaning.
        int bits = node.isDirectory() ? 01777 : 0777;
        boolean alike = shown.isDirectory() == node.isDirectory()
                && (shown.mode() & bits) == (node.mode() & bits)
                && shown.owner().equals(node.owner())
                && shown.group().equals(node.group())
                && shown.hasAcl() == (node.access().acl() != null)
                && node.changedAt(shown.mtime());
        if (!alike) {
            return false;
        }
        if (node.isDirectory()) {
            return shown.children() == node.size();
        }
        return shown.kind() == INode.Kind.FILE
                && shown.size() == node.content().length()
                && shown.replication() == node.replication();
    }

    private static boolean lists(Reply.Page page, ReadOperation.ListPage operation, Node node) {
        List<Attributes> entries = page.entries();
        if (!node.isDirectory()) {
            return entries.size() == 1
                    && entries.get(0).name().equals(operation.path().name())
                    && show(entries.get(0), node);
        }
        int from = 0;
        while (from < node.size() && node.name(from).compareTo(operation.startAfter()) <= 0) {
            from++;
        }
        int count = Math.min(node.size() - from, operation.limit());
        if (entries.size() != count || page.more() != (from + count < node.size())) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            Attributes entry = entries.get(i);
            if (!entry.name().equals(node.name(from + i)) || !show(entry, node.node(from + i))) {
                return false;
            }
        }
        return true;
    }
}
