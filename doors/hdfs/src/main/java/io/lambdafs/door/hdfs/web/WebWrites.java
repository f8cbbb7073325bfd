package io.lambdafs.door.hdfs.web;

import io.lambdafs.door.hdfs.calls.FileCalls;
import io.lambdafs.door.hdfs.calls.NameCalls;
import io.lambdafs.model.inode.Quota;
import io.lambdafs.rpc.http.HttpReply;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsCreateModes;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.web.JsonUtil;
import org.apache.hadoop.hdfs.web.resources.AccessTimeParam;
import org.apache.hadoop.hdfs.web.resources.AclPermissionParam;
import org.apache.hadoop.hdfs.web.resources.ConcatSourcesParam;
import org.apache.hadoop.hdfs.web.resources.DestinationParam;
import org.apache.hadoop.hdfs.web.resources.GroupParam;
import org.apache.hadoop.hdfs.web.resources.ModificationTimeParam;
import org.apache.hadoop.hdfs.web.resources.NameSpaceQuotaParam;
import org.apache.hadoop.hdfs.web.resources.NewLengthParam;
import org.apache.hadoop.hdfs.web.resources.OldSnapshotNameParam;
import org.apache.hadoop.hdfs.web.resources.OwnerParam;
import org.apache.hadoop.hdfs.web.resources.PermissionParam;
import org.apache.hadoop.hdfs.web.resources.RecursiveParam;
import org.apache.hadoop.hdfs.web.resources.RenameOptionSetParam;
import org.apache.hadoop.hdfs.web.resources.ReplicationParam;
import org.apache.hadoop.hdfs.web.resources.SnapshotNameParam;
import org.apache.hadoop.hdfs.web.resources.StoragePolicyParam;
import org.apache.hadoop.hdfs.web.resources.StorageSpaceQuotaParam;
import org.apache.hadoop.hdfs.web.resources.UnmaskedPermissionParam;
import org.apache.hadoop.hdfs.web.resources.XAttrNameParam;
import org.apache.hadoop.hdfs.web.resources.XAttrSetFlagParam;
import org.apache.hadoop.hdfs.web.resources.XAttrValueParam;

/** Answers calls of the REST API that change something, but contents. Thread-safe. */
final class WebWrites {
    private static final String CLIENT = "webhdfs";
    private static final short REPLICATION = 3;

    private final NameCalls names;
    private final FileCalls files;

    WebWrites(NameCalls names, FileCalls files) {
        this.names = names;
        this.files = files;
    }

    HttpReply answer(WebCall call) throws IOException {
        String path = call.path();
        switch (call.operation()) {
            case "PUT MKDIRS" -> {
                return WebReplies.truth(names.mkdirs(path, permission(call, false), true));
            }
            case "PUT RENAME" -> {
                return rename(call);
            }
            case "PUT SETREPLICATION" -> {
                return WebReplies.truth(
                        names.setReplication(path, (short) call.number(ReplicationParam.NAME, REPLICATION)));
            }
            case "DELETE DELETE" -> {
                return WebReplies.truth(names.delete(path, call.flag(RecursiveParam.NAME)));
            }
            case "POST TRUNCATE" -> {
                return WebReplies.truth(files.truncate(path, call.number(NewLengthParam.NAME, -1), CLIENT));
            }
            case "PUT CREATESNAPSHOT" -> {
                return WebReplies.json(JsonUtil.toJsonString(
                        "Path", names.createSnapshot(path, call.get(SnapshotNameParam.NAME, ""))));
            }
            case "PUT RENAMESNAPSHOT" ->
                names.renameSnapshot(
                        path, call.get(OldSnapshotNameParam.NAME, ""), call.get(SnapshotNameParam.NAME, ""));
            case "DELETE DELETESNAPSHOT" -> names.deleteSnapshot(path, call.get(SnapshotNameParam.NAME, ""));
            case "PUT ALLOWSNAPSHOT" -> names.allowSnapshot(path);
            case "PUT DISALLOWSNAPSHOT" -> names.disallowSnapshot(path);
            case "POST CONCAT" -> files.concat(path, sources(call));
            case "POST UNSETSTORAGEPOLICY" -> names.unsetStoragePolicy(path);
            case "PUT SETSTORAGEPOLICY" -> names.setStoragePolicy(path, call.get(StoragePolicyParam.NAME, ""));
            case "PUT SETQUOTA" ->
                names.setQuota(
                        path,
                        call.number(NameSpaceQuotaParam.NAME, Quota.KEEP, Quota.NONE),
                        call.number(StorageSpaceQuotaParam.NAME, Quota.KEEP, Quota.NONE),
                        null);
            case "PUT SETPERMISSION" -> names.setPermission(path, permission(call, false));
            case "PUT SETOWNER" -> setOwner(call);
            case "PUT SETTIMES" ->
                names.setTimes(
                        path, call.number(ModificationTimeParam.NAME, -1), call.number(AccessTimeParam.NAME, -1));
            case "PUT SETXATTR" -> setAttribute(call);
            case "PUT REMOVEXATTR" -> names.removeXAttr(path, XAttrHelper.buildXAttr(attribute(call)));
            default -> changeAcl(call);
        }
        return WebReplies.done();
    }

    private void changeAcl(WebCall call) throws IOException {
        String path = call.path();
        switch (call.operation()) {
            case "PUT MODIFYACLENTRIES" -> names.modifyAclEntries(path, acl(call, true));
            case "PUT REMOVEACLENTRIES" -> names.removeAclEntries(path, acl(call, false));
            case "PUT REMOVEDEFAULTACL" -> names.removeDefaultAcl(path);
            case "PUT REMOVEACL" -> names.removeAcl(path);
            case "PUT SETACL" -> names.setAcl(path, acl(call, true));
            default -> throw new UnsupportedOperationException(call.operation() + " is not a thing that λFS does");
        }
    }

    /** Returns the mode asked for, and what it was without the client's umask. */
    static FsPermission permission(WebCall call, boolean file) {
        PermissionParam masked = new PermissionParam(call.get(PermissionParam.NAME, PermissionParam.DEFAULT));
        FsPermission given = file ? masked.getFileFsPermission() : masked.getDirFsPermission();
        String unmasked = call.get(UnmaskedPermissionParam.NAME, "");
        return unmasked.isEmpty()
                ? given
                : FsCreateModes.create(given, new UnmaskedPermissionParam(unmasked).getFileFsPermission());
    }

    private HttpReply rename(WebCall call) throws IOException {
        String to = new DestinationParam(call.get(DestinationParam.NAME, "")).getValue();
        if (to == null || to.isEmpty()) {
            throw new IllegalArgumentException("destination is missing");
        }
        String options = call.get(RenameOptionSetParam.NAME, "");
        if (options.isEmpty()) {
            return WebReplies.truth(names.rename(call.path(), to));
        }
        EnumSet<Options.Rename> set = new RenameOptionSetParam(options).getValue();
        names.rename2(call.path(), to, set.toArray(Options.Rename[]::new));
        return WebReplies.done();
    }

    private void setOwner(WebCall call) throws IOException {
        String owner = call.get(OwnerParam.NAME, "");
        String group = call.get(GroupParam.NAME, "");
        if (owner.isEmpty() && group.isEmpty()) {
            throw new IllegalArgumentException("Both owner and group are empty.");
        }
        names.setOwner(call.path(), owner, group);
    }

    private void setAttribute(WebCall call) throws IOException {
        byte[] value = new XAttrValueParam(call.get(XAttrValueParam.NAME, XAttrValueParam.DEFAULT)).getXAttrValue();
        XAttr attribute = XAttrHelper.buildXAttr(attribute(call), value);
        EnumSet<XAttrSetFlag> flags =
                new XAttrSetFlagParam(call.get(XAttrSetFlagParam.NAME, XAttrSetFlagParam.DEFAULT)).getFlag();
        names.setXAttr(call.path(), attribute, flags);
    }

    private static String attribute(WebCall call) {
        String name = call.get(XAttrNameParam.NAME, "");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("XAttr name is empty.");
        }
        return name;
    }

    private static List<AclEntry> acl(WebCall call, boolean withPermissions) {
        return new AclPermissionParam(call.get(AclPermissionParam.NAME, AclPermissionParam.DEFAULT))
                .getAclPermission(withPermissions);
    }

    private static String[] sources(WebCall call) {
        return new ConcatSourcesParam(call.get(ConcatSourcesParam.NAME, ConcatSourcesParam.DEFAULT)).getAbsolutePaths();
    }
}
