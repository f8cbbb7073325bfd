package io.lambdafs.door.mount.calls;

import static io.lambdafs.client.BlockingLambdaFs.await;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.door.mount.files.Mounted;
import io.lambdafs.door.mount.names.Node;
import io.lambdafs.door.mount.wire.Errno;
import io.lambdafs.door.mount.wire.Request;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.Reply;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Symbolic links: empty files with their target in an extended attribute that no program sees. Only mounts follow them.
 * Stateless.
 */
final class Links {
    /** The name of the extended attribute with a link's target. */
    static final String TARGET = "trusted.lambdafs.link";

    /** Marks links in attributes, which do not show extended ones: no file has blocks of one byte. */
    private static final long BLOCK_BYTES = 1;

    private static final String BESIDE = ".lambdafs-mount-";
    private static final int MODE = 0777;
    private static final int LONGEST_TARGET = 4_095;

    private final Mounted mounted;

    Links(Mounted mounted) {
        this.mounted = mounted;
    }

    /** Returns whether attributes may be those of a link: only then is it worth a request for the target. */
    static boolean mayBe(Attributes found) {
        return !found.isDirectory() && found.size() == 0 && found.blockSize() == BLOCK_BYTES;
    }

    /** Returns a link's target; null if it is a file. */
    byte @Nullable [] target(FsPath path, Attributes found) throws InterruptedException {
        return mayBe(found)
                ? await(mounted.callers().superuser().xattrs(path, true)).get(TARGET)
                : null;
    }

    /** Returns a link's target. */
    byte[] read(Node node) throws InterruptedException {
        byte[] target = mounted.at(
                        node, path -> await(mounted.callers().superuser().xattrs(path, true)))
                .get(TARGET);
        if (target == null) {
            throw Errno.EINVAL.failure();
        }
        return target;
    }

    /** Makes a link, which is there with its target or not at all. */
    void make(Request request, FsPath path, String target) throws InterruptedException {
        byte[] bytes = target.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > LONGEST_TARGET) {
            throw Errno.ENAMETOOLONG.failure();
        }
        LambdaFs fs = mounted.callers().of(request);
        FsPath beside = path.parent().child(BESIDE + UUID.randomUUID());
        Reply.Status made = NameCalls.make(fs, beside, new NameCalls.Making(MODE, 0, BLOCK_BYTES));
        try {
            await(mounted.callers().superuser().setXattr(beside, TARGET, bytes, true, false));
            await(fs.rename(beside, path, RenameMode.STRICT));
        } catch (FsException e) {
            await(mounted.callers().superuser().delete(beside, false));
            throw e;
        }
        if (made.attributes().mode() != MODE) {
            // A default ACL has made it less.
            await(mounted.callers().superuser().setPermission(path, MODE));
        }
    }
}
