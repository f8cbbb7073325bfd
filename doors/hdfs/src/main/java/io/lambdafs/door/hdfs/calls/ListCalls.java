package io.lambdafs.door.hdfs.calls;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.Reply;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.hdfs.protocol.BatchedDirectoryListing;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsPartialListing;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.ipc.RemoteException;
import org.jspecify.annotations.Nullable;

/** Answers calls that look, for the user of the connection. Public methods are the protocol's. Thread-safe. */
public final class ListCalls {
    private static final int PAGE = 1_000;
    /** HDFS's limit too. */
    private static final int MOST_SOURCES = 100;

    private static final byte[] FROM_THE_FIRST = {};

    private final Users users;
    private final BlockMap blocks;

    public ListCalls(Users users, BlockMap blocks) {
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

    /**
     * Pages of several directories, of about {@value #PAGE} entries together. What fails is told with its directory.
     *
     * @param startAfter the number of the directory to go on with and a name there; empty at first
     */
    public BatchedDirectoryListing getBatchedListing(String[] srcs, byte[] startAfter, boolean needLocation) {
        if (srcs.length > MOST_SOURCES) {
            throw new IllegalArgumentException(
                    "at most " + MOST_SOURCES + " directories in one call, not " + srcs.length);
        }
        int index = startAfter.length < Integer.BYTES
                ? 0
                : Math.max(0, ByteBuffer.wrap(startAfter).getInt());
        byte[] after = startAfter.length <= Integer.BYTES
                ? FROM_THE_FIRST
                : Arrays.copyOfRange(startAfter, Integer.BYTES, startAfter.length);
        List<HdfsPartialListing> found = new ArrayList<>();
        for (int room = PAGE; index < srcs.length && room > 0; ) {
            DirectoryListing page = page(index, srcs[index], after, needLocation, found);
            boolean more = page != null && page.hasMore();
            room -= page == null ? 1 : page.getPartialListing().length;
            after = page != null && more ? page.getLastName() : FROM_THE_FIRST;
            index += more ? 0 : 1;
        }
        boolean more = index < srcs.length;
        byte[] next = more
                ? ByteBuffer.allocate(Integer.BYTES + after.length)
                        .putInt(index)
                        .put(after)
                        .array()
                : FROM_THE_FIRST;
        return new BatchedDirectoryListing(found.toArray(HdfsPartialListing[]::new), more, next);
    }

    /** Adds a page of a directory, or its failure; returns the page, null if it failed. */
    private @Nullable DirectoryListing page(
            int index, String src, byte[] after, boolean needLocation, List<HdfsPartialListing> found) {
        try {
            DirectoryListing page = getListing(src, after, needLocation);
            if (page == null) {
                throw new FileNotFoundException(src + " does not exist");
            }
            found.add(new HdfsPartialListing(index, List.of(page.getPartialListing())));
            return page;
        } catch (IOException e) {
            found.add(new HdfsPartialListing(
                    index, new RemoteException(e.getClass().getName(), e.getMessage())));
            return null;
        }
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
