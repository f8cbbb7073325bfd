package io.lambdafs.door.s3.files;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.Operation.RenameMode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An upload in parts: a hidden directory of its bucket, with a file of each part. Completing it first notes the list of its
 * parts, then joins the files by moving their blocks, and publishes the result: whoever repeats a completion that was cut off
 * goes on with it. Immutable.
 *
 * @param id random
 * @param directory of its files
 */
public record Upload(String id, FsPath directory) {
    private static final CreateOptions NEW = CreateOptions.DEFAULT.withCreateParents(false);
    private static final String ABOUT = "about";
    private static final String LIST = "list";
    private static final String WHOLE = "whole";
    private static final String PART = "part-";
    /** Everybody who may write to the bucket uploads, and removes what is its own. */
    private static final int COMMON_MODE = 01777;

    private static final int OWN_MODE = 0700;
    private static final int MOST_SOURCES = 500;
    private static final long MOST_BLOCKS = 1_500;
    private static final JsonMapper JSON = new JsonMapper();

    /**
     * The object that it is to become.
     *
     * @param begun in milliseconds since 1970
     */
    public record About(String key, String user, long begun, Label label, Map<String, String> tags) {}

    /** A part of a list. */
    public record Part(int number, String etag, long size) {}

    /** Begins an upload. */
    public static Upload begin(BlockingLambdaFs fs, FsPath uploads, About about) throws InterruptedException {
        String id = Places.random();
        Upload made = new Upload(id, uploads.child(id));
        BlockingLambdaFs.await(fs.async().mkdirs(uploads, COMMON_MODE, false));
        BlockingLambdaFs.await(fs.async().mkdirs(made.directory, OWN_MODE, false));
        try (Draft draft = new Draft(fs, made.directory.child(ABOUT), made.directory.depth())) {
            draft.write(ByteBuffer.wrap(write(about)));
            draft.complete();
            draft.publish(Draft.UNCONDITIONAL);
        }
        return made;
    }

    /** Returns an upload by the id that a client names. */
    public static Upload named(FsPath uploads, String id) {
        if (!id.matches("[0-9a-f]{32}")) {
            throw none();
        }
        return new Upload(id, uploads.child(id));
    }

    private static S3Failure none() {
        return new S3Failure(S3Code.NO_SUCH_UPLOAD, "there is no such upload: it may be complete, or aborted");
    }

    /** Returns the uploads of a bucket. */
    public static List<Upload> all(BlockingLambdaFs fs, FsPath uploads) {
        List<Upload> all = new ArrayList<>();
        try {
            for (Iterator<Attributes> each = fs.list(uploads); each.hasNext(); ) {
                String id = each.next().name();
                all.add(new Upload(id, uploads.child(id)));
            }
        } catch (FsException e) {
            if (e.code() != ErrorCode.NOT_FOUND) {
                throw e;
            }
        }
        return all;
    }

    private static byte[] write(Object value) {
        try {
            return JSON.writeValueAsBytes(value);
        } catch (JacksonException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns what it is to become; fails with NoSuchUpload. */
    public About about(BlockingLambdaFs fs) throws InterruptedException {
        try {
            return JSON.readValue(Looking.read(fs, directory.child(ABOUT)), About.class);
        } catch (FsException e) {
            if (e.code() == ErrorCode.NOT_FOUND) {
                throw none();
            }
            throw e;
        } catch (IOException e) {
            throw new S3Failure(S3Code.INTERNAL_ERROR, "what is noted of the upload cannot be read", e);
        }
    }

    /** Returns the file of a part. */
    public FsPath part(int number) {
        return directory.child(PART + String.format(Locale.ROOT, "%05d", number));
    }

    /** Returns the parts that have been uploaded, and not joined, by their numbers. */
    public List<Map.Entry<Integer, Found>> parts(BlockingLambdaFs fs) throws InterruptedException {
        List<FsPath> paths = new ArrayList<>();
        List<Attributes> files = new ArrayList<>();
        for (Iterator<Attributes> all = fs.list(directory); all.hasNext(); ) {
            Attributes each = all.next();
            if (each.name().startsWith(PART)) {
                paths.add(directory.child(each.name()));
                files.add(each);
            }
        }
        return Looking.all(fs, paths, files).stream()
                .map(each -> Map.entry(Integer.parseInt(each.file().name().substring(PART.length())), each))
                .toList();
    }

    /** Notes the list of the parts, once; returns the one that was noted. */
    public List<Part> note(BlockingLambdaFs fs, List<Part> parts) throws InterruptedException {
        Optional<List<Part>> noted = noted(fs);
        if (noted.isPresent()) {
            return noted.get();
        }
        try (Draft draft = new Draft(fs, directory.child(LIST), directory.depth())) {
            draft.write(ByteBuffer.wrap(write(parts)));
            draft.complete();
            draft.publish(Upload::ifNone);
            return parts;
        } catch (S3Failure e) {
            return noted(fs).orElseThrow(() -> e);
        }
    }

    private static Draft.Expected ifNone(Optional<Found> there) {
        if (there.isPresent()) {
            throw new S3Failure(S3Code.CONDITIONAL_REQUEST_CONFLICT, "another completes the upload");
        }
        return Draft.Expected.NONE;
    }

    /** Returns the list that a completion has noted. */
    public Optional<List<Part>> noted(BlockingLambdaFs fs) throws InterruptedException {
        try {
            byte[] list = Looking.read(fs, directory.child(LIST));
            return Optional.of(JSON.readValue(list, new TypeReference<List<Part>>() {}));
        } catch (FsException e) {
            if (e.code() == ErrorCode.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        } catch (IOException e) {
            throw new S3Failure(S3Code.INTERNAL_ERROR, "the list of the parts cannot be read", e);
        }
    }

    /** Joins the parts of the noted list into one file; returns it. */
    public Attributes join(BlockingLambdaFs fs, List<Part> list) throws InterruptedException {
        FsPath whole = directory.child(WHOLE);
        List<Part> full = list.stream().filter(each -> each.size() > 0).toList();
        if (full.isEmpty()) {
            return orThere(fs, whole, () -> fs.create(whole, new byte[0], NEW));
        }
        if (Looking.at(fs, whole).isEmpty()) {
            orThere(fs, whole, () -> {
                fs.rename(part(full.get(0).number()), whole, RenameMode.STRICT);
                return fs.stat(whole);
            });
        }
        int tries = 0;
        while (true) {
            List<FsPath> next = next(fs, full);
            if (next.isEmpty()) {
                break;
            }
            try {
                fs.concat(whole, next);
            } catch (FsException e) {
                // Perhaps another completion joins them.
                if (e.code() != ErrorCode.NOT_FOUND || ++tries > full.size()) {
                    throw e;
                }
            }
        }
        Attributes file = fs.stat(whole);
        long wanted = full.stream().mapToLong(Part::size).sum();
        if (file.size() != wanted) {
            throw new S3Failure(
                    S3Code.INTERNAL_ERROR,
                    "the parts have " + file.size() + " bytes, not " + wanted + ": abort the upload");
        }
        return file;
    }

    private interface Making {
        Attributes make() throws InterruptedException;
    }

    private static Attributes orThere(BlockingLambdaFs fs, FsPath file, Making making) throws InterruptedException {
        try {
            return making.make();
        } catch (FsException e) {
            if (e.code() != ErrorCode.ALREADY_EXISTS && e.code() != ErrorCode.NOT_FOUND) {
                throw e;
            }
            return fs.stat(file);
        }
    }

    /** Returns the first parts that are not joined yet, as many as are joined at once. */
    private List<FsPath> next(BlockingLambdaFs fs, List<Part> full) throws InterruptedException {
        Map<Integer, Found> left = parts(fs).stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        List<FsPath> next = new ArrayList<>();
        long blocks = 0;
        for (Part each : full.subList(1, full.size())) {
            Found found = left.get(each.number());
            if (found == null) {
                continue;
            }
            blocks += found.size() / Math.max(1, found.file().blockSize()) + 1;
            if (!next.isEmpty() && (blocks > MOST_BLOCKS || next.size() == MOST_SOURCES)) {
                break;
            }
            next.add(part(each.number()));
        }
        return next;
    }

    /** Gives the joined file its label and makes it the object, under a condition. */
    public void publish(
            BlockingLambdaFs fs, FsPath object, int bucketDepth, Label label, About about, Draft.Condition when)
            throws InterruptedException {
        FsPath whole = directory.child(WHOLE);
        BlockingLambdaFs.await(fs.async().setXattr(whole, Label.XATTR, label.json(), true, true));
        if (!about.tags().isEmpty()) {
            BlockingLambdaFs.await(fs.async().setXattr(whole, Tags.XATTR, Tags.json(about.tags()), true, true));
        }
        Draft.publish(fs, whole, object, bucketDepth, when);
        remove(fs);
    }

    /** Removes it with its parts. */
    public void remove(BlockingLambdaFs fs) throws InterruptedException {
        fs.delete(directory, true);
    }
}
