package io.lambdafs.hadoop;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.hadoop.convert.Acls;
import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.hadoop.convert.StoragePolicy;
import io.lambdafs.hadoop.convert.Xattrs;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.AclChange;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.AttributeOperation.ChangeSnapshots.Action;
import io.lambdafs.model.operation.Operation;
import java.io.IOException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeMode;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.jspecify.annotations.Nullable;

/**
 * The part of {@link LambdaFileSystem} about the attributes of files and directories: permissions, owners, times, ACLs,
 * extended attributes and storage policies. Thread-safe.
 */
abstract class AttributeFileSystem extends ConnectedFileSystem implements SafeMode {
    /** As HDFS names snapshots. */
    private static final DateTimeFormatter NAMED_BY_TIME = DateTimeFormatter.ofPattern("'s'yyyyMMdd-HHmmss.SSS");

    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
        statistics.incrementWriteOps(1);
        FsPath target = fsPath(path);
        await(client().setPermission(target, permission.toShort() & INode.MAX_MODE), target);
    }

    @Override
    public void setOwner(Path path, @Nullable String owner, @Nullable String group) throws IOException {
        if (owner == null && group == null) {
            throw new IOException("setOwner " + path + ": neither owner nor group is given");
        }
        statistics.incrementWriteOps(1);
        FsPath target = fsPath(path);
        await(client().setOwner(target, owner, group), target);
    }

    /** {@inheritDoc} Milliseconds since 1970; -1 keeps the current value. */
    @Override
    public void setTimes(Path path, long mtime, long atime) throws IOException {
        statistics.incrementWriteOps(1);
        FsPath target = fsPath(path);
        await(client().setTimes(target, mtime, atime), target);
    }

    @Override
    public boolean setReplication(Path path, short replication) throws IOException {
        statistics.incrementWriteOps(1);
        FsPath target = fsPath(path);
        if (replication > Operation.MAX_REPLICATION) {
            // HDFS's exact words, which users of its shell know.
            throw new IOException("Requested replication factor of " + replication + " exceeds maximum of "
                    + Operation.MAX_REPLICATION + " for " + target);
        }
        return await(client().setReplication(target, replication), target);
    }

    /** {@inheritDoc} Checked by the service for this file system's user; the superuser passes all checks. */
    @Override
    public void access(Path path, FsAction mode) throws IOException {
        statistics.incrementReadOps(1);
        FsPath target = fsPath(path);
        await(client().access(target, bits(mode)), target);
    }

    private static int bits(FsAction mode) {
        return (mode.implies(FsAction.READ) ? 4 : 0)
                | (mode.implies(FsAction.WRITE) ? 2 : 0)
                | (mode.implies(FsAction.EXECUTE) ? 1 : 0);
    }

    @Override
    public void setXAttr(Path path, String name, byte @Nullable [] value, EnumSet<XAttrSetFlag> flags)
            throws IOException {
        statistics.incrementWriteOps(1);
        FsPath target = fsPath(path);
        LambdaFs client = client();
        byte[] bytes = value == null ? new byte[0] : value;
        boolean create = flags.contains(XAttrSetFlag.CREATE);
        boolean replace = flags.contains(XAttrSetFlag.REPLACE);
        try {
            await(client.setXattr(target, Xattrs.settable(name), bytes, create, replace), target);
        } catch (FileAlreadyExistsException e) {
            // For an attribute, HDFS throws a plain exception.
            throw new IOException(e.getMessage(), e.getCause());
        }
    }

    @Override
    public void removeXAttr(Path path, String name) throws IOException {
        statistics.incrementWriteOps(1);
        FsPath target = fsPath(path);
        await(client().removeXattr(target, Xattrs.settable(name)), target);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path) throws IOException {
        statistics.incrementReadOps(1);
        FsPath target = fsPath(path);
        return await(client().xattrs(target, true), target);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
        statistics.incrementReadOps(1);
        FsPath target = fsPath(path);
        return Xattrs.named(await(client().xattrs(target, Xattrs.canonical(names)), target), names);
    }

    @Override
    public byte[] getXAttr(Path path, String name) throws IOException {
        return getXAttrs(path, List.of(name)).values().iterator().next();
    }

    @Override
    public List<String> listXAttrs(Path path) throws IOException {
        statistics.incrementReadOps(1);
        FsPath target = fsPath(path);
        return List.copyOf(await(client().xattrs(target, false), target).keySet());
    }

    /** {@inheritDoc} Safe mode ends only on request, so leaving and forced exit are the same. */
    @Override
    public boolean setSafeMode(SafeModeAction action, boolean isChecked) throws IOException {
        statistics.incrementWriteOps(1);
        if (action != SafeModeAction.GET) {
            await(client().setSafeMode(action == SafeModeAction.ENTER), FsPath.ROOT);
        }
        return await(client().safeMode(), FsPath.ROOT);
    }

    private void changeAcl(Path path, AclChange change, List<AclEntry> entries) throws IOException {
        statistics.incrementWriteOps(1);
        Acls.change(client(), fsPath(path), change, entries);
    }

    @Override
    public void modifyAclEntries(Path path, List<AclEntry> entries) throws IOException {
        changeAcl(path, AclChange.MODIFY, entries);
    }

    @Override
    public void removeAclEntries(Path path, List<AclEntry> entries) throws IOException {
        changeAcl(path, AclChange.REMOVE, entries);
    }

    @Override
    public void removeDefaultAcl(Path path) throws IOException {
        changeAcl(path, AclChange.REMOVE_DEFAULT, List.of());
    }

    @Override
    public void removeAcl(Path path) throws IOException {
        changeAcl(path, AclChange.REMOVE_ALL, List.of());
    }

    @Override
    public void setAcl(Path path, List<AclEntry> entries) throws IOException {
        changeAcl(path, AclChange.SET, entries);
    }

    @Override
    public AclStatus getAclStatus(Path path) throws IOException {
        statistics.incrementReadOps(1);
        return Acls.get(client(), fsPath(path));
    }

    @Override
    public void setStoragePolicy(Path path, String policy) throws IOException {
        statistics.incrementWriteOps(1);
        StoragePolicy.set(client(), fsPath(path), policy);
    }

    /** Takes HDFS's numbers: -1 removes a limit, {@code Long.MAX_VALUE} leaves it as it is. */
    @Override
    public void setQuota(Path path, long namespaceQuota, long storagespaceQuota) throws IOException {
        statistics.incrementWriteOps(1);
        FsPath directory = fsPath(path);
        Failures.await(client().setQuota(directory, namespaceQuota, storagespaceQuota), directory.toString());
    }

    /** Makes a snapshot, which is named by the time where no name is given. */
    @Override
    public Path createSnapshot(Path path, @Nullable String snapshotName) throws IOException {
        String name = snapshotName == null || snapshotName.isEmpty()
                ? NAMED_BY_TIME.format(LocalDateTime.now(ZoneId.systemDefault()))
                : snapshotName;
        changeSnapshots(path, Action.CREATE, name, "");
        return new Path(new Path(path, ".snapshot"), name);
    }

    @Override
    public void renameSnapshot(Path path, String snapshotOldName, String snapshotNewName) throws IOException {
        changeSnapshots(path, Action.RENAME, snapshotOldName, snapshotNewName);
    }

    @Override
    public void deleteSnapshot(Path path, String snapshotName) throws IOException {
        changeSnapshots(path, Action.DELETE, snapshotName, "");
    }

    /** Lets a directory have snapshots, as in HDFS; for superusers. */
    public void allowSnapshot(Path path) throws IOException {
        changeSnapshots(path, Action.ALLOW, "", "");
    }

    /** Lets a directory have no snapshots any more, as in HDFS; for superusers. */
    public void disallowSnapshot(Path path) throws IOException {
        changeSnapshots(path, Action.DISALLOW, "", "");
    }

    private void changeSnapshots(Path path, Action action, String name, String newName) throws IOException {
        statistics.incrementWriteOps(1);
        FsPath directory = fsPath(path);
        Failures.await(client().changeSnapshots(directory, action, name, newName), directory.toString());
    }

    @Override
    public void unsetStoragePolicy(Path path) throws IOException {
        setStoragePolicy(path, "");
    }

    @Override
    public BlockStoragePolicySpi getStoragePolicy(Path path) throws IOException {
        statistics.incrementReadOps(1);
        return StoragePolicy.of(client(), fsPath(path));
    }

    @Override
    public Collection<? extends BlockStoragePolicySpi> getAllStoragePolicies() throws IOException {
        statistics.incrementReadOps(1);
        return StoragePolicy.all(client());
    }

    /** {@inheritDoc} Unsupported: only an operator has the credentials of both block stores. */
    @Override
    public void satisfyStoragePolicy(Path path) throws IOException {
        use().checkOpen();
        throw new UnsupportedOperationException(
                "blocks are moved by an operator, not by a client: lambdafs blocks move " + path);
    }
}
