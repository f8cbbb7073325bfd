package io.lambdafs.hadoop;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * λFS for HBase's processes, as {@code fs.lambdafs.impl}. HBase recovers the lease of a log only if the file system, or
 * the one beneath a {@link FilterFileSystem}, is HDFS's own class; it assumes that logs on any other need no recovery.
 * This one presents such a class, which only recovers leases. Needs Hadoop's HDFS client on the class path, as HBase
 * has it. Thread-safe.
 */
public final class HBaseFileSystem extends FilterFileSystem {
    private final LambdaFileSystem lambda;
    private final Leases leases;

    /** Called by Hadoop. */
    public HBaseFileSystem() {
        this(new LambdaFileSystem());
    }

    private HBaseFileSystem(LambdaFileSystem lambda) {
        super(lambda);
        this.lambda = lambda;
        this.leases = new Leases(lambda);
    }

    @Override
    public String getScheme() {
        return LambdaFileSystem.SCHEME;
    }

    /** Returns the file system that recovers leases; files are read and written through this one. */
    @Override
    public FileSystem getRawFileSystem() {
        return leases;
    }

    @Override
    public String toString() {
        return "HBaseFileSystem of " + lambda;
    }

    /** HDFS's class, for HBase's only question: whether the writer of a file is gone. */
    public static final class Leases extends DistributedFileSystem {
        private final LambdaFileSystem lambda;

        Leases(LambdaFileSystem lambda) {
            this.lambda = lambda;
        }

        @Override
        public boolean recoverLease(Path path) throws IOException {
            return lambda.recoverLease(path);
        }

        @Override
        public boolean isFileClosed(Path path) throws IOException {
            return lambda.isFileClosed(path);
        }

        @Override
        public void close() {}

        @Override
        public String toString() {
            return "leases of " + lambda;
        }
    }
}
