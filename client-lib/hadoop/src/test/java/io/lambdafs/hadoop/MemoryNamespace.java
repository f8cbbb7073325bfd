package io.lambdafs.hadoop;

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
import io.lambdafs.model.Principal;
import io.lambdafs.model.ReadOperation;
import io.lambdafs.model.Reply;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** As much of a namespace as the tests of Hadoop's face need: its rules are the model's, without permissions. Thread-safe. */
final class MemoryNamespace implements Operation.Visitor<Reply> {
    private static final int INLINE_LIMIT = 64 << 10;

    @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
    private record Node(Attributes attributes, byte @Nullable [] content) {}

    private final Map<FsPath, Node> nodes = new TreeMap<>();
    private Principal caller = new Principal("nobody", List.of());
    private @Nullable FsException failure;
    private long ids = 1_000;
    private int asked;

    MemoryNamespace() {
        nodes.put(FsPath.ROOT, directory(FsPath.ROOT, 0755));
    }

    /** Answers every operation with a failure from now on; null answers truly again. */
    synchronized void fail(@Nullable FsException with) {
        failure = with;
    }

    synchronized Reply answer(Principal by, Operation<?> operation) {
        if (failure != null) {
            throw failure;
        }
        caller = by;
        asked++;
        return operation.accept(this);
    }

    /** Operations so far. */
    synchronized int asked() {
        return asked;
    }

    /** Who asked last. */
    synchronized Principal caller() {
        return caller;
    }

    synchronized Attributes attributes(String path) {
        return node(FsPath.of(path)).attributes();
    }

    synchronized boolean exists(String path) {
        return nodes.containsKey(FsPath.of(path));
    }

    private String group() {
        return caller.groups().isEmpty() ? "none" : caller.groups().get(0);
    }

    private Node directory(FsPath path, int mode) {
        return new Node(
                new Attributes(
                        path.name(),
                        ids++,
                        new INode.Traits(INode.Kind.DIRECTORY, caller.user(), group(), mode, 0, 0, INode.Content.NONE),
                        0,
                        5_000,
                        0,
                        0),
                null);
    }

    private Node node(FsPath path) {
        Node node = nodes.get(path);
        if (node == null) {
            throw new FsException(ErrorCode.NOT_FOUND, "there is no " + path);
        }
        return node;
    }

    private void makeParents(FsPath path, boolean create) {
        FsPath parent = path.parent();
        Node known = nodes.get(parent);
        if (known == null && create) {
            makeParents(parent, true);
            nodes.put(parent, directory(parent, 0755));
        } else if (!node(parent).attributes().isDirectory()) {
            throw new FsException(ErrorCode.NOT_A_DIRECTORY, parent + " is not a directory");
        }
    }

    @Override
    public Reply stat(ReadOperation.Stat operation) {
        return new Reply.Status(node(operation.path()).attributes());
    }

    @Override
    public Reply list(ReadOperation.ListPage operation) {
        Attributes listed = node(operation.path()).attributes();
        if (!listed.isDirectory()) {
            return new Reply.Page(List.of(listed), false);
        }
        List<Attributes> rest = nodes.entrySet().stream()
                .filter(entry ->
                        !entry.getKey().isRoot() && entry.getKey().parent().equals(operation.path()))
                .map(entry -> entry.getValue().attributes())
                .filter(child -> child.name().compareTo(operation.startAfter()) > 0)
                .toList();
        int count = Math.min(operation.limit(), rest.size());
        return new Reply.Page(rest.subList(0, count), count < rest.size());
    }

    @Override
    public Reply open(ReadOperation.Open operation) {
        Node file = node(operation.path());
        if (file.attributes().isDirectory()) {
            throw new FsException(ErrorCode.IS_A_DIRECTORY, operation.path() + " is a directory");
        }
        return new Reply.Opened(file.attributes(), file.content());
    }

    @Override
    public Reply access(ReadOperation.Access operation) {
        Attributes a = node(operation.path()).attributes();
        int shift = caller.user().equals(a.owner()) ? 6 : caller.isIn(a.group()) ? 3 : 0;
        boolean may = caller.isSuperuser() || (a.mode() >> shift & operation.wanted()) == operation.wanted();
        if (!may) {
            throw new FsException(ErrorCode.PERMISSION_DENIED, caller.user() + " may not");
        }
        return Reply.Done.YES;
    }

    @Override
    public Reply mkdirs(NamespaceOperation.Mkdirs operation) {
        Node known = nodes.get(operation.path());
        if (known != null && !known.attributes().isDirectory()) {
            throw new FsException(ErrorCode.ALREADY_EXISTS, operation.path() + " is a file");
        }
        if (known == null) {
            makeParents(operation.path(), operation.createParents());
            nodes.put(operation.path(), directory(operation.path(), operation.mode()));
        }
        return new Reply.Done(known == null);
    }

    @Override
    public Reply create(FileOperation.Create operation) {
        Node known = nodes.get(operation.path());
        if (known != null && known.attributes().isDirectory()) {
            throw new FsException(ErrorCode.IS_A_DIRECTORY, operation.path() + " is a directory");
        }
        if (known != null && !operation.overwrite()) {
            throw new FsException(ErrorCode.ALREADY_EXISTS, operation.path() + " is there");
        }
        makeParents(operation.path(), operation.createParents());
        FileOperation.Imported imported = operation.imported();
        Attributes file = new Attributes(
                operation.path().name(),
                ids++,
                new INode.Traits(
                        INode.Kind.FILE,
                        caller.user(),
                        group(),
                        operation.mode(),
                        operation.replication(),
                        operation.blockSize(),
                        imported == null ? INode.Content.NONE : INode.Content.ABSENT),
                imported == null ? 0 : imported.size(),
                6_000,
                7_000,
                0);
        nodes.put(operation.path(), new Node(file, null));
        return new Reply.Status(file);
    }

    @Override
    public Reply complete(FileOperation.Complete operation) {
        FsPath path = nodes.entrySet().stream()
                .filter(node ->
                        node.getValue().attributes().id() == operation.file().id())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new FsException(ErrorCode.NOT_FOUND, operation.path() + " is gone"));
        Attributes file = node(path).attributes();
        if (operation.content().length > INLINE_LIMIT) {
            throw new FsException(ErrorCode.NEEDS_DATANODE, operation.content().length + " bytes need a datanode");
        }
        Attributes complete = new Attributes(
                file.name(),
                file.id(),
                new INode.Traits(
                        file.kind(),
                        file.owner(),
                        file.group(),
                        file.mode(),
                        file.replication(),
                        file.blockSize(),
                        operation.content().length == 0 ? INode.Content.NONE : INode.Content.INLINE),
                operation.content().length,
                6_000,
                7_000,
                0);
        nodes.put(path, new Node(complete, operation.content().length == 0 ? null : operation.content()));
        return new Reply.Status(complete);
    }

    @Override
    public Reply addBlock(BlockOperation.AddBlock operation) {
        throw new FsException(ErrorCode.NEEDS_DATANODE, "addBlock needs a datanode");
    }

    @Override
    public Reply completeBlocks(BlockOperation.CompleteBlocks operation) {
        throw new FsException(ErrorCode.NEEDS_DATANODE, "completeBlocks needs a datanode");
    }

    @Override
    public Reply renewLease(BlockOperation.RenewLease operation) {
        throw new FsException(ErrorCode.NEEDS_DATANODE, "renewLease needs a datanode");
    }

    @Override
    public Reply abandon(BlockOperation.Abandon operation) {
        return new Reply.Done(nodes.values()
                .removeIf(node -> node.attributes().id() == operation.file().id()));
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
        boolean children = nodes.keySet().stream()
                .anyMatch(path -> path.isAtOrBelow(operation.path()) && !path.equals(operation.path()));
        if (children && !operation.recursive()) {
            throw new FsException(ErrorCode.NOT_EMPTY, operation.path() + " is not empty");
        }
        if (operation.path().isRoot()) {
            throw new FsException(ErrorCode.NOT_ALLOWED, "the root stays");
        }
        return new Reply.Done(nodes.keySet().removeIf(path -> path.isAtOrBelow(operation.path())));
    }

    @Override
    public Reply rename(NamespaceOperation.Rename operation) {
        FsPath target = operation.destination();
        Node there = nodes.get(target);
        if (operation.mode() == Operation.RenameMode.INTO) {
            if (!nodes.containsKey(operation.path())) {
                return Reply.Done.NO;
            }
            if (there != null && there.attributes().isDirectory()) {
                target = target.child(operation.path().name());
            }
        } else if (there != null && operation.mode() == Operation.RenameMode.STRICT) {
            throw new FsException(ErrorCode.ALREADY_EXISTS, target + " is there");
        }
        Node moved = node(operation.path());
        Attributes a = moved.attributes();
        nodes.remove(operation.path());
        nodes.put(
                target,
                new Node(
                        new Attributes(
                                target.name(),
                                a.id(),
                                new INode.Traits(
                                        a.kind(),
                                        a.owner(),
                                        a.group(),
                                        a.mode(),
                                        a.replication(),
                                        a.blockSize(),
                                        a.content()),
                                a.size(),
                                a.mtime(),
                                a.atime(),
                                0),
                        moved.content()));
        return Reply.Done.YES;
    }

    private Reply change(FsPath path, UnaryOperator<Attributes> how) {
        Node node = node(path);
        nodes.put(path, new Node(how.apply(node.attributes()), node.content()));
        return Reply.Done.YES;
    }

    private static Attributes with(Attributes a, String owner, String group, int mode) {
        return new Attributes(
                a.name(),
                a.id(),
                new INode.Traits(a.kind(), owner, group, mode, a.replication(), a.blockSize(), a.content()),
                a.size(),
                a.mtime(),
                a.atime(),
                a.children());
    }

    @Override
    public Reply setPermission(AttributeOperation.SetPermission operation) {
        return change(operation.path(), a -> with(a, a.owner(), a.group(), operation.mode()));
    }

    @Override
    public Reply setOwner(AttributeOperation.SetOwner operation) {
        String owner = operation.owner();
        String group = operation.group();
        return change(
                operation.path(),
                a -> with(a, owner == null ? a.owner() : owner, group == null ? a.group() : group, a.mode()));
    }

    @Override
    public Reply setTimes(AttributeOperation.SetTimes operation) {
        return change(
                operation.path(),
                a -> new Attributes(
                        a.name(),
                        a.id(),
                        new INode.Traits(
                                a.kind(), a.owner(), a.group(), a.mode(), a.replication(), a.blockSize(), a.content()),
                        a.size(),
                        operation.mtime() < 0 ? a.mtime() : operation.mtime(),
                        operation.atime() < 0 ? a.atime() : operation.atime(),
                        a.children()));
    }

    @Override
    public Reply setReplication(AttributeOperation.SetReplication operation) {
        return change(
                operation.path(),
                a -> new Attributes(
                        a.name(),
                        a.id(),
                        new INode.Traits(
                                a.kind(),
                                a.owner(),
                                a.group(),
                                a.mode(),
                                operation.replication(),
                                a.blockSize(),
                                a.content()),
                        a.size(),
                        a.mtime(),
                        a.atime(),
                        a.children()));
    }
}
