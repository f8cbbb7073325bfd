package io.lambdafs.hadoop;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.client.FileWriter;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.Lister;
import io.lambdafs.hadoop.convert.Blocks;
import io.lambdafs.hadoop.convert.Checksums;
import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.hadoop.convert.LambdaFileStatus;
import io.lambdafs.hadoop.convert.LocatedStatus;
import io.lambdafs.hadoop.convert.Statuses;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Operation.RenameMode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.InvalidPathHandleException;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.MultipartUploaderBuilder;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.impl.FileSystemMultipartUploaderBuilder;
import org.apache.hadoop.fs.impl.PathCapabilitiesSupport;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.apache.hadoop.util.functional.RemoteIterators;
import org.jspecify.annotations.Nullable;

/**
 * The {@code lambdafs://} file system for Hadoop programs, with HDFS's semantics. Within a process, file systems of the
 * same cluster and user share a client. Unknown {@code lambdafs.} properties are rejected. Unsupported: links,
 * snapshots. Thread-safe.
 */
public final class LambdaFileSystem extends AttributeFileSystem implements LeaseRecoverable {
    /** The scheme, also the prefix of its properties. */
    public static final String SCHEME = "lambdafs";

    private static final int MOST_CHECKSUMS_ASKED = 1_000;

    /**
     * Shorter files are always inline, unless a service's inline limit is lower; their blocks need not be looked up.
     */
    private static final int SMALLEST_IN_BLOCKS = 64 << 10;

    /** Kinds that were asked for of the last files created: programs compare a copy as soon as it is made. */
    private final Map<FsPath, ChecksumOpt> checksumsAsked = Collections.synchronizedMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<FsPath, ChecksumOpt> eldest) {
            return size() > MOST_CHECKSUMS_ASKED;
        }
    });

    private final Statuses statuses = new Statuses();
    private volatile @Nullable ListingsAhead listingsAhead;

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        statistics.incrementReadOps(1);
        FsPath target = fsPath(path);
        return statuses.of(await(client().stat(target), target), qualified(path));
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        List<FileStatus> entries = new ArrayList<>();
        RemoteIterator<FileStatus> listing = listStatusIterator(path);
        while (listing.hasNext()) {
            entries.add(listing.next());
        }
        return entries.toArray(FileStatus[]::new);
    }

    /** {@inheritDoc} Fetched page by page. */
    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
        statistics.incrementReadOps(1);
        return new Listing(use(), fsPath(path), qualified(path), statuses, listingsAhead);
    }

    /**
     * From now on, listing a directory also requests the listings of its children, some at a time, for a program that
     * walks a tree directory by directory. The listing of a child may then be as old as that of the directory above.
     */
    public void listAhead() throws IOException {
        LambdaFs fs = use().client();
        listingsAhead = new ListingsAhead(child -> {
            Lister lister = fs.lister(child, Listing.PAGE);
            return new ListingsAhead.Begun(lister, lister.next());
        });
    }

    @Override
    protected RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path, PathFilter filter) throws IOException {
        RemoteIterator<FileStatus> wanted = RemoteIterators.filteringRemoteIterator(
                listStatusIterator(path), status -> filter.accept(status.getPath()));
        return RemoteIterators.mappingRemoteIterator(wanted, this::located);
    }

    private LocatedFileStatus located(FileStatus status) throws IOException {
        BlockLocation[] locations = status.isFile() ? getFileBlockLocations(status, 0, status.getLen()) : null;
        return new LocatedStatus(status, locations);
    }

    /** {@inheritDoc} Lists many directories concurrently. */
    @Override
    public RemoteIterator<LocatedFileStatus> listFiles(Path path, boolean recursive) throws IOException {
        if (!recursive) {
            return super.listFiles(path, false);
        }
        return RemoteIterators.mappingRemoteIterator(
                RemoteIterators.filteringRemoteIterator(below(path), FileStatus::isFile), this::located);
    }

    /** Returns everything below a directory, or a file itself, in no particular order. */
    RemoteIterator<FileStatus> below(Path path) throws IOException {
        statistics.incrementReadOps(1);
        return new Tree(use(), fsPath(path), qualified(path), statuses);
    }

    /**
     * {@inheritDoc} A closed file system throws an {@link UncheckedIOException}, because the method declares no other.
     */
    @Override
    protected PathHandle createPathHandle(FileStatus status, Options.HandleOpt... options) {
        try {
            use().checkOpen();
        } catch (IOException closed) {
            throw new UncheckedIOException(closed);
        }
        if (status.isDirectory() || status.isSymlink()) {
            throw new IllegalArgumentException("only files have handles: " + status.getPath());
        }
        checkPath(status.getPath());
        return FileHandle.of(status, options);
    }

    @Override
    public FSDataInputStream open(PathHandle handle, int bufferSize) throws IOException {
        FileHandle known = FileHandle.of(handle);
        LambdaInputStream content;
        try {
            content = opened(new Path(known.path()));
        } catch (FileNotFoundException gone) {
            throw new InvalidPathHandleException(known.path() + " is not there any more", gone);
        }
        try {
            known.check(LambdaFileStatus.etag(content.attributes()));
        } catch (InvalidPathHandleException changed) {
            content.close();
            throw changed;
        }
        return new FSDataInputStream(content);
    }

    /** {@inheritDoc} Up to 1,000 paths, with one request per owning deployment. */
    @Override
    public BulkDelete createBulkDelete(Path base) throws IOException {
        use().checkOpen();
        return LambdaBulkDelete.of(this, makeQualified(base));
    }

    /** {@inheritDoc} Parts are files, whose blocks are concatenated into one file. */
    @Override
    public MultipartUploaderBuilder<?, ?> createMultipartUploader(Path base) throws IOException {
        use().checkOpen();
        return new FileSystemMultipartUploaderBuilder(this, base);
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        return new FSDataInputStream(opened(path));
    }

    private LambdaInputStream opened(Path path) throws IOException {
        statistics.incrementReadOps(1);
        FsPath target = fsPath(path);
        try {
            return new LambdaInputStream(await(client().reader(target), target), target, use(), statistics);
        } catch (IOException e) {
            throw isCode(e, ErrorCode.IS_A_DIRECTORY) ? notAFile(e) : e;
        }
    }

    private static FileNotFoundException notAFile(IOException directory) {
        FileNotFoundException e = new FileNotFoundException(directory.getMessage());
        e.initCause(directory.getCause());
        return e;
    }

    @Override
    public FSDataOutputStream create(
            Path path,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress)
            throws IOException {
        return created(path, options(permission, overwrite, true, replication, blockSize));
    }

    @Override
    public FSDataOutputStream createNonRecursive(
            Path path,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress)
            throws IOException {
        CreateFlag.validate(flags);
        return created(
                path, flags, options(permission, flags.contains(CreateFlag.OVERWRITE), false, replication, blockSize));
    }

    /** {@inheritDoc} The permission is used as it is: the caller has already applied the umask. */
    @Override
    @SuppressWarnings("deprecation") // Deprecated and protected in the superclass, for its callers.
    protected FSDataOutputStream primitiveCreate(
            Path path,
            FsPermission absolute,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress,
            @Nullable ChecksumOpt checksum)
            throws IOException {
        asked(path, checksum);
        return create(path, absolute, flags, true, replication, blockSize);
    }

    /** {@inheritDoc} A kind of checksum holds for what this file system answers; see {@link #getFileChecksum}. */
    @Override
    public FSDataOutputStream create(
            Path path,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress,
            @Nullable ChecksumOpt checksum)
            throws IOException {
        asked(path, checksum);
        return super.create(path, permission, flags, bufferSize, replication, blockSize, progress, checksum);
    }

    /** Remembers the kind of checksum that a file's creator asked for. */
    void asked(Path path, @Nullable ChecksumOpt checksum) throws IOException {
        FsPath target = fsPath(path);
        if (checksum == null) {
            checksumsAsked.remove(target);
        } else {
            checksumsAsked.put(target, checksum);
        }
    }

    FSDataOutputStream create(
            Path path,
            FsPermission absolute,
            EnumSet<CreateFlag> flags,
            boolean createParents,
            short replication,
            long blockSize)
            throws IOException {
        CreateFlag.validate(flags);
        boolean overwrite = flags.contains(CreateFlag.OVERWRITE);
        return created(
                path,
                flags,
                new CreateOptions(
                        mode(absolute), unmasked(absolute), overwrite, createParents, replication, blockSize));
    }

    private FSDataOutputStream created(Path path, EnumSet<CreateFlag> flags, CreateOptions options) throws IOException {
        CreateFlag.validate(flags);
        if (flags.contains(CreateFlag.APPEND)) {
            try {
                return append(path);
            } catch (FileNotFoundException missing) {
                if (!flags.contains(CreateFlag.CREATE)) {
                    throw missing;
                }
            }
        }
        if (!flags.contains(CreateFlag.CREATE)) {
            // Overwrites only: the target must exist.
            getFileStatus(path);
        }
        return created(path, options);
    }

    private CreateOptions options(
            @Nullable FsPermission permission, boolean overwrite, boolean parents, int replication, long blockSize) {
        FsPermission asked = masked(permission == null ? FsPermission.getFileDefault() : permission);
        return new CreateOptions(mode(asked), unmasked(asked), overwrite, parents, replication, blockSize);
    }

    private static int unmasked(FsPermission permission) {
        FsPermission before = permission.getUnmasked();
        return mode(before == null ? permission : before);
    }

    private FSDataOutputStream created(Path path, CreateOptions options) throws IOException {
        statistics.incrementWriteOps(1);
        FsPath target = fsPath(path);
        FileWriter writer;
        try {
            writer = await(client().writer(target, options), target);
        } catch (IOException e) {
            throw isCode(e, ErrorCode.IS_A_DIRECTORY) ? alreadyExists(e) : e;
        }
        return new FSDataOutputStream(new LambdaOutputStream(use(), writer, target), statistics);
    }

    private static IOException alreadyExists(IOException directory) {
        IOException e = new FileAlreadyExistsException(directory.getMessage());
        e.initCause(directory.getCause());
        return e;
    }

    @Override
    public boolean mkdirs(Path path, FsPermission permission) throws IOException {
        statistics.incrementWriteOps(1);
        FsPath target = fsPath(path);
        FsPermission asked = masked(permission);
        await(client().mkdirs(target, mode(asked), unmasked(asked), true), target);
        return true;
    }

    /** {@inheritDoc} The permission is used as it is: the caller has already applied the umask. */
    @Override
    @SuppressWarnings("deprecation") // Deprecated and protected in the superclass, for its callers.
    protected void primitiveMkdir(Path path, FsPermission absolute, boolean createParents) throws IOException {
        statistics.incrementWriteOps(1);
        FsPath target = fsPath(path);
        LambdaFs client = client();
        await(client.mkdirs(target, mode(absolute), unmasked(absolute), createParents), target);
    }

    /** {@inheritDoc} HDFS's legacy rename: into the destination if that is a directory; false if it cannot be done. */
    @Override
    public boolean rename(Path source, Path destination) throws IOException {
        return rename(source, destination, RenameMode.INTO);
    }

    /** HDFS's newer rename: the destination must not exist unless overwriting; errors are typed. */
    @Override
    @SuppressWarnings("deprecation") // Deprecated and protected in the superclass, for its callers.
    public void rename(Path source, Path destination, Options.Rename... options) throws IOException {
        boolean overwrite = List.of(options).contains(Options.Rename.OVERWRITE);
        rename(source, destination, overwrite ? RenameMode.OVERWRITE : RenameMode.STRICT);
    }

    private boolean rename(Path source, Path destination, RenameMode mode) throws IOException {
        statistics.incrementWriteOps(1);
        FsPath from = fsPath(source);
        return await(client().rename(from, fsPath(destination), mode), from);
    }

    /**
     * {@inheritDoc} As in HDFS, the root is never deleted: without permission or if not empty this fails, otherwise it
     * returns false.
     */
    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        statistics.incrementWriteOps(1);
        FsPath target = fsPath(path);
        try {
            return await(client().delete(target, recursive), target);
        } catch (IOException e) {
            if (target.isRoot() && isCode(e, ErrorCode.NOT_ALLOWED)) {
                return false;
            }
            throw e;
        }
    }

    /** {@inheritDoc} As in HDFS, a file's bytes count once per replica. */
    @Override
    public ContentSummary getContentSummary(Path path) throws IOException {
        return Summaries.of(this, path);
    }

    /** {@inheritDoc} For a file in blocks, its datanodes; for an inline file, one location repeated per replica. */
    @Override
    public BlockLocation @Nullable [] getFileBlockLocations(@Nullable FileStatus file, long start, long length)
            throws IOException {
        use().checkOpen();
        if (file == null) {
            return null;
        }
        if (file.isDirectory()) {
            throw new FileNotFoundException("is a directory, and has no blocks: " + file.getPath());
        }
        if (file.getLen() >= SMALLEST_IN_BLOCKS && start < file.getLen() && length > 0) {
            FsPath target = fsPath(file.getPath());
            LambdaFs client = client();
            List<BlockLocation> inBlocks =
                    Failures.call(() -> Blocks.locations(client, target, start, length), target.toString());
            if (!inBlocks.isEmpty()) {
                return inBlocks.toArray(BlockLocation[]::new);
            }
        }
        BlockLocation[] locations = super.getFileBlockLocations(file, start, length);
        for (BlockLocation location : locations) {
            location.setHosts(copies(location.getHosts(), file.getReplication()));
            location.setNames(copies(location.getNames(), file.getReplication()));
        }
        return locations;
    }

    private static String[] copies(String[] one, int replication) {
        String[] all = new String[Math.max(1, replication)];
        Arrays.fill(all, one[0]);
        return all;
    }

    /**
     * {@inheritDoc} Computed as in HDFS, so that copies can be compared; of the whole file if the length exceeds the
     * file's. The kind is what this file system was asked for when it created the file, if it still knows, or the
     * configured one.
     */
    @Override
    public @Nullable FileChecksum getFileChecksum(Path path, long length) throws IOException {
        ChecksumOpt kind = Checksums.kind(getConf(), checksumsAsked.get(fsPath(path)));
        try (LambdaInputStream content = opened(path)) {
            Attributes file = content.attributes();
            if (file.content() == INode.Content.WRITING) {
                throw new IOException("\"" + path + "\" is being written: it has a checksum once it is closed");
            }
            boolean composite = getConf().get("dfs.checksum.combine.mode", "").equalsIgnoreCase("COMPOSITE_CRC");
            return Checksums.of(content, kind, composite, Math.min(length, file.size()), file.blockSize());
        }
    }

    @Override
    public @Nullable FileChecksum getFileChecksum(Path path) throws IOException {
        return getFileChecksum(path, Long.MAX_VALUE);
    }

    @Override
    public boolean hasPathCapability(Path path, String capability) throws IOException {
        return switch (PathCapabilitiesSupport.validatePathCapabilityArgs(makeQualified(path), capability)) {
            case CommonPathCapabilities.FS_PERMISSIONS,
                    CommonPathCapabilities.FS_CHECKSUMS,
                    CommonPathCapabilities.FS_APPEND,
                    CommonPathCapabilities.FS_TRUNCATE,
                    CommonPathCapabilities.FS_PATHHANDLES,
                    CommonPathCapabilities.FS_MULTIPART_UPLOADER,
                    CommonPathCapabilities.BULK_DELETE,
                    CommonPathCapabilities.ETAGS_AVAILABLE,
                    CommonPathCapabilities.ETAGS_PRESERVED_IN_RENAME,
                    CommonPathCapabilities.FS_XATTRS,
                    CommonPathCapabilities.FS_ACLS,
                    CommonPathCapabilities.FS_SNAPSHOTS,
                    CommonPathCapabilities.FS_STORAGEPOLICY,
                    "fs.capability.safe.mode",
                    CommonPathCapabilities.FS_CONCAT,
                    CommonPathCapabilities.LEASE_RECOVERABLE -> true;
            default -> super.hasPathCapability(path, capability);
        };
    }

    @Override
    public FSDataOutputStream append(Path path, int bufferSize, @Nullable Progressable progress) throws IOException {
        statistics.incrementWriteOps(1);
        FsPath target = fsPath(path);
        FileWriter writer;
        try {
            writer = await(client().appender(target), target);
        } catch (IOException e) {
            throw isCode(e, ErrorCode.IS_A_DIRECTORY) ? alreadyExists(e) : e;
        }
        return new FSDataOutputStream(new LambdaOutputStream(use(), writer, target), statistics, writer.startLength());
    }

    /** {@inheritDoc} Immediate, however recently its writer was active. */
    @Override
    public boolean recoverLease(Path path) throws IOException {
        statistics.incrementWriteOps(1);
        FsPath target = fsPath(path);
        try {
            await(client().recover(target), target);
        } catch (IOException e) {
            throw noOpenFile(e);
        }
        return true;
    }

    /** {@inheritDoc} An empty file counts as closed, even if its writer has yet to set its content. */
    @Override
    public boolean isFileClosed(Path path) throws IOException {
        statistics.incrementReadOps(1);
        FsPath target = fsPath(path);
        Attributes found;
        try {
            found = await(client().stat(target), target);
        } catch (IOException e) {
            throw noOpenFile(e);
        }
        if (found.isDirectory()) {
            throw new FileNotFoundException("Path is not a file: " + path);
        }
        return found.content() != INode.Content.WRITING;
    }

    /** Returns HDFS's message, which programs that recover leases look for. */
    private static IOException noOpenFile(IOException refused) {
        boolean missing = isCode(refused, ErrorCode.NOT_FOUND);
        if (!missing && !isCode(refused, ErrorCode.IS_A_DIRECTORY)) {
            return refused;
        }
        IOException e = new FileNotFoundException(
                (missing ? "File does not exist: " : "Path is not a file: ") + refused.getMessage());
        e.initCause(refused.getCause());
        return e;
    }

    /** {@inheritDoc} Immediate: there is nothing to wait for. */
    @Override
    public boolean truncate(Path path, long newLength) throws IOException {
        statistics.incrementWriteOps(1);
        FsPath target = fsPath(path);
        try {
            return await(client().truncate(target, newLength), target);
        } catch (IOException e) {
            throw isCode(e, ErrorCode.IS_A_DIRECTORY) ? notAFile(e) : e;
        }
    }

    @Override
    public void concat(Path target, Path[] sources) throws IOException {
        statistics.incrementWriteOps(1);
        FsPath to = fsPath(target);
        List<FsPath> from = new ArrayList<>();
        for (Path source : sources) {
            from.add(fsPath(source));
        }
        BlockingLambdaFs client = new BlockingLambdaFs(client());
        try {
            Failures.run(() -> client.concat(to, from), to.toString());
        } catch (IOException e) {
            throw isCode(e, ErrorCode.IS_A_DIRECTORY) ? notAFile(e) : e;
        }
    }

    /**
     * {@inheritDoc} As in HDFS for superusers, and of a path that does not exist none. By the last reports of the
     * datanodes, each file once: walks the path only if any file of the file system is damaged.
     */
    @Override
    public RemoteIterator<Path> listCorruptFileBlocks(Path path) throws IOException {
        statistics.incrementReadOps(1);
        FsPath target = fsPath(path);
        Set<Long> damaged = await(client().damaged(), target);
        if (damaged.isEmpty()) {
            return RemoteIterators.remoteIteratorFromIterable(List.of());
        }
        RemoteIterator<FileStatus> all;
        try {
            all = below(path);
        } catch (FileNotFoundException missing) {
            return RemoteIterators.remoteIteratorFromIterable(List.of());
        }
        return RemoteIterators.mappingRemoteIterator(
                RemoteIterators.filteringRemoteIterator(
                        all, each -> each instanceof LambdaFileStatus file && damaged.contains(file.id())),
                FileStatus::getPath);
    }
}
