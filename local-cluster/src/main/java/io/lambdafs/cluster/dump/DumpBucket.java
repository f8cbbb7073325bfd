package io.lambdafs.cluster.dump;

import io.lambdafs.datanode.BlockStores;
import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.BlockStore.StoredObject;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.disk.FileTrouble;
import io.lambdafs.model.disk.PrivateFolder;
import io.lambdafs.rpc.objects.ObjectPlace;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Dumps of several moments in a bucket, each under its own name. One is whole once its manifest is there, which is
 * written last and removed first. All other objects stay untouched. Not thread-safe.
 */
public final class DumpBucket implements AutoCloseable {
    private static final int PAGE = 1_000;
    private static final int PIECE_BYTES = 1 << 20;

    private final BlockStore objects;

    DumpBucket(BlockStore objects) {
        this.objects = objects;
    }

    /** Returns whether a string names a place in a bucket, rather than a directory. */
    public static boolean isOne(String place) {
        return ObjectPlace.isOne(place);
    }

    /**
     * Opens a bucket.
     *
     * @param endpoint of an S3-compatible store; empty for Amazon's
     * @param spool a folder of this process alone
     * @throws FsException {@code INVALID_ARGUMENT}: it is no name of a bucket, or the endpoint no address; else as the
     *     store's kind specifies
     */
    public static DumpBucket open(String place, String endpoint, Path spool) {
        try {
            return new DumpBucket(BlockStores.open(
                    place,
                    Optional.of(endpoint).filter(each -> !each.isEmpty()),
                    Optional.empty(),
                    "dump-" + ProcessHandle.current().pid(),
                    spool));
        } catch (IllegalArgumentException e) {
            throw FsException.invalidArgument(String.valueOf(e.getMessage()), e);
        }
    }

    /** Copies a whole dump of this machine into the bucket. */
    public void put(Path dump) {
        if (!Manifest.read(dump).isWhole()) {
            throw new FsException(ErrorCode.NOT_ALLOWED, "the dump in " + dump + " was interrupted: take another one");
        }
        try (Stream<Path> found = Files.list(dump)) {
            List<String> files = found.map(DumpBucket::name).toList();
            for (String each : inOrder(files)) {
                upload(dump.resolve(each), name(dump) + "/" + each);
            }
        } catch (IOException e) {
            throw FileTrouble.of("cannot copy the dump " + dump + " to " + objects.place(), e);
        }
    }

    static List<String> inOrder(Collection<String> files) {
        return files.stream()
                .sorted(Comparator.comparing((String each) -> each.equals(Manifest.FILE))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private void upload(Path file, String key) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        try (InputStream in = Files.newInputStream(file);
                BlockStore.Upload upload = objects.upload(key)) {
            for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                upload.write(piece, 0, count);
            }
            upload.commit();
        }
    }

    /**
     * Copies a whole dump into a folder, open only to its owner.
     *
     * @param dump its name; empty for the newest
     * @return its directory there
     * @throws FsException {@code NOT_FOUND}: there is no such dump
     */
    public Path fetch(String dump, Path folder) {
        NavigableMap<String, List<String>> all = dumps();
        String name = all.keySet().stream()
                .filter(each -> isWhole(all, each) && (dump.isEmpty() || each.equals(dump)))
                .findFirst()
                .orElseThrow(() -> new FsException(
                        ErrorCode.NOT_FOUND,
                        "there is no whole dump " + (dump.isEmpty() ? "in " : dump + " in ") + objects.place()));
        Path directory = folder.resolve(name);
        try {
            Files.createDirectories(directory, PrivateFolder.forFolder(directory));
            for (String each : all.getOrDefault(name, List.of())) {
                download(name + "/" + each, directory.resolve(each));
            }
        } catch (IOException e) {
            throw FileTrouble.of("cannot copy the dump " + name + " to " + directory, e);
        }
        return directory;
    }

    private void download(String key, Path file) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        try (FileChannel out = FileChannel.open(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), PrivateFolder.forFile(file))) {
            long length = objects.length(key).orElse(0);
            for (long at = 0; at < length; ) {
                int count = objects.read(key, at, piece, 0, (int) Math.min(PIECE_BYTES, length - at));
                if (count <= 0) {
                    throw new IOException(key + " ends after " + at + " of " + length + " bytes");
                }
                ByteBuffer left = ByteBuffer.wrap(piece, 0, count);
                while (left.hasRemaining()) {
                    out.write(left);
                }
                at += count;
            }
        }
    }

    /**
     * Removes all but the newest whole dumps, and interrupted ones older than the newest.
     *
     * @param count the number of dumps that stay
     * @return the names of the removed dumps
     */
    public List<String> keep(int count) {
        NavigableMap<String, List<String>> all = dumps();
        List<String> removed = DumpFolder.superfluous(all.keySet(), each -> isWhole(all, each), count);
        for (String name : removed) {
            List<String> files = new ArrayList<>(inOrder(all.getOrDefault(name, List.of())));
            for (int i = files.size() - 1; i >= 0; i--) {
                objects.delete(name + "/" + files.get(i));
            }
        }
        return removed;
    }

    private static boolean isWhole(Map<String, List<String>> all, String name) {
        return all.getOrDefault(name, List.of()).contains(Manifest.FILE);
    }

    /** Returns the files of each dump, the newest first. */
    private NavigableMap<String, List<String>> dumps() {
        NavigableMap<String, List<String>> all = new TreeMap<>(Comparator.reverseOrder());
        List<StoredObject> page = objects.list("", "", PAGE);
        while (!page.isEmpty()) {
            for (StoredObject each : page) {
                int slash = each.key().indexOf('/');
                if (slash > 0 && DumpFolder.isDump(each.key().substring(0, slash))) {
                    all.computeIfAbsent(each.key().substring(0, slash), name -> new ArrayList<>())
                            .add(each.key().substring(slash + 1));
                }
            }
            page = objects.list("", page.get(page.size() - 1).key(), PAGE);
        }
        return all;
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    @Override
    public void close() {
        objects.close();
    }
}
