package io.lambdafs.testing.history;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.AclRules;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.Reply;
import org.jspecify.annotations.Nullable;

/**
 * The reference model of a file system, as simple as possible: the answer and effect of each operation. Its superuser
 * is {@code root}. Immutable.
 */
public final class ModelFs {
    private static final ModelFs EMPTY =
            new ModelFs(Node.directory(new Node.Access("root", Principal.SUPERGROUP, 0755), 0));

    private final Node root;

    private ModelFs(Node root) {
        this.root = root;
    }

    /** Returns the root directory with everything below it. */
    Node root() {
        return root;
    }

    /** Returns the empty file system. */
    public static ModelFs empty() {
        return EMPTY;
    }

    /** The outcome of an operation: a refusal, or a result with the new state and the completed file. */
    private record Step(
            @Nullable ErrorCode refusal,
            @Nullable Boolean changed,
            Node after,
            @Nullable Node written) {}

    private Step refused(ErrorCode code) {
        return new Step(code, null, root, null);
    }

    private Step done(boolean changed, Node after) {
        return new Step(null, changed, after, null);
    }

    /**
     * Returns the file system after an operation with its answer.
     *
     * @param event with a null reply if the answer is unknown
     * @return this object if nothing changed; null if the answer would have been different
     */
    @Nullable
    ModelFs after(Event event) {
        Operation<?> operation = event.operation();
        Reply reply = event.reply();
        if (!operation.isWrite()) {
            return reply == null || Answers.explain(root, event) ? this : null;
        }
        Rights rights = new Rights(root, event.caller());
        if (rights.hides(operation) || rights.deny(operation)) {
            return reply == null || isDenied(reply) ? this : null;
        }
        Step step = new Change(event).write();
        if (reply != null && !agrees(step, operation, reply)) {
            return null;
        }
        return step.after().equals(root) ? this : new ModelFs(step.after());
    }

    /** Returns the refusal below a file: creates get NOT_A_DIRECTORY, others are denied search. */
    private static ErrorCode belowFile(ErrorCode refusal) {
        return refusal == ErrorCode.NOT_A_DIRECTORY ? ErrorCode.PERMISSION_DENIED : refusal;
    }

    private static boolean isDenied(Reply reply) {
        return reply instanceof Reply.Failure failure && failure.code() == ErrorCode.PERMISSION_DENIED;
    }

    private boolean agrees(Step step, Operation<?> operation, Reply reply) {
        if (reply instanceof Reply.Failure failure) {
            return failure.code() == step.refusal();
        }
        if (step.refusal() != null) {
            return false;
        }
        if (reply instanceof Reply.Done done) {
            return step.changed() != null && done.changed() == step.changed();
        }
        Node made = operation instanceof FileOperation.Complete
                ? step.written()
                : Answers.at(step.after(), operation.path(), operation.path().depth());
        return reply instanceof Reply.Status status && made != null && Answers.show(status.attributes(), made);
    }

    private Node existing(FsPath path) {
        return at(root, path);
    }

    private static Node at(Node from, FsPath path) {
        Node node = Answers.at(from, path, path.depth());
        if (node == null) {
            throw new IllegalStateException(path + " is not there");
        }
        return node;
    }

    /** Returns why a path is not a directory; null if it is. */
    private @Nullable ErrorCode directory(FsPath path) {
        ErrorCode refusal = Answers.refusal(root, path, null);
        return refusal != null ? refusal : existing(path).isDirectory() ? null : ErrorCode.NOT_A_DIRECTORY;
    }

    private static Node put(Node from, FsPath path, Node node) {
        return put(from, path, 0, node);
    }

    private static Node put(Node from, FsPath path, int depth, Node node) {
        if (depth == path.depth()) {
            return node;
        }
        Node child = from.child(path.name(depth));
        if (child == null) {
            if (depth < path.depth() - 1) {
                throw new IllegalStateException("nothing is above " + path);
            }
            child = node;
        }
        return from.with(path.name(depth), put(child, path, depth + 1, node));
    }

    private static Node remove(Node from, FsPath path, int depth) {
        if (depth == path.depth() - 1) {
            return from.without(path.name(depth));
        }
        Node child = from.child(path.name(depth));
        return child == null ? from : from.with(path.name(depth), remove(child, path, depth + 1));
    }

    /** Returns the depth of the deepest existing node on a path, up to a limit. */
    private int deepest(FsPath path, int limit) {
        int depth = 0;
        while (depth < limit && Answers.at(root, path, depth + 1) != null) {
            depth++;
        }
        return depth;
    }

    /** Applies one write to this file system, ignoring permissions. */
    private final class Change {
        private final Event event;
        private final long notBefore;

        Change(Event event) {
            this.event = event;
            this.notBefore = event.earliestMillis();
        }

        Step write() {
            Operation<?> operation = event.operation();
            if (operation instanceof FileOperation.Create create) {
                return create(create, event.content());
            }
            if (operation instanceof FileOperation.Complete) {
                return complete();
            }
            if (operation instanceof NamespaceOperation.Mkdirs mkdirs) {
                return mkdirs(mkdirs.path(), mkdirs.mode(), mkdirs.unmasked());
            }
            if (operation instanceof NamespaceOperation.Delete delete) {
                return delete(delete);
            }
            if (operation instanceof NamespaceOperation.Rename rename) {
                return rename.mode() == RenameMode.INTO ? renameInto(rename) : rename(rename);
            }
            ErrorCode refusal = Answers.refusal(root, operation.path(), null);
            if (refusal == ErrorCode.NOT_FOUND && operation instanceof AttributeOperation.SetReplication) {
                return done(false, root);
            }
            if (refusal != null) {
                return refused(belowFile(refusal));
            }
            return change(operation);
        }

        private Step change(Operation<?> operation) {
            FsPath path = operation.path();
            Node node = existing(path);
            if (operation instanceof AttributeOperation.SetPermission chmod) {
                return done(true, put(root, path, node.with(node.access().withMode(chmod.mode()))));
            }
            if (operation instanceof AttributeOperation.SetOwner chown) {
                String owner = chown.owner() == null ? node.owner() : chown.owner();
                String group = chown.group() == null ? node.group() : chown.group();
                return done(true, put(root, path, node.with(node.access().withOwner(owner, group))));
            }
            if (operation instanceof AttributeOperation.ChangeAcl acl) {
                return changeAcl(acl, node);
            }
            if (operation instanceof AttributeOperation.SetTimes times) {
                return done(true, put(root, path, node.withTime(times.mtime())));
            }
            if (operation instanceof AttributeOperation.SetReplication set) {
                return node.isDirectory()
                        ? done(false, root)
                        : done(true, put(root, path, node.withReplication(set.replication())));
            }
            if (operation instanceof BlockOperation.Truncate truncate) {
                return truncate(path, node, truncate.length());
            }
            throw new IllegalArgumentException("the model does not know " + operation);
        }

        private Step changeAcl(AttributeOperation.ChangeAcl acl, Node node) {
            try {
                INode before = node.access().node(node.isDirectory());
                INode after = AclRules.change(before, acl.path(), acl.change(), acl.entries());
                return done(true, put(root, acl.path(), node.with(Node.Access.of(after))));
            } catch (FsException refused) {
                return refused(refused.code());
            }
        }

        private Step truncate(FsPath path, Node node, long length) {
            String content = node.content();
            if (node.isDirectory() || content.length() < length) {
                return refused(node.isDirectory() ? ErrorCode.IS_A_DIRECTORY : ErrorCode.INVALID_ARGUMENT);
            }
            return content.length() == length
                    ? done(true, root)
                    : done(true, put(root, path, node.withContent(content.substring(0, (int) length), notBefore)));
        }

        /** Returns the tree with a directory's children changed now. */
        private Node touched(Node from, FsPath directory) {
            Node node = Answers.at(from, directory, directory.depth());
            return node == null ? from : put(from, directory, node.touched(notBefore));
        }

        private Node.Access made(Node parent, String group, int mode, int unmasked, boolean directory) {
            INode made = new Node.Access(event.caller().user(), group, mode).node(directory);
            return Node.Access.of(AclRules.inherit(parent.access().node(true), made, unmasked));
        }

        private Node withParents(FsPath path, int base, int mode, int unmasked) {
            Node above = existing(path.ancestor(base));
            Node result = touched(root, path.ancestor(base));
            for (int depth = base + 1; depth < path.depth(); depth++) {
                Node.Access access = made(above, above.group(), (mode & 0777) | 0300, unmasked, true);
                above = Node.directory(access, notBefore);
                result = put(result, path.ancestor(depth), above);
            }
            return result;
        }

        private Step mkdirs(FsPath path, int mode, int unmasked) {
            int base = deepest(path, path.depth());
            Node there = existing(path.ancestor(base));
            if (!there.isDirectory()) {
                return refused(base == path.depth() ? ErrorCode.ALREADY_EXISTS : ErrorCode.NOT_A_DIRECTORY);
            }
            if (base == path.depth()) {
                return done(true, root);
            }
            Node parents = withParents(path, base, mode, unmasked);
            Node above = at(parents, path.parent());
            Node made = Node.directory(made(above, there.group(), mode, unmasked, true), notBefore);
            return done(true, put(parents, path, made));
        }

        private Step create(FileOperation.Create create, String content) {
            FsPath path = create.path();
            int base = deepest(path, path.depth());
            Node there = existing(path.ancestor(base));
            if (base < path.depth() && !there.isDirectory()) {
                return refused(ErrorCode.NOT_A_DIRECTORY);
            }
            if (base == path.depth() && (there.isDirectory() || !create.overwrite())) {
                return refused(ErrorCode.ALREADY_EXISTS);
            }
            int parents = Math.min(base, path.depth() - 1);
            if (!create.createParents() && parents < path.depth() - 1) {
                return refused(ErrorCode.NOT_FOUND);
            }
            int inherited = (existing(path.ancestor(parents)).mode() & 0777) | 0300;
            Node made = withParents(path, parents, inherited, inherited);
            Node above = at(made, path.parent());
            Node file = Node.file(
                    content,
                    made(above, above.group(), create.mode(), create.unmasked(), false),
                    create.replication(),
                    content.isEmpty() ? event.writer() : 0,
                    notBefore);
            return done(true, put(made, path, file));
        }

        /** Gives the content to the created file, wherever it is, and to no other. */
        private Step complete() {
            Node written = open(root, event.writer());
            if (written == null) {
                return refused(ErrorCode.NOT_FOUND);
            }
            Node closed = written.withContent(event.content(), notBefore);
            return new Step(null, null, replace(root, written, closed), closed);
        }

        private Step delete(NamespaceOperation.Delete delete) {
            FsPath path = delete.path();
            ErrorCode refusal = directory(path.parent());
            if (refusal != null) {
                return refusal == ErrorCode.NOT_FOUND ? done(false, root) : refused(belowFile(refusal));
            }
            Node there = Answers.at(root, path, path.depth());
            if (there == null) {
                return done(false, root);
            }
            if (there.isDirectory() && !delete.recursive() && there.size() > 0) {
                return refused(ErrorCode.NOT_EMPTY);
            }
            return done(true, touched(remove(root, path, 0), path.parent()));
        }

        /** HDFS's legacy rename: into a directory if the destination is one, and false instead of most refusals. */
        private Step renameInto(NamespaceOperation.Rename rename) {
            FsPath from = rename.path();
            FsPath to = Answers.landing(root, rename);
            if (to.equals(from) && Answers.at(root, from, from.depth()) != null) {
                return done(true, root);
            }
            Step strict = rename(new NamespaceOperation.Rename(from, to, RenameMode.STRICT));
            boolean belowFile = directory(from.parent()) == ErrorCode.NOT_A_DIRECTORY
                    || directory(to.parent()) == ErrorCode.NOT_A_DIRECTORY;
            return strict.refusal() == null || belowFile ? strict : done(false, root);
        }

        private Step rename(NamespaceOperation.Rename rename) {
            FsPath from = rename.path();
            FsPath to = rename.destination();
            Node moved = Answers.at(root, from, from.depth());
            ErrorCode refusal = directory(from.parent());
            ErrorCode other = directory(to.parent());
            if (refusal == ErrorCode.NOT_A_DIRECTORY) {
                return refused(belowFile(refusal));
            }
            if (other == ErrorCode.NOT_A_DIRECTORY) {
                return refused(other);
            }
            if (moved == null) {
                return refused(ErrorCode.NOT_FOUND);
            }
            if (to.isAtOrBelow(from) && !to.equals(from)) {
                return refused(ErrorCode.NOT_ALLOWED);
            }
            if (other != null) {
                return refused(other);
            }
            if (to.equals(from)) {
                return refused(ErrorCode.ALREADY_EXISTS);
            }
            Node there = Answers.at(root, to, to.depth());
            refusal = there == null ? null : replacing(rename.mode(), moved, there);
            if (refusal != null) {
                return refused(refusal);
            }
            Node after = put(touched(remove(root, from, 0), from.parent()), to, moved);
            return done(true, touched(after, to.parent()));
        }
    }

    private static @Nullable Node open(Node from, long writer) {
        if (from.writer() == writer) {
            return from;
        }
        for (int i = 0; i < from.size(); i++) {
            Node found = open(from.node(i), writer);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    @SuppressWarnings("ReferenceEquality") // Compares identity, not equality.
    private static Node replace(Node from, Node old, Node other) {
        if (from == old) {
            return other;
        }
        Node result = from;
        for (int i = 0; i < from.size(); i++) {
            Node child = replace(from.node(i), old, other);
            if (child != from.node(i)) {
                result = result.with(from.name(i), child);
            }
        }
        return result;
    }

    private static @Nullable ErrorCode replacing(RenameMode mode, Node moved, Node there) {
        if (moved.isDirectory() != there.isDirectory()) {
            return moved.isDirectory() ? ErrorCode.NOT_A_DIRECTORY : ErrorCode.IS_A_DIRECTORY;
        }
        if (mode != RenameMode.OVERWRITE) {
            return ErrorCode.ALREADY_EXISTS;
        }
        return there.isDirectory() && there.size() > 0 ? ErrorCode.NOT_EMPTY : null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ModelFs model && root.equals(model.root);
    }

    @Override
    public int hashCode() {
        return root.hashCode();
    }

    @Override
    public String toString() {
        return root.toString();
    }
}
