package io.lambdafs.door.mount.files;

import static io.lambdafs.client.BlockingLambdaFs.await;

import io.lambdafs.client.FileReader;
import io.lambdafs.client.FileWriter;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.door.mount.names.Node;
import io.lambdafs.door.mount.wire.Errno;
import io.lambdafs.door.mount.wire.ErrnoException;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.AclChange;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.Reply;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives contents to files. An empty file gets them itself. Those of a file that has some are written beside it, as a file
 * with its owner, group, mode, ACL and extended attributes, which is then renamed onto it: whoever reads sees the old
 * contents or the new. Acts as superuser: who may write was decided when the file was opened. Stateless.
 */
final class Upload {
    private static final Logger LOG = LoggerFactory.getLogger(Upload.class);
    private static final String BESIDE = ".lambdafs-mount-";

    private final Mounted mounted;
    private final Node node;

    Upload(Mounted mounted, Node node) {
        this.mounted = mounted;
        this.node = node;
    }

    /** Gives an empty file its contents; false if it turns out to have some, or another writer. */
    boolean fill(FileWriter writer, Scratch contents) throws InterruptedException {
        if (writer.startLength() > 0) {
            writer.abandon();
            return false;
        }
        try {
            contents.copyTo(writer::write);
            writer.complete();
            return true;
        } catch (FsException e) {
            writer.leave();
            if (e.code() == ErrorCode.NOT_UNDER_CONSTRUCTION || e.code() == ErrorCode.STALE_GENERATION) {
                return false;
            }
            throw e;
        }
    }

    /** Gives a file these contents in place of those that it has. */
    void replace(Scratch contents) throws InterruptedException {
        LambdaFs fs = mounted.superuser();
        mounted.at(node, path -> {
            Attributes old = await(fs.stat(path));
            checkSame(old);
            FsPath beside = path.parent().child(BESIDE + UUID.randomUUID());
            Reply.Status made = await(fs.execute(new FileOperation.Create(
                    beside, old.mode(), false, false, old.replication(), old.blockSize(), new byte[0], null)));
            try {
                FileWriter writer = fs.writer(beside, made.file());
                contents.copyTo(writer::write);
                writer.complete();
                copyAttributes(path, old, beside, made.attributes());
                putInPlace(beside, path, made.attributes().id());
            } catch (FsException | ErrnoException e) {
                remove(beside);
                throw e;
            }
            return made;
        });
    }

    private void putInPlace(FsPath beside, FsPath path, long inode) throws InterruptedException {
        boolean done = false;
        mounted.nodes().replacing(node, inode);
        try {
            await(mounted.superuser().rename(beside, path, RenameMode.OVERWRITE));
            done = true;
        } finally {
            mounted.nodes().replaced(node, done);
        }
    }

    /** Returns the file's attributes in the cluster. */
    Attributes attributes() throws InterruptedException {
        return mounted.at(node, path -> await(mounted.superuser().stat(path)));
    }

    private void checkSame(Attributes found) {
        if (!mounted.nodes().isOf(node, found.id())) {
            throw Errno.ESTALE.failure();
        }
    }

    private void copyAttributes(FsPath from, Attributes old, FsPath to, Attributes made) throws InterruptedException {
        LambdaFs fs = mounted.superuser();
        if (!made.owner().equals(old.owner()) || !made.group().equals(old.group())) {
            await(fs.setOwner(to, old.owner(), old.group()));
        }
        if (made.hasAcl() && !old.hasAcl()) {
            await(fs.changeAcl(to, AclChange.REMOVE_ALL, List.of()));
            await(fs.setPermission(to, old.mode()));
        } else if (old.hasAcl()) {
            Acls.copy(fs, from, to);
        }
        for (Map.Entry<String, byte[]> each : await(fs.xattrs(from, true)).entrySet()) {
            await(fs.setXattr(to, each.getKey(), each.getValue(), true, true));
        }
    }

    private void remove(FsPath beside) throws InterruptedException {
        try {
            await(mounted.superuser().delete(beside, false));
        } catch (FsException left) {
            LOG.warn("\"{}\" is left over: {}", beside, left.toString());
        }
    }

    /** Opens the node's file for reading. */
    FileReader reader() throws InterruptedException {
        FileReader opened;
        try {
            opened = mounted.at(node, path -> await(mounted.superuser().reader(path)));
        } catch (FsException e) {
            throw e.code() == ErrorCode.NOT_FOUND ? Errno.ESTALE.failure() : e;
        }
        if (!mounted.nodes().isOf(node, opened.attributes().id())) {
            opened.close();
            throw Errno.ESTALE.failure();
        }
        return opened;
    }

    /** Opens a file just made for writing. */
    FileWriter writer(OpenFile made) throws InterruptedException {
        return mounted.at(node, path -> mounted.superuser().writer(path, made));
    }

    /** Opens the node's file for appending. */
    FileWriter append() throws InterruptedException {
        return mounted.at(node, path -> {
            FileWriter writer = await(mounted.superuser().appender(path));
            if (!mounted.nodes().isOf(node, writer.fileId())) {
                writer.leave();
                throw Errno.ESTALE.failure();
            }
            return writer;
        });
    }

    /** Cuts the node's file. */
    void truncate(long length) throws InterruptedException {
        mounted.at(node, path -> await(mounted.superuser().truncate(path, length)));
    }

    /** Sets the node's times; a negative one stays. */
    void setTimes(long mtimeMillis, long atimeMillis) throws InterruptedException {
        mounted.at(node, path -> await(mounted.superuser().setTimes(path, mtimeMillis, atimeMillis)));
    }
}
