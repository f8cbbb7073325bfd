package io.lambdafs.systemtests.hdfs;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FCStatisticsBaseTest;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSMainOperationsBaseTest;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextCreateMkdirBaseTest;
import org.apache.hadoop.fs.FileContextMainOperationsBaseTest;
import org.apache.hadoop.fs.FileContextPermissionBase;
import org.apache.hadoop.fs.FileContextTestHelper;
import org.apache.hadoop.fs.FileContextURIBase;
import org.apache.hadoop.fs.FileContextUtilBase;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.FSAclBaseTest;
import org.apache.hadoop.hdfs.server.namenode.FSXAttrBaseTest;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.AssumptionViolatedException;
import org.junit.Before;
import org.junit.BeforeClass;

/**
 * Hadoop's tests of what HDFS and {@code FileContext} must do, by users who are no superusers where the tests say so. What they ask of HDFS's own
 * processes {@link HadoopTestLoader} takes from them: whether an INode has an ACL is what its status says, and nothing is restarted.
 */
public final class HadoopContractsOfUsers {
    private static final String USER = "amy";

    private static Configuration served = new Configuration(false);

    private HadoopContractsOfUsers() {}

    /** Sets what the tests are run over from now on. */
    public static void serve(Configuration configuration) {
        served = new Configuration(configuration);
        served.set("fs.permissions.umask-mode", "022");
        served.set("fs.AbstractFileSystem.file.impl", "org.apache.hadoop.fs.local.LocalFs");
        served.set("fs.AbstractFileSystem.lambdafs.impl", "io.lambdafs.hadoop.LambdaAbstractFileSystem");
    }

    /** The classes of tests. */
    public static Class<?>[] all() {
        return new Class<?>[] {
            MainOperations.class,
            ContextMainOperations.class,
            ContextCreateMkdir.class,
            ContextPermission.class,
            ContextUri.class,
            ContextUtil.class,
            ContextStatistics.class,
            Acls.class,
            Xattrs.class
        };
    }

    private static URI address() {
        return URI.create(served.get("fs.defaultFS"));
    }

    private static FileSystem fileSystem() throws IOException {
        return FileSystem.newInstance(address(), new Configuration(served));
    }

    private static FileSystem fileSystem(UserGroupInformation user) throws IOException, InterruptedException {
        return user.doAs((PrivilegedExceptionAction<FileSystem>) HadoopContractsOfUsers::fileSystem);
    }

    private static FileContext context() throws IOException {
        return FileContext.getFileContext(address(), served);
    }

    private static FileContextTestHelper below(String name) {
        return new FileContextTestHelper("/user/" + name);
    }

    /** In place of a look at an INode of HDFS's. */
    public static void assertAcl(Path path, boolean expected) throws IOException {
        try (FileSystem fs = fileSystem()) {
            assertEquals(path.toString(), expected, fs.getFileStatus(path).hasAcl());
        }
    }

    public static final class MainOperations extends FSMainOperationsBaseTest {
        public MainOperations() {
            super("/user/" + USER + "/test");
        }

        @BeforeClass
        public static void makeHome() throws IOException {
            try (FileSystem fs = fileSystem()) {
                Path home = new Path("/user/" + USER);
                fs.mkdirs(home, FsPermission.createImmutable((short) 0755));
                fs.setOwner(home, USER, "users");
            }
        }

        @Override
        protected FileSystem createFileSystem() throws Exception {
            return fileSystem(UserGroupInformation.createUserForTesting(USER, new String[] {"users"}));
        }
    }

    public static final class ContextMainOperations extends FileContextMainOperationsBaseTest {
        @Override
        protected FileContextTestHelper createFileContextHelper() {
            return below("context");
        }

        @Override
        @Before
        public void setUp() throws Exception {
            fc = context();
            super.setUp();
        }

        @Override
        protected boolean listCorruptedBlocksSupported() {
            return true;
        }
    }

    public static final class ContextCreateMkdir extends FileContextCreateMkdirBaseTest {
        @Override
        protected FileContextTestHelper createFileContextHelper() {
            return below("mkdir");
        }

        @Override
        @Before
        public void setUp() throws Exception {
            fc = context();
            super.setUp();
        }
    }

    public static final class ContextPermission extends FileContextPermissionBase {
        @Override
        protected FileContextTestHelper getFileContextHelper() {
            return below("permission");
        }

        @Override
        protected FileContext getFileContext() throws Exception {
            return context();
        }
    }

    public static final class ContextUri extends FileContextURIBase {
        @Override
        @Before
        public void setUp() throws Exception {
            fc1 = context();
            fc2 = context();
            super.setUp();
        }
    }

    public static final class ContextUtil extends FileContextUtilBase {
        @Override
        @Before
        public void setUp() throws Exception {
            fc = context();
            super.setUp();
        }
    }

    public static final class ContextStatistics extends FCStatisticsBaseTest {
        @Before
        public void setUp() throws Exception {
            fc = context();
            FileContext.clearStatistics();
            fc.mkdir(fileContextTestHelper.getTestRootPath(fc, "test"), FileContext.DEFAULT_PERM, true);
        }

        @Override
        protected void verifyReadBytes(FileSystem.Statistics statistics) {
            assertEquals(2L * blockSize, statistics.getBytesRead());
        }

        @Override
        protected void verifyWrittenBytes(FileSystem.Statistics statistics) {
            assertEquals(blockSize, statistics.getBytesWritten());
        }

        @Override
        protected URI getFsUri() {
            return address();
        }
    }

    /** Offers only those parts of HDFS that its tests need. */
    private static final class Served extends MiniDFSCluster {
        @Override
        public Configuration getConfiguration(int nameNode) {
            return served;
        }

        @Override
        public DistributedFileSystem getFileSystem() throws IOException {
            return new OfCaller(fileSystem());
        }
    }

    /** Acts as another user for the tests of extended attributes, in HDFS's class. */
    private static final class OfCaller extends DistributedFileSystem {
        private final FileSystem fs;

        OfCaller(FileSystem fs) {
            this.fs = fs;
        }

        @Override
        public void setXAttr(Path path, String name, byte[] value, EnumSet<XAttrSetFlag> flags) throws IOException {
            fs.setXAttr(path, name, value, flags);
        }

        @Override
        public byte[] getXAttr(Path path, String name) throws IOException {
            return fs.getXAttr(path, name);
        }

        @Override
        public Map<String, byte[]> getXAttrs(Path path) throws IOException {
            return fs.getXAttrs(path);
        }

        @Override
        public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
            return fs.getXAttrs(path, names);
        }

        @Override
        public List<String> listXAttrs(Path path) throws IOException {
            return fs.listXAttrs(path);
        }

        @Override
        public void removeXAttr(Path path, String name) throws IOException {
            fs.removeXAttr(path, name);
        }

        @Override
        public FSDataInputStream open(Path path, int bufferSize) throws IOException {
            return fs.open(path, bufferSize);
        }

        @Override
        public boolean rename(Path source, Path destination) throws IOException {
            return fs.rename(source, destination);
        }

        @Override
        public boolean delete(Path path, boolean recursive) throws IOException {
            return fs.delete(path, recursive);
        }

        @Override
        public Configuration getConf() {
            return served;
        }
    }

    public static final class Acls extends FSAclBaseTest {
        @BeforeClass
        public static void serve() {
            conf = new Configuration(served);
            cluster = new Served();
        }

        @Override
        public void testDeDuplication() {
            throw new AssumptionViolatedException("it starts a NameNode of HDFS, to look into it");
        }

        @Override
        protected FileSystem createFileSystem() throws Exception {
            return fileSystem();
        }

        @Override
        protected FileSystem createFileSystem(UserGroupInformation user) throws Exception {
            return fileSystem(user);
        }
    }

    public static final class Xattrs extends FSXAttrBaseTest {
        @BeforeClass
        public static void serve() throws IOException {
            dfsCluster = new Served();
            // Those of ACLs leave files of the same names.
            try (FileSystem fs = fileSystem()) {
                for (FileStatus each : fs.globStatus(new Path("/p*"))) {
                    fs.delete(each.getPath(), true);
                }
            }
        }

        @Override
        protected FileSystem createFileSystem() throws Exception {
            return fileSystem();
        }

        @Override
        protected FileSystem createFileSystem(UserGroupInformation user) throws Exception {
            return fileSystem(user);
        }
    }
}
