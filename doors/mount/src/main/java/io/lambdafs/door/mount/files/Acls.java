package io.lambdafs.door.mount.files;

import static io.lambdafs.client.BlockingLambdaFs.await;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.AclChange;
import io.lambdafs.model.inode.AclEntry;
import io.lambdafs.model.operation.Reply;
import java.util.ArrayList;
import java.util.List;

/** ACLs of files as a whole, what the mode has of them included. Stateless. */
final class Acls {
    private Acls() {}

    /** Gives a file the ACL and the mode of another. */
    static void copy(LambdaFs fs, FsPath from, FsPath to) throws InterruptedException {
        Reply.AclStatus found = await(fs.acl(from));
        int mode = found.mode();
        List<AclEntry> whole = new ArrayList<>(found.entries());
        whole.add(new AclEntry(false, AclEntry.Type.USER, "", mode >> 6 & 7));
        whole.add(new AclEntry(false, AclEntry.Type.MASK, "", mode >> 3 & 7));
        whole.add(new AclEntry(false, AclEntry.Type.OTHER, "", mode & 7));
        await(fs.changeAcl(to, AclChange.SET, whole));
    }
}
