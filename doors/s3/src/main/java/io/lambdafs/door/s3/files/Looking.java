package io.lambdafs.door.s3.files;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.FileReader;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletionStage;

/** Reads the attributes of objects; those in the label must belong to the same file. Stateless. */
public final class Looking {
    private static final int MOST_TRIES = 5;
    private static final int AT_ONCE = 128;

    private Looking() {}

    /**
     * An object opened for reading.
     *
     * @param reader which its user closes
     */
    public record Opened(FileReader reader, Found found) {}

    /** Returns what is at a path; empty if there is nothing. */
    public static Optional<Attributes> status(BlockingLambdaFs fs, FsPath path) throws InterruptedException {
        try {
            return Optional.of(fs.stat(path));
        } catch (FsException e) {
            if (e.code() == ErrorCode.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Returns the object at a path; empty if there is no file. */
    public static Optional<Found> at(BlockingLambdaFs fs, FsPath path) throws InterruptedException {
        for (int tries = 1; ; tries++) {
            Attributes file;
            try {
                file = fs.stat(path);
            } catch (FsException e) {
                if (isAbsence(fs, path, e)) {
                    return Optional.empty();
                }
                throw e;
            }
            if (file.isDirectory()) {
                return Optional.empty();
            }
            Found found = BlockingLambdaFs.await(found(fs, path, file, false));
            if (isOne(found) || tries == MOST_TRIES) {
                return Optional.of(found);
            }
        }
    }

    /** Returns whether a failure says that there is nothing: below a file HDFS's rules call it a lack of rights. */
    private static boolean isAbsence(BlockingLambdaFs fs, FsPath path, FsException why) throws InterruptedException {
        if (why.code() != ErrorCode.PERMISSION_DENIED) {
            return why.code() == ErrorCode.NOT_FOUND || why.code() == ErrorCode.NOT_A_DIRECTORY;
        }
        for (FsPath above = path.parent(); !above.isRoot(); above = above.parent()) {
            try {
                return !fs.stat(above).isDirectory();
            } catch (FsException e) {
                if (e.code() != ErrorCode.PERMISSION_DENIED) {
                    return e.code() == ErrorCode.NOT_FOUND;
                }
            }
        }
        return false;
    }

    /** Returns whether the attributes are of the file, or of a copy: else another may have come between. */
    private static boolean isOne(Found found) {
        return found.label().isEmpty()
                || found.label().get().id() == found.file().id();
    }

    /** Opens the object at a path; fails with {@code NOT_FOUND} if there is no file. */
    public static Opened open(BlockingLambdaFs fs, FsPath path) throws InterruptedException {
        for (int tries = 1; ; tries++) {
            FileReader reader;
            try {
                reader = BlockingLambdaFs.await(fs.async().reader(path));
            } catch (FsException e) {
                throw e.code() == ErrorCode.IS_A_DIRECTORY || isAbsence(fs, path, e)
                        ? new FsException(ErrorCode.NOT_FOUND, "there is no file \"" + path + "\"")
                        : e;
            }
            try {
                Found found = BlockingLambdaFs.await(found(fs, path, reader.attributes(), true));
                if (isOne(found) || tries == MOST_TRIES) {
                    return new Opened(reader, found);
                }
            } catch (FsException e) {
                reader.close();
                throw e;
            }
            reader.close();
        }
    }

    /** Returns the whole contents of a file of this door's own, which are short. */
    static byte[] read(BlockingLambdaFs fs, FsPath path) throws InterruptedException {
        try (FileReader reader = BlockingLambdaFs.await(fs.async().reader(path))) {
            ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(reader.length()));
            while (all.hasRemaining()) {
                all.put(BlockingLambdaFs.await(reader.read(all.position(), all.remaining())));
            }
            return all.array();
        }
    }

    /** @param strictly whether one who may not read the file fails */
    private static CompletionStage<Found> found(BlockingLambdaFs fs, FsPath path, Attributes file, boolean strictly) {
        return fs.async().xattrs(path, true).handle((values, problem) -> {
            if (problem != null) {
                FsException why = FsException.of(problem);
                if (strictly || why.code() != ErrorCode.PERMISSION_DENIED) {
                    throw why;
                }
                return new Found(file, Optional.empty(), Map.of());
            }
            return found(file, values);
        });
    }

    private static Found found(Attributes file, SortedMap<String, byte[]> values) {
        return new Found(
                file,
                Label.read(values.get(Label.XATTR)).filter(label -> label.isOf(file)),
                Tags.read(values.get(Tags.XATTR)));
    }

    /** Returns what is known of files that a listing has shown; of those that are gone since, only what it has shown. */
    static List<Found> all(BlockingLambdaFs fs, List<FsPath> paths, List<Attributes> files)
            throws InterruptedException {
        List<Found> all = new ArrayList<>(files.size());
        for (int from = 0; from < files.size(); from += AT_ONCE) {
            List<CompletionStage<Found>> asked = new ArrayList<>();
            for (int i = from; i < Math.min(files.size(), from + AT_ONCE); i++) {
                Attributes file = files.get(i);
                asked.add(found(fs, paths.get(i), file, false).exceptionally(gone -> {
                    FsException why = FsException.of(gone);
                    if (why.code() != ErrorCode.NOT_FOUND) {
                        throw why;
                    }
                    return new Found(file, Optional.empty(), Map.of());
                }));
            }
            for (CompletionStage<Found> each : asked) {
                all.add(BlockingLambdaFs.await(each));
            }
        }
        return all;
    }
}
