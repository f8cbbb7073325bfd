package io.lambdafs.door.s3.files;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.NamespaceOperation;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Removes objects, and the directories that they leave empty. Stateless. */
public final class Removal {
    private static final int MOST_RACES = 64;
    private static final long LEFT_BEHIND_MILLIS = TimeUnit.DAYS.toMillis(1);

    private Removal() {}

    /**
     * Removes an object, in one transaction with a condition; one that is not there is removed already, as in S3.
     *
     * @param bucketDepth the depth of the bucket's path, which stays
     */
    public static void remove(BlockingLambdaFs fs, FsPath object, int bucketDepth, Draft.Condition condition)
            throws InterruptedException {
        for (int races = 0; ; races++) {
            Optional<Found> there = Looking.at(fs, object);
            if (there.isEmpty()) {
                return;
            }
            condition.check(there);
            try {
                fs.execute(
                        new NamespaceOperation.Delete(object, false, there.get().seen()));
                prune(fs, object.parent(), bucketDepth);
                return;
            } catch (FsException e) {
                // Another has replaced it, or made a directory of it, since the look.
                boolean race = e.code() == ErrorCode.ALREADY_EXISTS || e.code() == ErrorCode.IS_A_DIRECTORY;
                if (!race || races == MOST_RACES) {
                    throw e;
                }
            }
        }
    }

    /** Removes the empty directories below a directory, and drafts that were left behind. */
    public static void removeEmpty(BlockingLambdaFs fs, FsPath directory) throws InterruptedException {
        for (Iterator<Attributes> all = fs.list(directory); all.hasNext(); ) {
            Attributes each = all.next();
            FsPath path = directory.child(each.name());
            if (each.isDirectory()) {
                removeEmpty(fs, path);
                fs.delete(path, false);
            } else if (isLeftBehind(each)) {
                fs.delete(path, false);
            }
        }
    }

    /** Returns whether a file is an abandoned draft. */
    private static boolean isLeftBehind(Attributes file) {
        return Places.isHidden(file.name())
                && !file.name().equals(Places.OF_DIRECTORY)
                && file.mtime() < System.currentTimeMillis() - LEFT_BEHIND_MILLIS;
    }

    /** Removes a directory, and those above, as far as they are empty. */
    static void prune(BlockingLambdaFs fs, FsPath from, int bucketDepth) throws InterruptedException {
        for (FsPath each = from; each.depth() > bucketDepth; each = each.parent()) {
            try {
                Attributes directory = fs.stat(each);
                if (!directory.isDirectory() || directory.children() > 0 || !fs.delete(each, false)) {
                    return;
                }
            } catch (FsException e) {
                // It is not empty any more, or not the caller's to remove; no object is left in it.
                return;
            }
        }
    }
}
