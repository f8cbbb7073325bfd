package io.lambdafs.benchmarks.listing;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.Lister;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.hadoop.LambdaFileSystem;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * The main class of the listing process. Arguments: the client's configuration, the directory, the rounds, the entries
 * of a page, and the top of a tree. For every round it prints a line for each interface, for the tree in one call, for
 * its files in one call, and directory by directory, with and without read-ahead of children: the name, the number of
 * entries, and the nanoseconds; and last its peak heap in bytes.
 */
public final class ListerMain {
    private final LambdaFs client;
    private final FileSystem hadoop;
    private final LambdaFileSystem ahead;
    private final FsPath directory;
    private final int page;
    private final org.apache.hadoop.fs.Path tree;

    private ListerMain(Path configuration, FsPath directory, int page, String tree) throws IOException {
        this.client = LambdaFs.open(ClientConfig.load(configuration));
        Configuration conf = new Configuration();
        conf.set("lambdafs.dir", String.valueOf(configuration.getParent()));
        this.hadoop = FileSystem.newInstance(URI.create("lambdafs:///"), conf);
        this.ahead = (LambdaFileSystem) FileSystem.newInstance(URI.create("lambdafs:///"), conf);
        ahead.listAhead();
        this.directory = directory;
        this.page = page;
        this.tree = new org.apache.hadoop.fs.Path(tree);
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        ListerMain lister = new ListerMain(
                Path.of(arguments[0]), FsPath.of(arguments[1]), Integer.parseInt(arguments[3]), arguments[4]);
        for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
            print("native", System.nanoTime(), lister.nativeEntries());
            print("hadoop", System.nanoTime(), lister.hadoopEntries());
            print("tree", System.nanoTime(), lister.treeEntries());
            print("files", System.nanoTime(), lister.filesBelow());
            print("ahead", System.nanoTime(), entriesBelow(lister.ahead, lister.tree));
            print("each", System.nanoTime(), entriesBelow(lister.hadoop, lister.tree));
        }
        System.out.println("heap " + heapPeak() + " 0");
        System.exit(0);
    }

    private static void print(String api, long begun, long entries) {
        System.out.println(api + " " + entries + " " + (System.nanoTime() - begun));
    }

    private long nativeEntries() throws InterruptedException {
        Lister lister = client.lister(directory, page);
        long entries = 0;
        while (!lister.isAtEnd()) {
            List<Attributes> next = BlockingLambdaFs.await(lister.next());
            entries += next.size();
        }
        return entries;
    }

    private long hadoopEntries() throws IOException {
        RemoteIterator<?> entries = hadoop.listStatusIterator(new org.apache.hadoop.fs.Path(directory.toString()));
        long count = 0;
        while (entries.hasNext()) {
            entries.next();
            count++;
        }
        return count;
    }

    /** Returns the entries of the tree, directories included, its top excluded. */
    private long treeEntries() throws IOException {
        ContentSummary all = hadoop.getContentSummary(tree);
        return all.getFileCount() + all.getDirectoryCount() - 1;
    }

    private long filesBelow() throws IOException {
        RemoteIterator<LocatedFileStatus> files = hadoop.listFiles(tree, true);
        long count = 0;
        while (files.hasNext()) {
            files.next();
            count++;
        }
        return count;
    }

    private static long entriesBelow(FileSystem fs, org.apache.hadoop.fs.Path directory) throws IOException {
        RemoteIterator<FileStatus> entries = fs.listStatusIterator(directory);
        long count = 0;
        while (entries.hasNext()) {
            FileStatus entry = entries.next();
            count += entry.isDirectory() ? 1 + entriesBelow(fs, entry.getPath()) : 1;
        }
        return count;
    }

    private static long heapPeak() {
        long bytes = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.HEAP) {
                bytes += pool.getPeakUsage().getUsed();
            }
        }
        return bytes;
    }
}
