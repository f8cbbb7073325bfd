package io.lambdafs.hadoop;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.CompletionStage;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsCreateModes;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.DataChecksum;
import org.jspecify.annotations.Nullable;

/**
 * The part of {@link LambdaFileSystem} that does not depend on what a file system holds: its configuration, its client,
 * its paths and defaults, and what it does not support. Thread-safe.
 */
abstract class ConnectedFileSystem extends FileSystem {
    private static final long DEFAULT_BLOCK_SIZE = 128L << 20;
    private static final short DEFAULT_REPLICATION = 3;
    private @Nullable URI uri;
    private @Nullable Path workingDirectory;
    private @Nullable String user;
    private @Nullable FsPermission umask;
    private SharedClients.@Nullable Use use;

    @Override
    public void initialize(URI name, Configuration conf) throws IOException {
        super.initialize(name, conf);
        setConf(conf);
        String authority = name.getAuthority();
        this.uri = URI.create(getScheme() + "://" + (authority == null ? "/" : authority));
        Settings settings = Settings.of(name, conf);
        this.user = settings.user();
        this.umask = FsPermission.getUMask(conf);
        this.workingDirectory = getHomeDirectory();
        this.use = SharedClients.use(settings);
    }

    private static <T> T initialized(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("this file system has not been initialized: get it by FileSystem.get");
        }
        return value;
    }

    SharedClients.Use use() {
        return initialized(use);
    }

    /** Returns the client of this file system's user, which ends with it. */
    public LambdaFs client() throws IOException {
        return use().client();
    }

    @Override
    public URI getUri() {
        return initialized(uri);
    }

    /** Null: λFS issues no delegation tokens. */
    @Override
    public @Nullable String getCanonicalServiceName() {
        return null;
    }

    @Override
    public Path getHomeDirectory() {
        // Not qualified against the working directory, which is set here.
        return new Path("/user/" + initialized(user)).makeQualified(getUri(), new Path("/"));
    }

    @Override
    public Path getWorkingDirectory() {
        return initialized(workingDirectory);
    }

    @Override
    public void setWorkingDirectory(Path directory) {
        workingDirectory = makeQualified(directory);
    }

    Path qualified(Path path) {
        checkPath(path);
        URI asked = path.toUri();
        boolean bare = asked.getScheme() == null && asked.getRawAuthority() == null && path.isAbsolute();
        // Nothing needs quoting or parsing again.
        return bare ? new Path(getUri().resolve(asked)) : path.makeQualified(getUri(), getWorkingDirectory());
    }

    /** Converts a path, without qualifying an absolute one, which would cost more than encoding the whole call. */
    FsPath fsPath(Path path) throws IOException {
        checkPath(path);
        String asked = path.toUri().getPath();
        String text = asked.startsWith("/") ? asked : qualified(path).toUri().getPath();
        try {
            return FsPath.of(text.isEmpty() ? "/" : text);
        } catch (FsException e) {
            throw Failures.of(e, text);
        }
    }

    static <T> T await(CompletionStage<T> stage, FsPath path) throws IOException {
        return Failures.await(stage, path.toString());
    }

    static boolean isCode(IOException e, ErrorCode code) {
        return e.getCause() instanceof FsException failure && failure.code() == code;
    }

    /** Applies this file system's umask, unless the permission's creator has applied one. */
    FsPermission masked(FsPermission permission) {
        return FsCreateModes.applyUMask(permission, initialized(umask));
    }

    static int mode(FsPermission permission) {
        return permission.toShort() & INode.MAX_MODE;
    }

    /** {@inheritDoc} Does nothing: reads always reflect acknowledged writes. */
    @Override
    public void msync() throws IOException {
        use().checkOpen();
    }

    /**
     * {@inheritDoc} Hadoop's answer of a store without a bound: an object store does not report its capacity, and
     * datanodes report theirs only to {@code lambdafs datanode list}.
     */
    @Override
    public FsStatus getStatus(@Nullable Path path) throws IOException {
        use().checkOpen();
        return new FsStatus(Long.MAX_VALUE, 0, Long.MAX_VALUE);
    }

    @Override
    public void createSymlink(Path target, Path link, boolean createParent) {
        throw Unsupported.link(link);
    }

    @Override
    public Path getLinkTarget(Path link) {
        throw Unsupported.link(link);
    }

    @Override
    protected Path resolveLink(Path link) {
        throw Unsupported.link(link);
    }

    @Override
    public long getDefaultBlockSize(Path path) {
        return getConf().getLongBytes("dfs.blocksize", DEFAULT_BLOCK_SIZE);
    }

    @Override
    public short getDefaultReplication(Path path) {
        return (short) getConf().getInt("dfs.replication", DEFAULT_REPLICATION);
    }

    @Override
    @SuppressWarnings("deprecation") // Still called by older programs.
    public long getDefaultBlockSize() {
        return getDefaultBlockSize(new Path("/"));
    }

    @Override
    @SuppressWarnings("deprecation") // Still called by older programs.
    public short getDefaultReplication() {
        return getDefaultReplication(new Path("/"));
    }

    @Override
    public FsServerDefaults getServerDefaults(Path path) throws IOException {
        use().checkOpen();
        return new FsServerDefaults(
                getDefaultBlockSize(path),
                512,
                64 << 10,
                getDefaultReplication(path),
                getConf().getInt(CommonConfigurationKeysPublic.IO_FILE_BUFFER_SIZE_KEY, 4_096),
                false,
                getConf().getLong(CommonConfigurationKeysPublic.FS_TRASH_INTERVAL_KEY, 0),
                DataChecksum.Type.CRC32C);
    }

    @Override
    @SuppressWarnings("deprecation") // Still called by older programs.
    public FsServerDefaults getServerDefaults() throws IOException {
        return getServerDefaults(new Path("/"));
    }

    /** {@inheritDoc} As in HDFS, files open for writing are closed first and so kept. */
    @Override
    public void close() throws IOException {
        SharedClients.Use mine = use;
        try {
            if (mine != null) {
                mine.closeStreams();
            }
        } finally {
            try {
                super.close();
            } finally {
                if (mine != null) {
                    mine.end();
                }
            }
        }
    }

    /** Omits secrets. */
    @Override
    public String toString() {
        return "LambdaFileSystem[" + uri + ", user=" + user + "]";
    }
}
