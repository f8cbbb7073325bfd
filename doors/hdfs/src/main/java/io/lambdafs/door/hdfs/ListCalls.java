package io.lambdafs.door.hdfs;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.model.Attributes;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Reply;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jspecify.annotations.Nullable;

/** Answers read-only calls, for the user of the connection. Public methods are the protocol's. Thread-safe. */
final class ListCalls {
    private static final int PAGE = 1_000;

    private final Users users;
    private final BlockMap blocks;

    ListCalls(Users users, BlockMap blocks) {
        this.users = users;
        this.blocks = blocks;
    }

    /** Null for none, as in HDFS. */
    public @Nullable HdfsFileStatus getFileInfo(String src) throws IOException {
        try {
            return Statuses.asked(Failures.await(users.ofCaller().client().stat(Names.path(src)), src), null);
        } catch (FileNotFoundException none) {
            return null;
        }
    }

    /** There are no links. */
    public @Nullable HdfsFileStatus getFileLinkInfo(String src) throws IOException {
        return getFileInfo(src);
    }

    public @Nullable HdfsLocatedFileStatus getLocatedFileInfo(String src, boolean needBlockToken) throws IOException {
        try {
            FsPath path = Names.path(src);
            Attributes found = Failures.await(users.ofCaller().client().stat(path), src);
            return (HdfsLocatedFileStatus) Statuses.asked(found, located(found, path));
        } catch (FileNotFoundException none) {
            return null;
        }
    }

    private @Nullable LocatedBlocks located(Attributes each, FsPath path) throws IOException {
        return each.isDirectory() ? null : blocks.of(each, path, Users.caller(), 0, Long.MAX_VALUE);
    }

    /** One page; null if there is no such directory. */
    public @Nullable DirectoryListing getListing(String src, byte[] startAfter, boolean needLocation)
            throws IOException {
        FsPath path = Names.path(src);
        LambdaFs fs = users.ofCaller().client();
        String after = new String(startAfter, StandardCharsets.UTF_8);
        Reply.Page page;
        try {
            page = Failures.await(fs.list(path, after, PAGE), src);
        } catch (FileNotFoundException none) {
            return null;
        }
        List<Attributes> entries = page.entries();
        boolean isFile = after.isEmpty() && isFile(fs, path, page);
        HdfsFileStatus[] shown = new HdfsFileStatus[entries.size()];
        for (int i = 0; i < shown.length; i++) {
            Attributes each = entries.get(i);
            FsPath own = isFile ? path : path.child(each.name());
            LocatedBlocks where = needLocation ? located(each, own) : null;
            shown[i] = isFile ? Statuses.asked(each, where) : Statuses.child(each, where);
        }
        return new DirectoryListing(shown, page.more() ? 1 : 0);
    }

    /** A file lists itself, and a directory whose only child has its own name looks the same. */
    private static boolean isFile(LambdaFs fs, FsPath path, Reply.Page page) throws IOException {
        boolean maybe = page.entries().size() == 1
                && !page.more()
                && !page.entries().get(0).isDirectory()
                && page.entries().get(0).name().equals(path.name());
        return maybe && !Failures.await(fs.stat(path), path.toString()).isDirectory();
    }

    public ContentSummary getContentSummary(String src) throws IOException {
        return users.ofCaller().getContentSummary(new Path(src));
    }

    public QuotaUsage getQuotaUsage(String src) throws IOException {
        return users.ofCaller().getContentSummary(new Path(src));
    }

    public long getPreferredBlockSize(String src) throws IOException {
        return BlockMap.blockSize(Failures.await(users.ofCaller().client().stat(Names.path(src)), src));
    }
}
