package io.lambdafs.door.mount.calls;

import io.lambdafs.door.mount.device.Session;
import io.lambdafs.door.mount.files.Mounted;
import io.lambdafs.door.mount.files.OpenFiles;
import io.lambdafs.door.mount.wire.Answer;
import io.lambdafs.door.mount.wire.Errno;
import io.lambdafs.door.mount.wire.InitFlags;
import io.lambdafs.door.mount.wire.Opcode;
import io.lambdafs.door.mount.wire.Request;
import java.util.function.LongConsumer;

/** Answers the kernel's calls. Thread-safe. */
public final class KernelCalls implements Session.Calls {
    private static final int MAJOR = 7;
    /** The version whose messages these are; kernels since 5.4 know it. */
    private static final int MINOR = 31;

    private static final int INIT_BYTES = 64;
    private static final int UNUSED_BYTES = 28;
    private static final int BACKGROUND = 64;
    private static final int CONGESTED = 48;
    private static final int PAGE_BYTES = 4_096;
    private static final int TIME_GRAIN_NANOS = 1_000_000;
    private static final int WANTED = InitFlags.ASYNC_READ
            | InitFlags.ATOMIC_O_TRUNC
            | InitFlags.BIG_WRITES
            | InitFlags.DONT_MASK
            | InitFlags.AUTO_INVAL_DATA
            | InitFlags.PARALLEL_DIROPS
            | InitFlags.MAX_PAGES;
    /** Without a time that they may stay, attributes that come with a listing would be asked for again. */
    private static final int WITH_TIME = InitFlags.DO_READDIRPLUS | InitFlags.READDIRPLUS_AUTO;

    private final int wanted;
    private final NameCalls names;
    private final FileCalls contents;
    private final AttributeCalls attributes;
    private final DirectoryCalls directories;
    private final XattrCalls xattrs;

    /**
     * Makes the calls of a mount.
     *
     * @param validMillis how long the kernel may keep names and attributes
     * @param forgetAttributes has the kernel ask for a node's attributes again
     */
    public KernelCalls(Mounted mounted, OpenFiles files, long validMillis, LongConsumer forgetAttributes) {
        Links links = new Links(mounted);
        Told told = new Told(mounted, files, links);
        wanted = validMillis > 0 ? WANTED | WITH_TIME : WANTED;
        names = new NameCalls(mounted, files, told, links, validMillis);
        contents = new FileCalls(mounted, files, told, names, new FileCalls.Validity(validMillis, forgetAttributes));
        attributes = new AttributeCalls(mounted, files, told, validMillis);
        directories = new DirectoryCalls(mounted, told, validMillis);
        xattrs = new XattrCalls(mounted);
    }

    @Override
    public Answer answer(Opcode opcode, Request request) throws InterruptedException {
        return switch (opcode) {
            case INIT -> init(request);
            case DESTROY, INTERRUPT, FSYNCDIR -> Answer.done();
            case LOOKUP -> names.lookup(request);
            case FORGET -> {
                names.forget(request);
                yield Answer.done();
            }
            case BATCH_FORGET -> {
                names.forgetEach(request);
                yield Answer.done();
            }
            case GETATTR -> attributes.get(request);
            case SETATTR -> attributes.set(request);
            case ACCESS -> attributes.access(request);
            case STATFS -> AttributeCalls.room();
            case MKNOD -> names.mknod(request);
            case MKDIR -> names.mkdir(request);
            case UNLINK, RMDIR -> names.remove(request);
            case RENAME -> names.rename(request, false);
            case RENAME2 -> names.rename(request, true);
            case SYMLINK -> names.symlink(request);
            case READLINK -> names.readlink(request);
            case LINK -> throw Errno.EPERM.failure();
            case OPEN -> contents.open(request);
            case CREATE -> contents.create(request);
            case READ -> contents.read(request);
            case WRITE -> contents.write(request);
            case FLUSH -> contents.flush(request);
            case FSYNC -> contents.sync(request);
            case RELEASE -> contents.release(request);
            case OPENDIR -> directories.open(request);
            case READDIR -> directories.read(request, false);
            case READDIRPLUS -> directories.read(request, true);
            case RELEASEDIR -> directories.release(request);
            case SETXATTR -> xattrs.set(request);
            case GETXATTR -> xattrs.get(request);
            case LISTXATTR -> xattrs.list(request);
            case REMOVEXATTR -> xattrs.remove(request);
        };
    }

    private Answer init(Request request) {
        int major = request.int32();
        int minor = request.int32();
        int readAhead = request.int32();
        int offered = request.int32();
        if (major != MAJOR || minor < MINOR) {
            throw Errno.EIO.failure();
        }
        return Answer.of(INIT_BYTES)
                .putInt(MAJOR)
                .putInt(MINOR)
                .putInt(readAhead)
                .putInt(offered & wanted)
                .putShort(BACKGROUND)
                .putShort(CONGESTED)
                .putInt(Session.MOST_DATA_BYTES)
                .putInt(TIME_GRAIN_NANOS)
                .putShort(Session.MOST_DATA_BYTES / PAGE_BYTES)
                .putShort(0)
                .putBytes(new byte[UNUSED_BYTES + Integer.BYTES]);
    }
}
