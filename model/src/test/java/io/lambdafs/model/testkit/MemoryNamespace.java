package io.lambdafs.model.testkit;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Utf8Order;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.BulkDelete;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A correct namespace in memory, for tests of what asks a service. Every operation takes effect under one lock; rights count for {@code access} alone.
 * It keeps small files, and refuses what needs a datanode, an ACL, an extended attribute, or a lease. Thread-safe.
 */
public final class MemoryNamespace implements Operation.Visitor<Reply> {
    private static final int INLINE_LIMIT = 64 << 10;

    /** A file or directory. */
    private static final class Node {
        final TreeMap<String, Node> children = new TreeMap<>(Utf8Order::compare);
        INode inode;
        byte @Nullable [] content;

        Node(INode inode) {
            this.inode = inode;
        }

        Attributes attributes() {
            return Attributes.of(inode, new DirectoryStats(children.size(), inode.mtime()));
        }
    }

    private Principal caller = new Principal("nobody", List.of());
    private long ids = INode.ROOT_ID;
    private long now = 1_000;
    private final Node root = new Node(inode("", INode.Kind.DIRECTORY, 0755, 0, 0, INode.Content.NONE));
    private @Nullable FsException failure;
    private int asked;

    /** Answers every operation with a failure from now on; null answers truly again. */
    public synchronized void fail(@Nullable FsException with) {
        failure = with;
    }

    /** @throws FsException where the operation is refused */
    public synchronized <R extends Reply> R answer(Principal by, Operation<R> operation) {
        if (failure != null) {
            throw failure;
        }
        caller = by;
        asked++;
        now++;
        return operation.replyType().cast(operation.accept(this));
    }

    /** Operations so far. */
    public synchronized int asked() {
        return asked;
    }

    /** Who asked last. */
    public synchronized Principal caller() {
        return caller;
    }

    /** @throws FsException {@code NOT_FOUND} */
    public synchronized Attributes attributes(String path) {
        return node(FsPath.of(path)).attributes();
    }

    public synchronized boolean exists(String path) {
        return find(FsPath.of(path)) != null;
    }

    private INode inode(
            String name, INode.Kind kind, int mode, int replication, long blockSize, INode.Content content) {
        String group = caller.groups().isEmpty() ? "none" : caller.groups().get(0);
        INode.Traits traits = new INode.Traits(kind, caller.user(), group, mode, replication, blockSize, content);
        return new INode(0, name, ids++, traits, 0, now, kind == INode.Kind.FILE ? now : 0, 0);
    }

    private @Nullable Node find(FsPath path) {
        Node node = root;
        for (int i = 0; i < path.depth() && node != null; i++) {
            node = node.children.get(path.name(i));
        }
        return node;
    }

    private Node node(FsPath path) {
        Node node = find(path);
        if (node == null) {
            throw new FsException(ErrorCode.NOT_FOUND, "there is no " + path);
        }
        return node;
    }

    private Node parentOf(FsPath path) {
        Node parent = node(path.parent());
        if (!parent.inode.isDirectory()) {
            throw new FsException(ErrorCode.NOT_A_DIRECTORY, path.parent() + " is a file");
        }
        return parent;
    }

    /** The directory, made with what is missing above it where the caller wants that. */
    private Node directory(FsPath path, int mode, boolean createParents) {
        Node node = root;
        for (int i = 0; i < path.depth(); i++) {
            boolean last = i == path.depth() - 1;
            Node child = node.children.get(path.name(i));
            if (child == null && !last && !createParents) {
                throw new FsException(ErrorCode.NOT_FOUND, "there is no parent of " + path);
            }
            if (child == null) {
                child = new Node(
                        inode(path.name(i), INode.Kind.DIRECTORY, last ? mode : 0755, 0, 0, INode.Content.NONE));
                node.children.put(path.name(i), child);
            } else if (!child.inode.isDirectory()) {
                throw new FsException(ErrorCode.NOT_A_DIRECTORY, "a file is on the way to " + path);
            }
            node = child;
        }
        return node;
    }

    private static FsException unsupported(String what) {
        return new FsException(ErrorCode.UNSUPPORTED, what);
    }

    private static FsException needsDatanode(String what) {
        return new FsException(ErrorCode.NEEDS_DATANODE, what + " needs a datanode");
    }

    @Override
    public Reply stat(ReadOperation.Stat operation) {
        return new Reply.Status(node(operation.path()).attributes());
    }

    @Override
    public Reply list(ReadOperation.ListPage operation) {
        Node listed = node(operation.path());
        if (!listed.inode.isDirectory()) {
            return new Reply.Page(List.of(listed.attributes()), false);
        }
        List<Attributes> entries = new ArrayList<>();
        String after = operation.startAfter();
        for (Node child : (after.isEmpty() ? listed.children : listed.children.tailMap(after, false)).values()) {
            if (entries.size() == operation.limit()) {
                return new Reply.Page(entries, true);
            }
            entries.add(child.attributes());
        }
        return new Reply.Page(entries, false);
    }

    @Override
    public Reply listEach(ReadOperation.ListEach operation) {
        List<Reply> outcomes = new ArrayList<>();
        int left = operation.limit();
        for (FsPath path : operation.paths()) {
            Reply outcome;
            try {
                Reply.Page page = (Reply.Page) list(operation.page(path));
                left -= page.entries().size();
                outcome = page;
            } catch (FsException e) {
                outcome = Reply.Failure.of(e);
            }
            if (left < 0 && !outcomes.isEmpty()) {
                break;
            }
            outcomes.add(outcome);
        }
        return new Reply.Outcomes(outcomes);
    }

    @Override
    public Reply open(ReadOperation.Open operation) {
        Node file = node(operation.path());
        if (file.inode.isDirectory()) {
            throw new FsException(ErrorCode.IS_A_DIRECTORY, operation.path() + " is a directory");
        }
        if (file.inode.content() == INode.Content.ABSENT) {
            throw new FsException(ErrorCode.NO_CONTENT, operation.path() + " has no content");
        }
        return new Reply.Opened(file.attributes(), file.content);
    }

    @Override
    public Reply access(ReadOperation.Access operation) {
        INode inode = node(operation.path()).inode;
        int shift = caller.user().equals(inode.owner()) ? 6 : caller.isIn(inode.group()) ? 3 : 0;
        if (!caller.isSuperuser() && (inode.mode() >> shift & operation.wanted()) != operation.wanted()) {
            throw new FsException(ErrorCode.PERMISSION_DENIED, caller.user() + " may not");
        }
        return Reply.Done.YES;
    }

    @Override
    public Reply mkdirs(NamespaceOperation.Mkdirs operation) {
        Node known = find(operation.path());
        if (known != null && !known.inode.isDirectory()) {
            throw new FsException(ErrorCode.ALREADY_EXISTS, operation.path() + " is a file");
        }
        directory(operation.path(), operation.mode(), operation.createParents());
        return Reply.Done.YES;
    }

    @Override
    public Reply create(FileOperation.Create operation) {
        FsPath path = operation.path();
        Node known = find(path);
        if (known != null && known.inode.isDirectory()) {
            throw new FsException(ErrorCode.IS_A_DIRECTORY, path + " is a directory");
        }
        if (known != null && !operation.overwrite()) {
            throw new FsException(ErrorCode.ALREADY_EXISTS, path + " is there");
        }
        if (operation.createParents()) {
            directory(path.parent(), 0755, true);
        }
        FileOperation.Imported imported = operation.imported();
        Node file = new Node(inode(
                path.name(),
                INode.Kind.FILE,
                operation.mode(),
                operation.replication(),
                operation.blockSize(),
                INode.Content.NONE));
        long mtime = imported == null ? now : imported.mtime();
        if (operation.content() != null) {
            fill(file, operation.content(), mtime);
        } else if (imported != null) {
            file.inode = file.inode.withContent(INode.Content.ABSENT, 0, imported.size(), mtime);
        }
        parentOf(path).children.put(path.name(), file);
        return new Reply.Status(file.attributes());
    }

    private static void fill(Node file, byte[] content, long mtime) {
        file.content = content.length == 0 ? null : content;
        file.inode = content.length == 0
                ? file.inode.withContent(INode.Content.NONE, 0, 0, mtime)
                : file.inode.withContent(INode.Content.INLINE, INode.INLINE_CONTENT, content.length, mtime);
    }

    private @Nullable Node byId(Node above, long id) {
        for (Node child : above.children.values()) {
            Node found = child.inode.id() == id ? child : byId(child, id);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static boolean removeById(Node above, long id) {
        return above.children.values().removeIf(child -> child.inode.id() == id)
                || above.children.values().stream().anyMatch(child -> removeById(child, id));
    }

    @Override
    public Reply complete(FileOperation.Complete operation) {
        Node file = byId(root, operation.file().id());
        if (file == null) {
            throw new FsException(ErrorCode.NOT_FOUND, operation.path() + " is gone");
        }
        if (operation.content().length > INLINE_LIMIT) {
            throw needsDatanode(operation.content().length + " bytes");
        }
        fill(file, operation.content(), now);
        return new Reply.Status(file.attributes());
    }

    @Override
    public Reply abandon(BlockOperation.Abandon operation) {
        return new Reply.Done(removeById(root, operation.file().id()));
    }

    @Override
    public Reply delete(NamespaceOperation.Delete operation) {
        Node node = find(operation.path());
        if (node == null) {
            return Reply.Done.NO;
        }
        if (!node.children.isEmpty() && !operation.recursive()) {
            throw new FsException(ErrorCode.NOT_EMPTY, operation.path() + " is not empty");
        }
        if (operation.path().isRoot()) {
            throw new FsException(ErrorCode.NOT_ALLOWED, "the root stays");
        }
        parentOf(operation.path()).children.remove(operation.path().name());
        return Reply.Done.YES;
    }

    @Override
    public Reply bulkDelete(BulkDelete operation) {
        List<Reply> outcomes = new ArrayList<>();
        for (FsPath path : operation.paths()) {
            try {
                outcomes.add(delete(new NamespaceOperation.Delete(path, false)));
            } catch (FsException e) {
                outcomes.add(Reply.Failure.of(e));
            }
        }
        return new Reply.Outcomes(outcomes);
    }

    @Override
    public Reply rename(NamespaceOperation.Rename operation) {
        FsPath target = operation.destination();
        boolean into = operation.mode() == Operation.RenameMode.INTO;
        if (into && find(operation.path()) == null) {
            return Reply.Done.NO;
        }
        Node moved = node(operation.path());
        Node there = find(target);
        if (into && there != null && there.inode.isDirectory()) {
            target = target.child(operation.path().name());
        } else if (there != null && operation.mode() == Operation.RenameMode.STRICT) {
            throw new FsException(ErrorCode.ALREADY_EXISTS, target + " is there");
        }
        if (target.isAtOrBelow(operation.path())) {
            throw new FsException(ErrorCode.NOT_ALLOWED, "into itself");
        }
        Node to = parentOf(target);
        parentOf(operation.path()).children.remove(operation.path().name());
        moved.inode = moved.inode.withLocation(0, target.name());
        to.children.put(target.name(), moved);
        return Reply.Done.YES;
    }

    private Reply change(FsPath path, UnaryOperator<INode> how) {
        Node node = node(path);
        node.inode = how.apply(node.inode);
        return Reply.Done.YES;
    }

    @Override
    public Reply setPermission(AttributeOperation.SetPermission operation) {
        return change(operation.path(), inode -> inode.withMode(operation.mode()));
    }

    @Override
    public Reply setOwner(AttributeOperation.SetOwner operation) {
        String owner = operation.owner();
        String group = operation.group();
        return change(
                operation.path(),
                inode -> inode.withOwner(owner == null ? inode.owner() : owner, group == null ? inode.group() : group));
    }

    @Override
    public Reply setTimes(AttributeOperation.SetTimes operation) {
        return change(
                operation.path(),
                inode -> inode.withTimes(
                        operation.mtime() < 0 ? inode.mtime() : operation.mtime(),
                        operation.atime() < 0 ? inode.atime() : operation.atime()));
    }

    @Override
    public Reply setReplication(AttributeOperation.SetReplication operation) {
        return change(operation.path(), inode -> inode.withReplication(operation.replication()));
    }

    @Override
    public Reply addBlock(BlockOperation.AddBlock operation) {
        throw needsDatanode("addBlock");
    }

    @Override
    public Reply completeBlocks(BlockOperation.CompleteBlocks operation) {
        throw needsDatanode("completeBlocks");
    }

    @Override
    public Reply renewLease(BlockOperation.RenewLease operation) {
        throw needsDatanode("renewLease");
    }

    @Override
    public Reply takeLease(BlockOperation.TakeLease operation) {
        throw unsupported("takeLease");
    }

    @Override
    public Reply recoverLease(BlockOperation.RecoverLease operation) {
        throw unsupported("recoverLease");
    }

    @Override
    public Reply truncate(BlockOperation.Truncate operation) {
        throw unsupported("truncate");
    }

    @Override
    public Reply concat(BlockOperation.Concat operation) {
        throw unsupported("concat");
    }

    @Override
    public Reply xattrs(ReadOperation.GetXattrs operation) {
        throw unsupported("getXattrs");
    }

    @Override
    public Reply setXattr(AttributeOperation.SetXattr operation) {
        throw unsupported("setXattr");
    }

    @Override
    public Reply removeXattr(AttributeOperation.RemoveXattr operation) {
        throw unsupported("removeXattr");
    }

    @Override
    public Reply acl(ReadOperation.GetAcl operation) {
        throw unsupported("getAcl");
    }

    @Override
    public Reply changeAcl(AttributeOperation.ChangeAcl operation) {
        throw unsupported("changeAcl");
    }

    @Override
    public Reply safeMode(ReadOperation.GetSafeMode operation) {
        throw unsupported("getSafeMode");
    }

    @Override
    public Reply setSafeMode(AttributeOperation.SetSafeMode operation) {
        throw unsupported("setSafeMode");
    }

    @Override
    public Reply storagePolicy(ReadOperation.GetStoragePolicy operation) {
        throw unsupported("getStoragePolicy");
    }

    @Override
    public Reply listDamaged(ReadOperation.ListDamaged operation) {
        throw unsupported("listDamaged");
    }

    @Override
    public Reply totals(ReadOperation.GetTotals operation) {
        throw unsupported("getTotals");
    }

    @Override
    public Reply diffSnapshots(ReadOperation.DiffSnapshots operation) {
        throw unsupported("diffSnapshots");
    }

    @Override
    public Reply changeSnapshots(AttributeOperation.ChangeSnapshots operation) {
        throw unsupported("changeSnapshots");
    }

    @Override
    public Reply setQuota(AttributeOperation.SetQuota operation) {
        throw unsupported("setQuota");
    }

    @Override
    public Reply setStoragePolicy(AttributeOperation.SetStoragePolicy operation) {
        throw unsupported("setStoragePolicy");
    }
}
