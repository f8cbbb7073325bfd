package io.lambdafs.systemtests.hdfs;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileSystemContractBaseTest;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractContractAppendTest;
import org.apache.hadoop.fs.contract.AbstractContractBulkDeleteTest;
import org.apache.hadoop.fs.contract.AbstractContractConcatTest;
import org.apache.hadoop.fs.contract.AbstractContractContentSummaryTest;
import org.apache.hadoop.fs.contract.AbstractContractCopyFromLocalTest;
import org.apache.hadoop.fs.contract.AbstractContractCreateTest;
import org.apache.hadoop.fs.contract.AbstractContractDeleteTest;
import org.apache.hadoop.fs.contract.AbstractContractEtagTest;
import org.apache.hadoop.fs.contract.AbstractContractGetEnclosingRoot;
import org.apache.hadoop.fs.contract.AbstractContractGetFileStatusTest;
import org.apache.hadoop.fs.contract.AbstractContractLeaseRecoveryTest;
import org.apache.hadoop.fs.contract.AbstractContractMkdirTest;
import org.apache.hadoop.fs.contract.AbstractContractMultipartUploaderTest;
import org.apache.hadoop.fs.contract.AbstractContractOpenTest;
import org.apache.hadoop.fs.contract.AbstractContractPathHandleTest;
import org.apache.hadoop.fs.contract.AbstractContractRenameTest;
import org.apache.hadoop.fs.contract.AbstractContractRootDirectoryTest;
import org.apache.hadoop.fs.contract.AbstractContractSafeModeTest;
import org.apache.hadoop.fs.contract.AbstractContractSeekTest;
import org.apache.hadoop.fs.contract.AbstractContractSetTimesTest;
import org.apache.hadoop.fs.contract.AbstractContractStreamIOStatisticsTest;
import org.apache.hadoop.fs.contract.AbstractContractUnbufferTest;
import org.apache.hadoop.fs.contract.AbstractContractVectoredReadTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.junit.Before;

/** Hadoop's contract tests, each class over the file system that {@link #serve} names. */
public final class HadoopContracts {
    private static Configuration served = new Configuration(false);

    private HadoopContracts() {}

    /** Sets what the tests are run over from now on. */
    public static void serve(Configuration configuration) {
        served = configuration;
    }

    /** The classes of tests. */
    public static Class<?>[] all() {
        return new Class<?>[] {
            FileSystemContract.class,
            GetEnclosingRoot.class,
            Append.class,
            BulkDelete.class,
            Concat.class,
            ContentSummary.class,
            CopyFromLocal.class,
            Create.class,
            Delete.class,
            Etag.class,
            GetFileStatus.class,
            LeaseRecovery.class,
            Mkdir.class,
            Handle.class,
            MultipartUploader.class,
            Open.class,
            Rename.class,
            RootDirectory.class,
            SafeMode.class,
            Seek.class,
            SetTimes.class,
            StreamIOStatistics.class,
            Unbuffer.class,
            VectoredRead.class
        };
    }

    private static final class Contract extends AbstractFSContract {
        private FileSystem fs;

        Contract(Configuration conf) {
            super(conf);
            addConfResource("contract/lambdafs.xml");
            served.forEach(each -> conf.set(each.getKey(), each.getValue()));
        }

        @Override
        public void init() throws IOException {
            super.init();
            fs = FileSystem.get(URI.create(getConf().get("fs.defaultFS")), getConf());
        }

        @Override
        public FileSystem getTestFileSystem() {
            return fs;
        }

        @Override
        public String getScheme() {
            return "lambdafs";
        }

        @Override
        public Path getTestPath() {
            return new Path("/user/" + System.getProperty("user.name") + "/test");
        }
    }

    public static final class FileSystemContract extends FileSystemContractBaseTest {
        @Before
        public void setUp() throws IOException {
            Configuration conf = new Configuration(served);
            conf.set("fs.permissions.umask-mode", TEST_UMASK);
            fs = FileSystem.newInstance(URI.create(conf.get("fs.defaultFS")), conf);
        }
    }

    public static final class GetEnclosingRoot extends AbstractContractGetEnclosingRoot {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class Append extends AbstractContractAppendTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class BulkDelete extends AbstractContractBulkDeleteTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class Concat extends AbstractContractConcatTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class ContentSummary extends AbstractContractContentSummaryTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class CopyFromLocal extends AbstractContractCopyFromLocalTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class Create extends AbstractContractCreateTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class Delete extends AbstractContractDeleteTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class GetFileStatus extends AbstractContractGetFileStatusTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class LeaseRecovery extends AbstractContractLeaseRecoveryTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class Etag extends AbstractContractEtagTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class MultipartUploader extends AbstractContractMultipartUploaderTest {
        @Override
        protected int partSizeInBytes() {
            return 1_024;
        }

        @Override
        protected boolean finalizeConsumesUploadIdImmediately() {
            return true;
        }

        @Override
        protected boolean supportsConcurrentUploadsToSamePath() {
            return true;
        }

        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class Handle extends AbstractContractPathHandleTest {
        /** @param options what a handle allows, as Hadoop's class tries them */
        public Handle(String options, Options.HandleOpt[] allowed, boolean serialized) {
            super(options, allowed, serialized);
        }

        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class Mkdir extends AbstractContractMkdirTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class Open extends AbstractContractOpenTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class Rename extends AbstractContractRenameTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class RootDirectory extends AbstractContractRootDirectoryTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class SafeMode extends AbstractContractSafeModeTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class Seek extends AbstractContractSeekTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class SetTimes extends AbstractContractSetTimesTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class StreamIOStatistics extends AbstractContractStreamIOStatisticsTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class Unbuffer extends AbstractContractUnbufferTest {
        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }

    public static final class VectoredRead extends AbstractContractVectoredReadTest {
        /** @param buffer kind of buffer, as Hadoop's class tries them */
        public VectoredRead(String buffer) {
            super(buffer);
        }

        @Override
        protected AbstractFSContract createContract(Configuration conf) {
            return new Contract(conf);
        }
    }
}
