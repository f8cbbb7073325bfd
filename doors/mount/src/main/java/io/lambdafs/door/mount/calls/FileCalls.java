package io.lambdafs.door.mount.calls;

import static io.lambdafs.client.BlockingLambdaFs.await;

import io.lambdafs.client.FileReader;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.door.mount.files.Access;
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
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.Reply;
import java.util.function.LongConsumer;

/** Calls on contents: open, make, read, write, flush, close. Thread-safe. */
final class FileCalls {
    private static final int EXCLUSIVE = 0200;
    private static final int TRUNCATE = 01000;
    private static final int APPEND = 02000;
    private static final int WRITE_RIGHT = 2;

    private final Mounted mounted;
    private final NodeTable nodes;
    private final OpenFiles files;
    private final Told told;
    private final NameCalls names;
    private final long validMillis;
    private final LongConsumer forgetAttributes;

    /** The time for which the kernel may keep names and attributes, and a way to end it. */
    record Validity(long millis, LongConsumer forgetAttributes) {}

    FileCalls(Mounted mounted, OpenFiles files, Told told, NameCalls names, Validity validity) {
        this.mounted = mounted;
        this.nodes = mounted.nodes();
        this.files = files;
        this.told = told;
        this.names = names;
        this.validMillis = validity.millis();
        this.forgetAttributes = validMillis > 0 ? validity.forgetAttributes() : node -> {};
    }

    Answer open(Request request) throws InterruptedException {
        Node node = nodes.of(request.node());
        int flags = request.int32();
        long handle = open(mounted.callers().of(request), node, flags);
        // An open sees all that was closed before: the length, too.
        forgetAttributes.accept(node.id());
        return Answer.opened(handle, 0);
    }

    private long open(LambdaFs fs, Node node, int flags) throws InterruptedException {
        Access access = Access.of(flags);
        SharedFile file = files.of(node);
        long seen = file == null ? 0 : file.changes();
        if (access.writes()) {
            mounted.at(node, path -> await(fs.access(path, WRITE_RIGHT)));
        }
        if (!access.reads()) {
            Attributes found =
                    mounted.at(node, path -> await(mounted.callers().superuser().stat(path)));
            checkSame(node, found);
            long handle = files.open(node, access, new OpenFiles.Opening(found, null, null, seen));
            return cut(handle, flags);
        }
        FileReader reader = mounted.at(node, path -> await(fs.reader(path)));
        boolean taken = false;
        try {
            checkSame(node, reader.attributes());
            long handle = files.open(node, access, new OpenFiles.Opening(reader.attributes(), null, reader, seen));
            taken = true;
            return cut(handle, flags);
        } finally {
            if (!taken) {
                reader.close();
            }
        }
    }

    private void checkSame(Node node, Attributes found) {
        if (!nodes.isOf(node, found.id())) {
            throw Errno.ESTALE.failure();
        }
    }

    private long cut(long handle, int flags) throws InterruptedException {
        if ((flags & TRUNCATE) != 0 && Access.of(flags).writes()) {
            try {
                files.handle(handle).file().truncate(0);
            } catch (RuntimeException e) {
                close(handle);
                throw e;
            }
        }
        return handle;
    }

    Answer create(Request request) throws InterruptedException {
        Node parent = nodes.of(request.node());
        int flags = request.int32();
        int mode = request.int32();
        int umask = request.int32();
        request.skip(Integer.BYTES);
        String name = request.name();
        LambdaFs fs = mounted.callers().of(request);
        Reply.Status made;
        try {
            made = mounted.at(
                    parent, path -> NameCalls.make(fs, nodes.path(parent, name), new NameCalls.Making(mode, umask)));
        } catch (FsException e) {
            if (e.code() != ErrorCode.ALREADY_EXISTS || (flags & EXCLUSIVE) != 0) {
                throw e;
            }
            return openExisting(fs, parent, name, flags);
        }
        FileStatus entry = told.entry(parent, name, made.attributes(), 0);
        long handle = files.open(
                nodes.of(entry.node()),
                Access.of(flags),
                new OpenFiles.Opening(made.attributes(), made.file(), null, 0));
        return Answer.of(Answer.CREATED_BYTES).putEntry(entry, validMillis).putOpened(handle, 0);
    }

    /** Opens a file that another has made since the kernel looked. */
    private Answer openExisting(LambdaFs fs, Node parent, String name, int flags) throws InterruptedException {
        long seen = told.changes(parent, name);
        Attributes found = mounted.at(parent, path -> await(fs.stat(nodes.path(parent, name))));
        if (found.isDirectory()) {
            throw Errno.EISDIR.failure();
        }
        FileStatus entry = told.entry(parent, name, found, seen);
        Node node = nodes.of(entry.node());
        try {
            long handle = open(fs, node, flags);
            return Answer.of(Answer.CREATED_BYTES).putEntry(entry, validMillis).putOpened(handle, 0);
        } catch (RuntimeException e) {
            nodes.forgotten(node.id(), 1);
            throw e;
        }
    }

    Answer read(Request request) throws InterruptedException {
        long handle = request.int64();
        long offset = request.int64();
        int size = request.int32();
        return Answer.data(files.handle(handle).file().read(offset, size));
    }

    Answer write(Request request) throws InterruptedException {
        long handle = request.int64();
        long offset = request.int64();
        int size = request.int32();
        request.skip(Integer.BYTES + Long.BYTES);
        int flags = request.int32();
        request.skip(Integer.BYTES);
        OpenFiles.Handle open = files.handle(handle);
        if (!open.access().writes()) {
            throw Errno.EBADF.failure();
        }
        return Answer.written(open.file().write(offset, request.bytes(size), (flags & APPEND) != 0));
    }

    Answer flush(Request request) throws InterruptedException {
        OpenFiles.Handle open = files.handle(request.int64());
        if (open.access().writes()) {
            open.file().flush();
        }
        return Answer.done();
    }

    Answer sync(Request request) throws InterruptedException {
        files.handle(request.int64()).file().sync();
        return Answer.done();
    }

    Answer release(Request request) throws InterruptedException {
        close(request.int64());
        return Answer.done();
    }

    private void close(long handle) throws InterruptedException {
        Node unused = files.close(handle);
        if (unused != null) {
            names.closed(unused);
        }
    }
}
