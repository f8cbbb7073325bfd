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
import io.lambdafs.door.mount.wire.Request;
import io.lambdafs.door.mount.wire.SetAttributes;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;

/** Calls on attributes. Thread-safe. */
final class AttributeCalls {
    private static final int RIGHTS = 7;
    private static final int WRITE_RIGHT = 2;
    private static final long BLOCK_BYTES = 4_096;
    private static final long BLOCKS = 1L << 40;
    private static final long FILES = 1L << 40;
    private static final int LONGEST_NAME = 255;
    private static final int STATFS_BYTES = 80;
    private static final int SPARE_BYTES = 24;
    private static final long MOST_ZEROS = 16L << 30;

    private final Mounted mounted;
    private final NodeTable nodes;
    private final OpenFiles files;
    private final Told told;
    private final long validMillis;

    AttributeCalls(Mounted mounted, OpenFiles files, Told told, long validMillis) {
        this.mounted = mounted;
        this.nodes = mounted.nodes();
        this.files = files;
        this.told = told;
        this.validMillis = validMillis;
    }

    Answer get(Request request) throws InterruptedException {
        return Answer.attributes(told.now(nodes.of(request.node())), validMillis);
    }

    Answer set(Request request) throws InterruptedException {
        Node node = nodes.of(request.node());
        SetAttributes wanted = SetAttributes.read(request);
        LambdaFs fs = mounted.callers().of(request);
        if (wanted.size().isPresent()) {
            truncate(fs, node, wanted.size().getAsLong(), wanted.handle().isPresent());
        }
        if (wanted.mode().isPresent()) {
            int mode = wanted.mode().getAsInt() & INode.MAX_MODE;
            owned(fs, node, path -> await(fs.setPermission(path, mode)));
        }
        if (wanted.uid().isPresent() || wanted.gid().isPresent()) {
            String owner = wanted.uid().isPresent()
                    ? mounted.callers().users().name(wanted.uid().getAsInt())
                    : null;
            String group = wanted.gid().isPresent()
                    ? mounted.callers().groups().name(wanted.gid().getAsInt())
                    : null;
            owned(fs, node, path -> await(fs.setOwner(path, owner, group)));
        }
        if (wanted.mtimeMillis() >= 0 || wanted.atimeMillis() >= 0) {
            setTimes(fs, node, wanted);
        }
        return Answer.attributes(told.now(node), validMillis);
    }

    private void setTimes(LambdaFs fs, Node node, SetAttributes wanted) throws InterruptedException {
        long mtime = wanted.mtimeMillis();
        // A directory keeps no time of access.
        long atime = node.isDirectory() ? -1 : wanted.atimeMillis();
        SharedFile file = files.of(node);
        if (file != null) {
            file.timesSet(mtime, atime);
        }
        if ((file == null || !file.isDeleted()) && (mtime >= 0 || atime >= 0)) {
            owned(fs, node, path -> await(fs.setTimes(path, mtime, atime)));
        }
    }

    /** Does what only an owner may, which Linux refuses others by another number than what any user lacks rights for. */
    private <T> void owned(LambdaFs fs, Node node, Mounted.Work<T> change) throws InterruptedException {
        try {
            mounted.at(node, change);
        } catch (FsException e) {
            if (e.code() != ErrorCode.PERMISSION_DENIED) {
                throw e;
            }
            mounted.at(node, path -> await(fs.stat(path)));
            throw Errno.EPERM.failure();
        }
    }

    /** @param open whether a handle that may write has the right */
    private void truncate(LambdaFs fs, Node node, long length, boolean open) throws InterruptedException {
        SharedFile file = files.of(node);
        if (file != null) {
            if (!open) {
                mounted.at(node, path -> await(fs.access(path, WRITE_RIGHT)));
            }
            file.truncate(length);
            return;
        }
        mounted.at(node, path -> {
            Attributes found = await(fs.stat(path));
            if (length > found.size()) {
                await(fs.access(path, WRITE_RIGHT));
                lengthen(mounted.callers().superuser(), path, found.size(), length);
                return true;
            }
            return await(fs.truncate(path, length));
        });
    }

    private static void lengthen(LambdaFs fs, FsPath path, long from, long to) throws InterruptedException {
        if (to - from > MOST_ZEROS) {
            throw Errno.EFBIG.failure();
        }
        Zeros.append(await(fs.appender(path)), to - from);
    }

    Answer access(Request request) throws InterruptedException {
        Node node = nodes.of(request.node());
        int wanted = request.int32() & RIGHTS;
        LambdaFs fs = mounted.callers().of(request);
        mounted.at(node, path -> wanted == 0 ? await(fs.stat(path)) : await(fs.access(path, wanted)));
        return Answer.done();
    }

    /** Returns a room that has no end: a block store tells none. */
    static Answer room() {
        return Answer.of(STATFS_BYTES)
                .putLong(BLOCKS)
                .putLong(BLOCKS)
                .putLong(BLOCKS)
                .putLong(FILES)
                .putLong(FILES)
                .putInt((int) BLOCK_BYTES)
                .putInt(LONGEST_NAME)
                .putInt((int) BLOCK_BYTES)
                .putInt(0)
                .putBytes(new byte[SPARE_BYTES]);
    }
}
