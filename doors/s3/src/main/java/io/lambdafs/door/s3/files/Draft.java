package io.lambdafs.door.s3.files;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.client.FileWriter;
import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.SeenFile;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A hidden file beside an object, which becomes the object by one rename, if the present one meets a condition. Unless it is
 * published it is removed. For one thread.
 */
public final class Draft implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Draft.class);
    private static final CreateOptions NEW = CreateOptions.DEFAULT.withCreateParents(false);
    /** Contents of at most this length are sent with the file's creation. */
    private static final int SMALL = 64 << 10;

    /** The condition that is always met, without a look. */
    public static final Condition UNCONDITIONAL = there -> Expected.ANY;

    private static final int MOST_TRIES = 8;
    private static final int MOST_RACES = 64;

    private final BlockingLambdaFs fs;
    private final FsPath object;
    private final int bucketDepth;
    private final FsPath hidden;
    private byte[] gathered = new byte[0];
    private int filled;
    private @Nullable FileWriter writer;
    private @Nullable Attributes made;
    private boolean published;

    /** @param bucketDepth the depth of the bucket's path: what is missing below it is made */
    public Draft(BlockingLambdaFs fs, FsPath object, int bucketDepth) {
        this.fs = fs;
        this.object = object;
        this.bucketDepth = bucketDepth;
        this.hidden = Places.draft(object);
    }

    /** A condition on the object that is there: what it lets replace. */
    public interface Condition {
        /**
         * Returns what may be replaced.
         *
         * @param there the object; empty if there is none
         * @throws S3Failure if it is not met
         */
        Expected check(Optional<Found> there);
    }

    /**
     * The object that may be replaced.
     *
     * @param any whatever there is
     * @param file the only one; null for none at all
     */
    public record Expected(boolean any, @Nullable SeenFile file) {
        public static final Expected ANY = new Expected(true, null);
        public static final Expected NONE = new Expected(false, null);
    }

    public void write(ByteBuffer bytes) throws InterruptedException {
        if (writer == null && filled + bytes.remaining() <= SMALL) {
            if (gathered.length < filled + bytes.remaining()) {
                gathered = Arrays.copyOf(gathered, Math.min(SMALL, Math.max(2 * filled, filled + bytes.remaining())));
            }
            int count = bytes.remaining();
            bytes.get(gathered, filled, count);
            filled += count;
            return;
        }
        begun().write(bytes);
    }

    private FileWriter begun() throws InterruptedException {
        FileWriter begun = writer;
        if (begun == null) {
            begun = making(path -> fs.async().writer(path, NEW));
            writer = begun;
            begun.write(ByteBuffer.wrap(gathered, 0, filled));
            gathered = new byte[0];
            filled = 0;
        }
        return begun;
    }

    /** Completes the contents, durably; returns the file. */
    public Attributes complete() throws InterruptedException {
        Attributes file = writer == null ? createSmall() : null;
        if (file == null) {
            begun().complete();
            file = fs.stat(hidden);
        }
        made = file;
        return file;
    }

    /** Returns null if the file system keeps no contents of this length with the metadata. */
    private @Nullable Attributes createSmall() throws InterruptedException {
        byte[] content = Arrays.copyOf(gathered, filled);
        try {
            return making(path -> fs.async().create(path, content, NEW));
        } catch (FsException e) {
            if (e.code() != ErrorCode.NEEDS_DATANODE) {
                throw e;
            }
            return null;
        }
    }

    private interface Making<T> extends Function<FsPath, CompletionStage<T>> {}

    /** Makes the file, and the directories above it that are missing: others remove them when they are empty. */
    private <T> T making(Making<T> making) throws InterruptedException {
        for (int tries = 1; ; tries++) {
            try {
                return BlockingLambdaFs.await(making.apply(hidden));
            } catch (FsException e) {
                if (e.code() == ErrorCode.NOT_A_DIRECTORY) {
                    throw Parents.below(e);
                }
                if (e.code() != ErrorCode.NOT_FOUND || tries == MOST_TRIES) {
                    throw e;
                }
                Parents.make(fs, object, bucketDepth);
            }
        }
    }

    /** Gives the completed file what S3 knows of it. */
    public void label(Label label, Map<String, String> tags) throws InterruptedException {
        Attributes file = made;
        if (file == null) {
            throw new IllegalStateException("not complete");
        }
        BlockingLambdaFs.await(
                fs.async().setXattr(hidden, Label.XATTR, label.of(file).json(), true, true));
        if (!tags.isEmpty()) {
            BlockingLambdaFs.await(fs.async().setXattr(hidden, Tags.XATTR, Tags.json(tags), true, true));
        }
    }

    /**
     * Makes it the object, in one transaction with the condition.
     *
     * @throws S3Failure if the condition is not met
     */
    public void publish(Condition condition) throws InterruptedException {
        publish(fs, hidden, object, bucketDepth, condition);
        published = true;
    }

    /** Moves a hidden file to an object's place, in one transaction with the check of the condition. */
    static void publish(BlockingLambdaFs fs, FsPath hidden, FsPath object, int bucketDepth, Condition condition)
            throws InterruptedException {
        for (int races = 0; ; races++) {
            Expected expected = condition == UNCONDITIONAL ? Expected.ANY : condition.check(Looking.at(fs, object));
            try {
                if (expected.any()) {
                    fs.rename(hidden, object, RenameMode.OVERWRITE);
                } else if (expected.file() == null) {
                    fs.rename(hidden, object, RenameMode.STRICT);
                } else {
                    fs.execute(new NamespaceOperation.Rename(hidden, object, RenameMode.OVERWRITE, expected.file()));
                }
                return;
            } catch (FsException e) {
                if (races == MOST_RACES) {
                    throw e;
                }
                switch (e.code()) {
                    case IS_A_DIRECTORY -> removeLeftOver(fs, object);
                    case NOT_FOUND -> {
                        // The object, a directory above it, or the file to publish, which another has published then.
                        fs.stat(hidden);
                        Parents.make(fs, object, bucketDepth);
                    }
                    case ALREADY_EXISTS -> {
                        if (expected.any()) {
                            throw e;
                        }
                    }
                    default -> throw e;
                }
            }
        }
    }

    /** Removes an empty directory that keys have left where an object is to be. */
    private static void removeLeftOver(BlockingLambdaFs fs, FsPath directory) throws InterruptedException {
        try {
            fs.delete(directory, false);
        } catch (FsException e) {
            throw e.code() == ErrorCode.NOT_EMPTY
                    ? new S3Failure(
                            S3Code.INVALID_ARGUMENT,
                            "other keys begin with this one and a slash: here it is a directory",
                            e)
                    : e;
        }
    }

    @Override
    public void close() {
        if (published) {
            return;
        }
        try {
            if (made != null) {
                fs.delete(hidden, false);
            } else if (writer != null) {
                writer.abandon();
            }
        } catch (FsException e) {
            LOG.warn("A draft stays: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
