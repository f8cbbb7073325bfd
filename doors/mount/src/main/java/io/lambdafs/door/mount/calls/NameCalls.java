package io.lambdafs.door.mount.calls;

import static io.lambdafs.client.BlockingLambdaFs.await;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.door.mount.files.Mounted;
import io.lambdafs.door.mount.files.OpenFiles;
import io.lambdafs.door.mount.files.SharedFile;
import io.lambdafs.door.mount.names.Node;
import io.lambdafs.door.mount.names.NodeTable;
import io.lambdafs.door.mount.wire.Answer;
import io.lambdafs.door.mount.wire.Errno;
import io.lambdafs.door.mount.wire.FileStatus;
import io.lambdafs.door.mount.wire.Request;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.Reply;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls on names: look up, forget, make, remove, rename. Thread-safe. */
final class NameCalls {
    private static final Logger LOG = LoggerFactory.getLogger(NameCalls.class);
    private static final int NO_REPLACE = 1;
    private static final long BLOCK_BYTES = 128L << 20;
    private static final int REPLICATION = 3;
    /** Longest file that is brought to this machine when it is deleted while it is open. */
    private static final long MOST_BROUGHT_BYTES = 16L << 20;

    private static final String HIDDEN = ".fuse_hidden-";

    private final Mounted mounted;
    private final NodeTable nodes;
    private final OpenFiles files;
    private final Told told;
    private final Links links;
    private final long validMillis;
    /** Deleted files that are still open, and too long to be brought here. They have a hidden name until they are closed. */
    private final Map<Long, Node> hidden = new ConcurrentHashMap<>();

    NameCalls(Mounted mounted, OpenFiles files, Told told, Links links, long validMillis) {
        this.mounted = mounted;
        this.nodes = mounted.nodes();
        this.files = files;
        this.told = told;
        this.links = links;
        this.validMillis = validMillis;
    }

    Answer lookup(Request request) throws InterruptedException {
        Node parent = nodes.of(request.node());
        String name = request.name();
        return entry(mounted.callers().of(request), parent, name);
    }

    private Answer entry(LambdaFs fs, Node parent, String name) throws InterruptedException {
        long seen = told.changes(parent, name);
        Attributes found = mounted.at(parent, path -> await(fs.stat(nodes.path(parent, name))));
        return Answer.entry(told.entry(parent, name, found, seen), validMillis);
    }

    void forget(Request request) {
        nodes.forgotten(request.node(), request.int64());
    }

    void forgetEach(Request request) {
        int count = request.int32();
        request.skip(Integer.BYTES);
        for (int i = 0; i < count; i++) {
            nodes.forgotten(request.int64(), request.int64());
        }
    }

    Answer mkdir(Request request) throws InterruptedException {
        Node parent = nodes.of(request.node());
        int mode = request.int32();
        int umask = request.int32();
        String name = request.name();
        LambdaFs fs = mounted.callers().of(request);
        mounted.at(
                parent,
                path -> await(fs.mkdirs(
                        nodes.path(parent, name), mode & ~umask & INode.MAX_MODE, mode & INode.MAX_MODE, false)));
        return entry(fs, parent, name);
    }

    Answer mknod(Request request) throws InterruptedException {
        Node parent = nodes.of(request.node());
        int mode = request.int32();
        request.skip(Integer.BYTES);
        int umask = request.int32();
        request.skip(Integer.BYTES);
        String name = request.name();
        if ((mode & FileStatus.TYPE) != FileStatus.FILE) {
            throw Errno.EPERM.failure();
        }
        Reply.Status made = make(mounted.callers().of(request), nodes.path(parent, name), new Making(mode, umask));
        return Answer.entry(told.entry(parent, name, made.attributes(), 0), validMillis);
    }

    Answer symlink(Request request) throws InterruptedException {
        Node parent = nodes.of(request.node());
        String name = request.name();
        String target = request.text();
        links.make(request, nodes.path(parent, name), target);
        return entry(mounted.callers().of(request), parent, name);
    }

    Answer readlink(Request request) throws InterruptedException {
        return Answer.data(ByteBuffer.wrap(links.read(nodes.of(request.node()))));
    }

    /** The attributes of a new file. */
    record Making(int mode, int umask, long blockBytes) {
        Making(int mode, int umask) {
            this(mode, umask, NameCalls.BLOCK_BYTES);
        }
    }

    /** Makes an empty file, by one message. */
    static Reply.Status make(LambdaFs fs, FsPath path, Making as) throws InterruptedException {
        return await(fs.execute(new FileOperation.Create(
                path,
                as.mode() & ~as.umask() & INode.MAX_MODE,
                as.mode() & INode.MAX_MODE,
                false,
                false,
                REPLICATION,
                as.blockBytes(),
                new byte[0],
                null)));
    }

    Answer remove(Request request) throws InterruptedException {
        Node parent = nodes.of(request.node());
        String name = request.name();
        LambdaFs fs = mounted.callers().of(request);
        Node node = nodes.at(parent, name);
        SharedFile open = files.of(node);
        if (node != null && open != null && !open.prepareDeletion(MOST_BROUGHT_BYTES)) {
            hide(fs, parent, name, node);
            open.hidden();
            return Answer.done();
        }
        boolean removed = mounted.at(parent, path -> await(fs.delete(nodes.path(parent, name), false)));
        if (!removed) {
            throw Errno.ENOENT.failure();
        }
        if (open != null) {
            open.deleted();
        }
        nodes.removed(parent, name);
        return Answer.done();
    }

    /** Gives an open file another name, until it is closed. */
    private void hide(LambdaFs fs, Node parent, String name, Node node) throws InterruptedException {
        String other = HIDDEN + UUID.randomUUID();
        mounted.at(
                parent,
                path -> await(fs.rename(nodes.path(parent, name), nodes.path(parent, other), RenameMode.STRICT)));
        nodes.moved(parent, name, parent, other);
        hidden.put(node.id(), node);
    }

    /** Removes a file that was deleted while it was open, after its last close. */
    void closed(Node node) throws InterruptedException {
        if (hidden.remove(node.id()) != null) {
            try {
                mounted.at(node, path -> await(mounted.callers().superuser().delete(path, false)));
            } catch (FsException e) {
                LOG.warn("A deleted file is left over as {}…: {}", HIDDEN, e.toString());
            }
        }
    }

    Answer rename(Request request, boolean hasFlags) throws InterruptedException {
        Node from = nodes.of(request.node());
        Node to = nodes.of(request.int64());
        int flags = hasFlags ? request.int32() : 0;
        if (hasFlags) {
            request.skip(Integer.BYTES);
        }
        String name = request.name();
        String newName = request.name();
        if ((flags & ~NO_REPLACE) != 0) {
            throw Errno.EINVAL.failure();
        }
        LambdaFs fs = mounted.callers().of(request);
        SharedFile replaced = flags == NO_REPLACE ? null : files.of(nodes.at(to, newName));
        if (replaced != null) {
            // Without room for it here, those who have it open can read no further.
            replaced.prepareDeletion(Long.MAX_VALUE);
        }
        move(fs, () -> nodes.path(from, name), () -> nodes.path(to, newName), flags);
        if (replaced != null) {
            replaced.deleted();
        }
        nodes.moved(from, name, to, newName);
        return Answer.done();
    }

    private interface Place {
        FsPath path();
    }

    private static void move(LambdaFs fs, Place from, Place to, int flags) throws InterruptedException {
        RenameMode mode = flags == NO_REPLACE ? RenameMode.STRICT : RenameMode.OVERWRITE;
        while (true) {
            FsPath source = from.path();
            FsPath destination = to.path();
            try {
                await(fs.rename(source, destination, mode));
                return;
            } catch (FsException e) {
                boolean moved = !from.path().equals(source) || !to.path().equals(destination);
                if (e.code() != ErrorCode.NOT_FOUND || !moved) {
                    throw e;
                }
            }
        }
    }
}
