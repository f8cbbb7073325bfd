package io.lambdafs.hadoop;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.jspecify.annotations.Nullable;

/**
 * The {@code lambdafs://} file system for {@code FileContext}, configured by {@code
 * fs.AbstractFileSystem.lambdafs.impl}: a {@link LambdaFileSystem} behind Hadoop's other interface, open for the life
 * of the process. Thread-safe.
 */
public final class LambdaAbstractFileSystem extends DelegateToFileSystem {
    private final LambdaFileSystem fs;

    /** Called by Hadoop. */
    public LambdaAbstractFileSystem(URI address, Configuration conf) throws IOException, URISyntaxException {
        this(address, conf, new LambdaFileSystem());
    }

    private LambdaAbstractFileSystem(URI address, Configuration conf, LambdaFileSystem fs)
            throws IOException, URISyntaxException {
        super(address, fs, conf, LambdaFileSystem.SCHEME, false);
        this.fs = fs;
    }

    @Override
    public FSDataOutputStream createInternal(
            Path path,
            EnumSet<CreateFlag> flags,
            FsPermission absolute,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress,
            Options.@Nullable ChecksumOpt checksum,
            boolean createParent)
            throws IOException {
        checkPath(path);
        fs.asked(path, checksum);
        return fs.create(path, absolute, flags, createParent, replication, blockSize);
    }

    /** {@inheritDoc} Atomic, unlike Hadoop's own, which first deletes the target. */
    @Override
    public void renameInternal(Path source, Path destination, boolean overwrite) throws IOException {
        checkPath(source);
        checkPath(destination);
        fs.rename(source, destination, overwrite ? Options.Rename.OVERWRITE : Options.Rename.NONE);
    }

    @Override
    public void access(Path path, FsAction mode) throws IOException {
        checkPath(path);
        fs.access(path, mode);
    }

    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
        checkPath(path);
        return fs.listStatusIterator(path);
    }

    @Override
    public RemoteIterator<Path> listCorruptFileBlocks(Path path) throws IOException {
        checkPath(path);
        return fs.listCorruptFileBlocks(path);
    }

    @Override
    public void modifyAclEntries(Path path, List<AclEntry> entries) throws IOException {
        checkPath(path);
        fs.modifyAclEntries(path, entries);
    }

    @Override
    public void removeAclEntries(Path path, List<AclEntry> entries) throws IOException {
        checkPath(path);
        fs.removeAclEntries(path, entries);
    }

    @Override
    public void removeDefaultAcl(Path path) throws IOException {
        checkPath(path);
        fs.removeDefaultAcl(path);
    }

    @Override
    public void removeAcl(Path path) throws IOException {
        checkPath(path);
        fs.removeAcl(path);
    }

    @Override
    public void setAcl(Path path, List<AclEntry> entries) throws IOException {
        checkPath(path);
        fs.setAcl(path, entries);
    }

    @Override
    public AclStatus getAclStatus(Path path) throws IOException {
        checkPath(path);
        return fs.getAclStatus(path);
    }

    @Override
    public void setStoragePolicy(Path path, String policy) throws IOException {
        checkPath(path);
        fs.setStoragePolicy(path, policy);
    }

    @Override
    public void unsetStoragePolicy(Path path) throws IOException {
        checkPath(path);
        fs.unsetStoragePolicy(path);
    }

    @Override
    public BlockStoragePolicySpi getStoragePolicy(Path path) throws IOException {
        checkPath(path);
        return fs.getStoragePolicy(path);
    }

    @Override
    public Collection<? extends BlockStoragePolicySpi> getAllStoragePolicies() throws IOException {
        return fs.getAllStoragePolicies();
    }

    @Override
    public void satisfyStoragePolicy(Path path) throws IOException {
        checkPath(path);
        fs.satisfyStoragePolicy(path);
    }

    @Override
    public Path createSnapshot(Path directory, @Nullable String name) throws IOException {
        checkPath(directory);
        return fs.createSnapshot(directory, name);
    }

    @Override
    public void renameSnapshot(Path directory, String name, String newName) throws IOException {
        checkPath(directory);
        fs.renameSnapshot(directory, name, newName);
    }

    @Override
    public void deleteSnapshot(Path directory, String name) throws IOException {
        checkPath(directory);
        fs.deleteSnapshot(directory, name);
    }

    @Override
    public void msync() throws IOException {
        fs.msync();
    }
}
