package io.lambdafs.door.hdfs.calls;

import io.lambdafs.hadoop.LambdaFileSystem;
import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.AttributeOperation.ChangeSnapshots;
import io.lambdafs.model.operation.AttributeOperation.ChangeSnapshots.Action;
import io.lambdafs.model.operation.Difference;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport.DiffReportEntry;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport.DiffType;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReportListing;
import org.apache.hadoop.ipc.RpcNoSuchMethodException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/** Answers calls on names and attributes, for the user of the connection. Public methods are the protocol's. Thread-safe. */
public final class NameCalls {
    private final Users users;
    private final CallIds ids;

    public NameCalls(Users users, CallIds ids) {
        this.users = users;
        this.ids = ids;
    }

    /** Executes a write that takes effect once, whichever doors its call comes through. */
    private boolean once(String src, Supplier<Operation<Reply.Done>> making) throws IOException {
        Operation<Reply.Done> operation;
        try {
            operation = making.get();
        } catch (FsException refused) {
            throw Failures.of(refused, src);
        }
        return Failures.await(users.ofCaller().client().execute(operation, ids.ofCall()), src)
                .changed();
    }

    public boolean mkdirs(String src, FsPermission masked, boolean createParent) throws IOException {
        FsPath path = Names.path(src);
        return Failures.await(
                users.ofCaller().client().mkdirs(path, Names.mode(masked), Names.unmasked(masked), createParent), src);
    }

    public boolean delete(String src, boolean recursive) throws IOException {
        FsPath path = Names.path(src);
        try {
            return once(src, () -> new NamespaceOperation.Delete(path, recursive));
        } catch (IOException e) {
            if (path.isRoot() && Names.isCode(e, ErrorCode.NOT_ALLOWED)) {
                return false;
            }
            throw e;
        }
    }

    public boolean rename(String src, String dst) throws IOException {
        return rename(src, dst, RenameMode.INTO);
    }

    public void rename2(String src, String dst, Options.Rename... options) throws IOException {
        boolean overwrite = Arrays.asList(options).contains(Options.Rename.OVERWRITE);
        rename(src, dst, overwrite ? RenameMode.OVERWRITE : RenameMode.STRICT);
    }

    private boolean rename(String src, String dst, RenameMode mode) throws IOException {
        FsPath from = Names.path(src);
        FsPath to = Names.path(dst);
        return once(src, () -> new NamespaceOperation.Rename(from, to, mode));
    }

    public void setPermission(String src, FsPermission permission) throws IOException {
        Failures.await(
                users.ofCaller().client().setPermission(Names.path(src), permission.toShort() & INode.MAX_MODE), src);
    }

    public void setOwner(String src, @Nullable String user, @Nullable String group) throws IOException {
        users.ofCaller().setOwner(new Path(src), empty(user), empty(group));
    }

    private static @Nullable String empty(@Nullable String name) {
        return name == null || name.isEmpty() ? null : name;
    }

    public void setTimes(String src, long mtime, long atime) throws IOException {
        users.ofCaller().setTimes(new Path(src), mtime, atime);
    }

    public boolean setReplication(String src, short replication) throws IOException {
        return users.ofCaller().setReplication(new Path(src), replication);
    }

    public void checkAccess(String src, FsAction mode) throws IOException {
        users.ofCaller().access(new Path(src), mode);
    }

    public void modifyAclEntries(String src, List<AclEntry> entries) throws IOException {
        users.ofCaller().modifyAclEntries(new Path(src), entries);
    }

    public void removeAclEntries(String src, List<AclEntry> entries) throws IOException {
        users.ofCaller().removeAclEntries(new Path(src), entries);
    }

    public void removeDefaultAcl(String src) throws IOException {
        users.ofCaller().removeDefaultAcl(new Path(src));
    }

    public void removeAcl(String src) throws IOException {
        users.ofCaller().removeAcl(new Path(src));
    }

    public void setAcl(String src, List<AclEntry> entries) throws IOException {
        users.ofCaller().setAcl(new Path(src), entries);
    }

    public AclStatus getAclStatus(String src) throws IOException {
        return users.ofCaller().getAclStatus(new Path(src));
    }

    public void setXAttr(String src, XAttr attribute, EnumSet<XAttrSetFlag> flags) throws IOException {
        FsPath path = Names.path(src);
        byte[] value = attribute.getValue() == null ? new byte[0] : attribute.getValue();
        boolean create = flags.contains(XAttrSetFlag.CREATE);
        boolean replace = flags.contains(XAttrSetFlag.REPLACE);
        String name = settable(attribute);
        try {
            once(src, () -> new AttributeOperation.SetXattr(path, name, value, create, replace));
        } catch (FileAlreadyExistsException e) {
            // For an attribute, HDFS throws a plain exception.
            throw new IOException(e.getMessage(), e.getCause());
        }
    }

    public void removeXAttr(String src, XAttr attribute) throws IOException {
        FsPath path = Names.path(src);
        String name = settable(attribute);
        once(src, () -> new AttributeOperation.RemoveXattr(path, name));
    }

    private static String settable(XAttr attribute) throws AccessControlException {
        String name = XAttrHelper.getPrefixedName(attribute);
        if (attribute.getNameSpace() != XAttr.NameSpace.USER && attribute.getNameSpace() != XAttr.NameSpace.TRUSTED) {
            // HDFS's exact words.
            throw new AccessControlException("User doesn't have permission for xattr: " + name);
        }
        return name;
    }

    public List<XAttr> getXAttrs(String src, @Nullable List<XAttr> wanted) throws IOException {
        LambdaFileSystem fs = users.ofCaller();
        Path path = new Path(src);
        Map<String, byte[]> found = wanted == null || wanted.isEmpty()
                ? fs.getXAttrs(path)
                : fs.getXAttrs(
                        path, wanted.stream().map(XAttrHelper::getPrefixedName).toList());
        List<XAttr> attributes = new ArrayList<>();
        found.forEach((name, value) -> attributes.add(XAttrHelper.buildXAttr(name, value)));
        return attributes;
    }

    public List<XAttr> listXAttrs(String src) throws IOException {
        return users.ofCaller().listXAttrs(new Path(src)).stream()
                .map(XAttrHelper::buildXAttr)
                .toList();
    }

    public void setStoragePolicy(String src, String policy) throws IOException {
        users.ofCaller().setStoragePolicy(new Path(src), policy);
    }

    public String createSnapshot(String snapshotRoot, @Nullable String snapshotName) throws IOException {
        if (snapshotName != null && !snapshotName.isEmpty()) {
            changeSnapshots(snapshotRoot, Action.CREATE, snapshotName, "");
            return Names.path(snapshotRoot)
                    .child(".snapshot")
                    .child(snapshotName)
                    .toString();
        }
        return Path.getPathWithoutSchemeAndAuthority(
                        users.ofCaller().createSnapshot(new Path(snapshotRoot), snapshotName))
                .toString();
    }

    private void changeSnapshots(String snapshotRoot, Action action, String name, String newName) throws IOException {
        FsPath path = Names.path(snapshotRoot);
        once(snapshotRoot, () -> new ChangeSnapshots(path, action, name, newName));
    }

    /** Makes clients ask for the whole report: they have that from HDFS's older versions. */
    @SuppressWarnings("DoNotCallSuggester") // Called by its name alone.
    public SnapshotDiffReportListing getSnapshotDiffReportListing(
            String snapshotRoot, String fromSnapshot, String toSnapshot, byte[] startPath, int index)
            throws IOException {
        throw new RpcNoSuchMethodException("differences are told in one report, not by page");
    }

    /** Compares two snapshots; an empty name means what is there now. */
    public SnapshotDiffReport getSnapshotDiffReport(String snapshotRoot, String fromSnapshot, String toSnapshot)
            throws IOException {
        FsPath path = Names.path(snapshotRoot);
        List<DiffReportEntry> entries = new ArrayList<>();
        for (Difference each :
                Failures.await(users.ofCaller().client().differences(path, fromSnapshot, toSnapshot), snapshotRoot)) {
            byte[] source = each.path().getBytes(StandardCharsets.UTF_8);
            entries.add(
                    each.kind() == Difference.Kind.RENAMED
                            ? new DiffReportEntry(
                                    DiffType.RENAME, source, each.target().getBytes(StandardCharsets.UTF_8))
                            : new DiffReportEntry(
                                    DiffType.getTypeFromLabel(
                                            String.valueOf(each.kind().letter())),
                                    source));
        }
        return new SnapshotDiffReport(snapshotRoot, fromSnapshot, toSnapshot, entries);
    }

    public void renameSnapshot(String snapshotRoot, String snapshotOldName, String snapshotNewName) throws IOException {
        changeSnapshots(snapshotRoot, Action.RENAME, snapshotOldName, snapshotNewName);
    }

    public void deleteSnapshot(String snapshotRoot, String snapshotName) throws IOException {
        changeSnapshots(snapshotRoot, Action.DELETE, snapshotName, "");
    }

    public void allowSnapshot(String snapshotRoot) throws IOException {
        users.ofCaller().allowSnapshot(new Path(snapshotRoot));
    }

    public void disallowSnapshot(String snapshotRoot) throws IOException {
        users.ofCaller().disallowSnapshot(new Path(snapshotRoot));
    }

    /** @param type null for all storage types together: none has a quota of its own */
    public void setQuota(String src, long names, long space, @Nullable StorageType type) throws IOException {
        if (type != null) {
            throw new UnsupportedOperationException("λFS has no quotas by storage type: " + type);
        }
        FsPath path = Names.path(src);
        once(src, () -> new AttributeOperation.SetQuota(path, names, space));
    }

    public void unsetStoragePolicy(String src) throws IOException {
        users.ofCaller().unsetStoragePolicy(new Path(src));
    }
}
