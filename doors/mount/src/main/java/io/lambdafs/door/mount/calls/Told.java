package io.lambdafs.door.mount.calls;

import static io.lambdafs.client.BlockingLambdaFs.await;

import io.lambdafs.door.mount.files.Mounted;
import io.lambdafs.door.mount.files.OpenFiles;
import io.lambdafs.door.mount.files.SharedFile;
import io.lambdafs.door.mount.names.Node;
import io.lambdafs.door.mount.wire.Errno;
import io.lambdafs.door.mount.wire.ErrnoException;
import io.lambdafs.door.mount.wire.FileStatus;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.Attributes;

/** Describes files and directories to the kernel. Thread-safe. */
final class Told {
    private static final int LINK_MODE = 0777;

    private final Mounted mounted;
    private final OpenFiles files;
    private final Links links;

    Told(Mounted mounted, OpenFiles files, Links links) {
        this.mounted = mounted;
        this.links = links;
        this.files = files;
    }

    /** Returns attributes, with the numbers of the machine's accounts. */
    FileStatus status(long node, Attributes of, int links) {
        return new FileStatus(
                node,
                of.size(),
                of.isDirectory() ? of.mtime() : of.atime(),
                of.mtime(),
                of.mode() | (of.isDirectory() ? FileStatus.DIRECTORY : FileStatus.FILE),
                links,
                mounted.callers().users().number(of.owner()),
                mounted.callers().groups().number(of.group()));
    }

    private FileStatus link(long node, Attributes of, byte[] target) {
        FileStatus file = status(node, of, 1);
        return new FileStatus(
                node,
                target.length,
                file.atimeMillis(),
                file.mtimeMillis(),
                FileStatus.LINK | LINK_MODE,
                1,
                file.uid(),
                file.gid());
    }

    /** Returns the attributes of a node at a moment from now on. */
    FileStatus now(Node node) throws InterruptedException {
        SharedFile file = files.of(node);
        long seen = file == null ? 0 : file.changes();
        Attributes found;
        try {
            found = file != null && file.isDeleted()
                    ? null
                    : mounted.at(
                            node, path -> await(mounted.callers().superuser().stat(path)));
        } catch (FsException e) {
            if (e.code() != ErrorCode.NOT_FOUND) {
                throw e;
            }
            found = null;
        } catch (ErrnoException gone) {
            found = null;
        }
        if (found != null && mounted.nodes().isOf(node, found.id())) {
            byte[] target = file == null && Links.mayBe(found)
                    ? links.target(mounted.nodes().path(node), found)
                    : null;
            if (target != null) {
                return link(node.id(), found, target);
            }
            return file == null
                    ? status(node.id(), found, 1)
                    : status(node.id(), file.attributes(found, seen), file.isNameless() ? 0 : 1);
        }
        if (file == null) {
            throw Errno.ESTALE.failure();
        }
        return status(node.id(), file.attributes(null, seen), 0);
    }

    /** Notes that the kernel learns of a file or directory at a name; returns its description. */
    FileStatus entry(Node parent, String name, Attributes found, long seen) throws InterruptedException {
        Node node = mounted.nodes().told(parent, name, found.id(), found.isDirectory());
        SharedFile file = files.of(node);
        byte[] target = file == null && Links.mayBe(found)
                ? links.target(mounted.nodes().path(node), found)
                : null;
        if (target != null) {
            return link(node.id(), found, target);
        }
        return status(node.id(), file == null ? found : file.attributes(found, seen), 1);
    }

    /** Returns the changes made to the file that is known at a name, before it is asked for. */
    long changes(Node parent, String name) throws InterruptedException {
        SharedFile file = files.of(mounted.nodes().at(parent, name));
        return file == null ? 0 : file.changes();
    }
}
