package io.lambdafs.hadoop.convert;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.AclChange;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryScope;
import org.apache.hadoop.fs.permission.AclEntryType;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;

/** Converts ACLs to and from Hadoop's. Stateless. */
public final class Acls {
    private Acls() {}

    public static AclStatus get(LambdaFs client, FsPath path) throws IOException {
        Reply.AclStatus found = Failures.await(client.acl(path), path.toString());
        AclStatus.Builder status = new AclStatus.Builder()
                .owner(found.owner())
                .group(found.group())
                .stickyBit((found.mode() & INode.STICKY) != 0)
                .setPermission(new FsPermission((short) found.mode()));
        found.entries().forEach(entry -> status.addEntry(hadoops(entry)));
        return status.build();
    }

    private static AclEntry hadoops(io.lambdafs.model.inode.AclEntry entry) {
        return new AclEntry.Builder()
                .setScope(entry.isDefault() ? AclEntryScope.DEFAULT : AclEntryScope.ACCESS)
                .setType(AclEntryType.valueOf(entry.type().name()))
                .setName(entry.name())
                .setPermission(action(entry.permission()))
                .build();
    }

    public static void change(LambdaFs client, FsPath path, AclChange change, List<AclEntry> given) throws IOException {
        List<io.lambdafs.model.inode.AclEntry> entries = new ArrayList<>();
        try {
            given.forEach(entry -> entries.add(ours(entry)));
        } catch (FsException refused) {
            throw Failures.of(refused, path.toString());
        }
        Failures.await(client.changeAcl(path, change, entries), path.toString());
    }

    private static FsAction action(int bits) {
        FsAction read = (bits & 4) == 0 ? FsAction.NONE : FsAction.READ;
        FsAction write = (bits & 2) == 0 ? FsAction.NONE : FsAction.WRITE;
        FsAction execute = (bits & 1) == 0 ? FsAction.NONE : FsAction.EXECUTE;
        return read.or(write).or(execute);
    }

    private static int bits(FsAction action) {
        return (action.implies(FsAction.READ) ? 4 : 0)
                + (action.implies(FsAction.WRITE) ? 2 : 0)
                + (action.implies(FsAction.EXECUTE) ? 1 : 0);
    }

    private static io.lambdafs.model.inode.AclEntry ours(AclEntry entry) {
        FsAction permission = entry.getPermission();
        return new io.lambdafs.model.inode.AclEntry(
                entry.getScope() == AclEntryScope.DEFAULT,
                io.lambdafs.model.inode.AclEntry.Type.valueOf(entry.getType().name()),
                entry.getName() == null ? "" : entry.getName(),
                permission == null ? 0 : bits(permission));
    }
}
