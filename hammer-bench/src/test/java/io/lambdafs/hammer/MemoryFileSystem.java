package io.lambdafs.hammer;

import io.lambdafs.model.AttributeOperation;
import io.lambdafs.model.Attributes;
import io.lambdafs.model.BlockOperation;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FileOperation;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;
import io.lambdafs.model.NamespaceOperation;
import io.lambdafs.model.Operation;
import io.lambdafs.model.ReadOperation;
import io.lambdafs.model.Reply;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A correct file system in memory: every operation takes effect under one lock, before it returns. Thread-safe. */
public final class MemoryFileSystem implements Target, Operation.Visitor<Reply> {
    /** A file or directory; children in order of UTF-8 bytes. */
    private static final class Node {
        final boolean directory;
        final TreeMap<String, Node> children = new TreeMap<>(BY_CODE_POINTS);
        int mode;
        long size;
        long mtime;
        INode.Content kind = INode.Content.NONE;
        byte[] content = new byte[0];

        Node(boolean directory, int mode) {
            this.directory = directory;
            this.mode = mode;
        }
    }

    private static final Comparator<String> BY_CODE_POINTS =
            Comparator.comparing(name -> name.codePoints().toArray(), java.util.Arrays::compare);

    private final Node root = new Node(true, 0755);
    private long now = 1_000;

    @Override
    public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
        return CompletableFuture.completedFuture(apply(operation));
    }

    /** @throws FsException where the operation is refused */
    public synchronized <R extends Reply> R apply(Operation<R> operation) {
        now++;
        return operation.replyType().cast(operation.accept(this));
    }

    private Node find(FsPath path) {
        Node node = root;
        for (int i = 0; i < path.depth(); i++) {
            Node child = node.children.get(path.name(i));
            if (child == null) {
                throw new FsException(ErrorCode.NOT_FOUND, path + " does not exist");
            }
            node = child;
        }
        return node;
    }

    private Node directory(FsPath path) {
        Node node = find(path);
        if (!node.directory) {
            throw new FsException(ErrorCode.NOT_A_DIRECTORY, path + " is a file");
        }
        return node;
    }

    private static Attributes attributes(String name, Node node) {
        return new Attributes(
                name,
                System.identityHashCode(node),
                new INode.Traits(
                        node.directory ? INode.Kind.DIRECTORY : INode.Kind.FILE,
                        "user",
                        "group",
                        node.mode,
                        node.directory ? 0 : 1,
                        node.directory ? 0 : 1 << 20,
                        node.kind),
                node.size,
                node.mtime,
                node.mtime,
                node.children.size());
    }

    @Override
    public Reply stat(ReadOperation.Stat operation) {
        return new Reply.Status(attributes(operation.path().name(), find(operation.path())));
    }

    @Override
    public Reply list(ReadOperation.ListPage operation) {
        Node node = find(operation.path());
        if (!node.directory) {
            return new Reply.Page(List.of(attributes(operation.path().name(), node)), false);
        }
        List<Attributes> entries = new ArrayList<>();
        var rest =
                operation.startAfter().isEmpty() ? node.children : node.children.tailMap(operation.startAfter(), false);
        for (var entry : rest.entrySet()) {
            if (entries.size() == operation.limit()) {
                return new Reply.Page(entries, true);
            }
            entries.add(attributes(entry.getKey(), entry.getValue()));
        }
        return new Reply.Page(entries, false);
    }

    @Override
    public Reply open(ReadOperation.Open operation) {
        Node node = find(operation.path());
        if (node.kind == INode.Content.ABSENT) {
            throw new FsException(ErrorCode.NO_CONTENT, operation.path() + " has no content");
        }
        return new Reply.Opened(attributes(operation.path().name(), node), node.content);
    }

    @Override
    public Reply access(ReadOperation.Access operation) {
        find(operation.path());
        return Reply.Done.YES;
    }

    @Override
    public Reply mkdirs(NamespaceOperation.Mkdirs operation) {
        Node node = root;
        FsPath path = operation.path();
        for (int i = 0; i < path.depth(); i++) {
            Node child = node.children.get(path.name(i));
            if (child == null) {
                if (i < path.depth() - 1 && !operation.createParents()) {
                    throw new FsException(ErrorCode.NOT_FOUND, "no parent of " + path);
                }
                child = new Node(true, operation.mode());
                node.children.put(path.name(i), child);
            }
            node = child;
        }
        return Reply.Done.YES;
    }

    @Override
    public Reply create(FileOperation.Create operation) {
        if (operation.createParents()) {
            mkdirs(new NamespaceOperation.Mkdirs(operation.path().parent(), 0755, true));
        }
        Node parent = directory(operation.path().parent());
        String name = operation.path().name();
        Node there = parent.children.get(name);
        if (there != null && (there.directory || !operation.overwrite())) {
            throw new FsException(ErrorCode.ALREADY_EXISTS, operation.path() + " exists");
        }
        Node file = new Node(false, operation.mode());
        byte[] content = operation.content();
        FileOperation.Imported imported = operation.imported();
        file.mtime = imported == null ? now : imported.mtime();
        if (content != null) {
            file.content = content;
            file.size = content.length;
            file.kind = content.length == 0 ? INode.Content.NONE : INode.Content.INLINE;
        } else if (imported != null) {
            file.size = imported.size();
            file.kind = INode.Content.ABSENT;
        }
        parent.children.put(name, file);
        return new Reply.Status(attributes(name, file));
    }

    @Override
    public Reply complete(FileOperation.Complete operation) {
        throw new FsException(ErrorCode.UNSUPPORTED, "complete");
    }

    @Override
    public Reply addBlock(BlockOperation.AddBlock operation) {
        throw new FsException(ErrorCode.UNSUPPORTED, "addBlock");
    }

    @Override
    public Reply completeBlocks(BlockOperation.CompleteBlocks operation) {
        throw new FsException(ErrorCode.UNSUPPORTED, "completeBlocks");
    }

    @Override
    public Reply renewLease(BlockOperation.RenewLease operation) {
        throw new FsException(ErrorCode.UNSUPPORTED, "renewLease");
    }

    @Override
    public Reply abandon(BlockOperation.Abandon operation) {
        throw new FsException(ErrorCode.UNSUPPORTED, "abandon");
    }

    @Override
    public Reply truncate(BlockOperation.Truncate operation) {
        throw new FsException(ErrorCode.UNSUPPORTED, "truncate");
    }

    @Override
    public Reply concat(BlockOperation.Concat operation) {
        throw new FsException(ErrorCode.UNSUPPORTED, "concat");
    }

    @Override
    public Reply recoverLease(BlockOperation.RecoverLease operation) {
        throw new FsException(ErrorCode.UNSUPPORTED, "recoverLease");
    }

    @Override
    public Reply xattrs(ReadOperation.GetXattrs operation) {
        throw new FsException(ErrorCode.UNSUPPORTED, "getXattrs");
    }

    @Override
    public Reply setXattr(AttributeOperation.SetXattr operation) {
        throw new FsException(ErrorCode.UNSUPPORTED, "setXattr");
    }

    @Override
    public Reply safeMode(ReadOperation.GetSafeMode operation) {
        throw new FsException(ErrorCode.UNSUPPORTED, "getSafeMode");
    }

    @Override
    public Reply setSafeMode(AttributeOperation.SetSafeMode operation) {
        throw new FsException(ErrorCode.UNSUPPORTED, "setSafeMode");
    }

    @Override
    public Reply acl(ReadOperation.GetAcl operation) {
        throw new FsException(ErrorCode.UNSUPPORTED, "getAcl");
    }

    @Override
    public Reply changeAcl(AttributeOperation.ChangeAcl operation) {
        throw new FsException(ErrorCode.UNSUPPORTED, "changeAcl");
    }

    @Override
    public Reply removeXattr(AttributeOperation.RemoveXattr operation) {
        throw new FsException(ErrorCode.UNSUPPORTED, "removeXattr");
    }

    @Override
    public Reply takeLease(BlockOperation.TakeLease operation) {
        throw new FsException(ErrorCode.UNSUPPORTED, "takeLease");
    }

    @Override
    public Reply delete(NamespaceOperation.Delete operation) {
        Node node;
        try {
            node = find(operation.path());
        } catch (FsException none) {
            return Reply.Done.NO;
        }
        if (!node.children.isEmpty() && !operation.recursive()) {
            throw new FsException(ErrorCode.NOT_EMPTY, operation.path() + " is not empty");
        }
        directory(operation.path().parent()).children.remove(operation.path().name());
        return Reply.Done.YES;
    }

    @Override
    public Reply rename(NamespaceOperation.Rename operation) {
        Node from = directory(operation.path().parent());
        Node to = directory(operation.destination().parent());
        Node node = find(operation.path());
        if (to.children.containsKey(operation.destination().name())) {
            throw new FsException(ErrorCode.ALREADY_EXISTS, operation.destination() + " exists");
        }
        if (operation.destination().isAtOrBelow(operation.path())) {
            throw new FsException(ErrorCode.NOT_ALLOWED, "into itself");
        }
        from.children.remove(operation.path().name());
        to.children.put(operation.destination().name(), node);
        return Reply.Done.YES;
    }

    @Override
    public Reply setPermission(AttributeOperation.SetPermission operation) {
        find(operation.path()).mode = operation.mode();
        return Reply.Done.YES;
    }

    @Override
    public Reply setOwner(AttributeOperation.SetOwner operation) {
        throw new FsException(ErrorCode.UNSUPPORTED, "chown");
    }

    @Override
    public Reply setTimes(AttributeOperation.SetTimes operation) {
        throw new FsException(ErrorCode.UNSUPPORTED, "touch");
    }

    @Override
    public Reply setReplication(AttributeOperation.SetReplication operation) {
        throw new FsException(ErrorCode.UNSUPPORTED, "setrep");
    }
}
