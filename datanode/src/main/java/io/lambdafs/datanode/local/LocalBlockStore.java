package io.lambdafs.datanode.local;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.BlockStoreCheck;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.model.disk.DirectorySync;
import io.lambdafs.model.disk.PrivateFolder;
import io.lambdafs.rpc.FileSlice;
import io.lambdafs.rpc.SystemScheduler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps each object in a file of a directory, which several datanodes may share. An upload is a file below
 * {@code uploads/}; committing it syncs the file, links it under its key, which never replaces another, and syncs the
 * folder. Thread-safe.
 */
public final class LocalBlockStore implements BlockStore {
    private static final Logger LOG = LoggerFactory.getLogger(LocalBlockStore.class);
    private static final String UPLOADS = "uploads";
    /** Stands for '/' in the name of an upload's file; no key contains it. */
    private static final String SLASH = "+";
    /** The maximum part of an upload that waits unsynced: the final sync then has little left to wait for. */
    private static final long SYNC_BYTES = 16 << 20;

    private static final Set<StandardOpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    private static final int SYNCS = 2;
    private static final int MOST_WAITING = 256;

    private final Path root;
    private final Path uploads;
    private final Set<Path> folders = ConcurrentHashMap.newKeySet();
    private final AtomicLong drafts = new AtomicLong();
    private final SystemScheduler syncing = new SystemScheduler("block-sync", SYNCS, MOST_WAITING);

    private LocalBlockStore(Path root, Path uploads) {
        this.root = root;
        this.uploads = uploads;
    }

    /**
     * Opens a directory, creates it if it does not exist, and removes the remains of this owner's uploads.
     *
     * @param owner of the uploads: a name that no other process of the directory uses
     * @throws FsException {@code UNAVAILABLE}: the directory cannot be used
     */
    public static LocalBlockStore open(Path directory, String owner) {
        Path root = directory.toAbsolutePath().normalize();
        Path uploads = root.resolve(UPLOADS).resolve(owner);
        try {
            if (isOwn(root)) {
                close(root);
            }
            close(root.resolve(UPLOADS));
            close(uploads);
            close(root.resolve(ObjectKey.BLOCKS));
            try (Stream<Path> left = Files.list(uploads)) {
                for (Path draft : left.toList()) {
                    Files.deleteIfExists(draft);
                }
            }
        } catch (IOException e) {
            throw FsException.unavailable(
                    "cannot use the directory " + root + " for blocks: " + e + "; check who owns it, or name another",
                    e);
        }
        return new LocalBlockStore(root, uploads);
    }

    /** A directory with other content keeps its mode: only the store's part of it is closed to others. */
    private static boolean isOwn(Path root) throws IOException {
        if (!Files.isDirectory(root) || Files.exists(root.resolve(BlockStoreCheck.MARKER))) {
            return true;
        }
        try (Stream<Path> files = Files.list(root)) {
            return files.findAny().isEmpty();
        }
    }

    private static void close(Path folder) throws IOException {
        PrivateFolder.make(folder).ifPresent(why -> LOG.warn("{}", why));
    }

    @Override
    public String place() {
        return "directory " + root;
    }

    private Path file(String key) {
        return root.resolve(key);
    }

    @Override
    public Upload upload(String key) {
        Path draft = uploads.resolve(key.replace("/", SLASH) + "~" + drafts.incrementAndGet());
        try {
            FileChannel channel = FileChannel.open(draft, NEW, PrivateFolder.forFile(draft));
            return new LocalUpload(key, draft, channel);
        } catch (IOException e) {
            throw failure("write", key, e);
        }
    }

    @Override
    public OptionalLong length(String key) {
        try {
            return OptionalLong.of(Files.size(file(key)));
        } catch (NoSuchFileException e) {
            return OptionalLong.empty();
        } catch (IOException e) {
            throw failure("look at", key, e);
        }
    }

    @Override
    public int read(String key, long offset, byte[] into, int at, int length) {
        try (FileChannel channel = FileChannel.open(file(key), StandardOpenOption.READ)) {
            ByteBuffer buffer = ByteBuffer.wrap(into, at, length);
            long position = offset;
            int count = 0;
            while (buffer.hasRemaining() && count >= 0) {
                count = channel.read(buffer, position);
                position += Math.max(0, count);
            }
            return length - buffer.remaining();
        } catch (IOException e) {
            throw failure("read", key, e);
        }
    }

    @Override
    public @Nullable FileSlice slice(String key, long offset, int length) {
        try {
            return FileSlice.open(file(key), offset, length);
        } catch (IOException e) {
            LOG.debug("{} is not sent from its file: {}", key, e.toString());
            return null;
        }
    }

    @Override
    public boolean delete(String key) {
        try {
            return Files.deleteIfExists(file(key));
        } catch (IOException e) {
            throw failure("delete", key, e);
        }
    }

    @Override
    public List<StoredObject> list(String prefix, String after, int limit) {
        try {
            return new Listing(root, UPLOADS, prefix, after, limit).read();
        } catch (IOException e) {
            throw failure("list", prefix, e);
        }
    }

    /** {@inheritDoc} Covers every owner's. */
    @Override
    public List<UnfinishedUpload> unfinished(String prefix, String after, int limit) {
        try {
            return Listing.drafts(root.resolve(UPLOADS), SLASH).stream()
                    .filter(each -> each.key().startsWith(prefix) && each.key().compareTo(after) > 0)
                    .limit(limit)
                    .toList();
        } catch (IOException e) {
            throw failure("list uploads", prefix, e);
        }
    }

    @Override
    public void drop(UnfinishedUpload upload) {
        try {
            Files.deleteIfExists(root.resolve(UPLOADS).resolve(upload.id()));
        } catch (IOException e) {
            throw failure("drop the upload of", upload.key(), e);
        }
    }

    @Override
    public Space space() {
        try {
            FileStore disk = Files.getFileStore(root);
            return new Space(disk.getTotalSpace(), disk.getUsableSpace());
        } catch (IOException e) {
            throw failure("look at", "", e);
        }
    }

    @Override
    public void close() {
        syncing.close();
    }

    private FsException failure(String what, String key, IOException e) {
        String message = "cannot " + what + " " + key + " in " + place() + ": ";
        if (e instanceof NoSuchFileException) {
            return new FsException(ErrorCode.BLOCK_MISSING, message + "there is none");
        }
        if (e instanceof AccessDeniedException) {
            return new FsException(ErrorCode.PERMISSION_DENIED, message + "access denied; check who owns it", e);
        }
        String why = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        if (why.contains("no space left") || why.contains("quota exceeded")) {
            return new FsException(ErrorCode.STORE_FULL, message + "the disk is full; make room, or add a disk", e);
        }
        return FsException.unavailable(message + e, e);
    }

    /** Creates the folder of a file, and syncs each new folder into its parent. */
    private void makeFolder(Path folder) throws IOException {
        if (folder.equals(root) || folders.contains(folder)) {
            return;
        }
        Path above = folder.resolveSibling("");
        makeFolder(above);
        PrivateFolder.make(folder);
        DirectorySync.sync(above);
        folders.add(folder);
    }

    private final class LocalUpload implements Upload {
        private final String key;
        private final Path draft;
        private final FileChannel channel;
        /** Syncs run one at a time, so that the last one knows the failures of the others. */
        private final Object sync = new Object();

        private @Nullable IOException unsynced;
        private volatile boolean syncs;
        private long waiting;

        LocalUpload(String key, Path draft, FileChannel channel) {
            this.key = key;
            this.draft = draft;
            this.channel = channel;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            try {
                ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
            } catch (IOException e) {
                throw failure("write", key, e);
            }
            waiting += length;
            if (waiting >= SYNC_BYTES && !syncs) {
                waiting = 0;
                syncs = true;
                syncMeanwhile();
            }
        }

        private void syncMeanwhile() {
            try {
                syncing.execute(() -> {
                    synchronized (sync) {
                        try {
                            channel.force(false);
                        } catch (IOException e) {
                            unsynced = e;
                        }
                    }
                    syncs = false;
                });
            } catch (FsException full) {
                syncs = false;
            }
        }

        /** The system reports a disk fault once, to whichever sync is first. */
        private void sync() throws IOException {
            synchronized (sync) {
                if (unsynced != null) {
                    throw unsynced;
                }
                channel.force(true);
            }
        }

        @Override
        public void commit() {
            Path file = file(key);
            Path folder = file.resolveSibling("");
            try {
                sync();
                makeFolder(folder);
                Files.createLink(file, draft);
                DirectorySync.sync(folder);
            } catch (FileAlreadyExistsException e) {
                throw new FsException(
                        ErrorCode.ALREADY_EXISTS, "cannot write " + key + " in " + place() + ": it is there already");
            } catch (IOException e) {
                throw failure("write", key, e);
            }
        }

        @Override
        public void close() {
            try {
                channel.close();
                Files.deleteIfExists(draft);
            } catch (IOException e) {
                LOG.warn("what is left of an upload stays in {}: {}", draft, e.toString());
            }
        }
    }
}
