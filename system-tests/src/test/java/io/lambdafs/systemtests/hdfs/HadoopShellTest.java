package io.lambdafs.systemtests.hdfs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.datanode.memory.MemoryBlockStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.cli.CLITestHelperDFS;
import org.apache.hadoop.cli.util.CLICommand;
import org.apache.hadoop.cli.util.CLITestData;
import org.apache.hadoop.cli.util.CommandExecutor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The tests that Hadoop has of its shell over HDFS, {@code testHDFSConf.xml} and those of extended attributes and ACLs, over {@code lambdafs://}. */
class HadoopShellTest {
    private static final String CASES = "testHDFSConf.xml";
    private static final String XATTR_CASES = "testXAttrConf.xml";
    private static final String ACL_CASES = "testAclCLIWithPosixAclInheritance.xml";
    private static final int LEAST_PASSED = 615;
    private static final int LEAST_XATTRS_PASSED = 19;
    private static final int LEAST_ACLS_PASSED = 25;

    /** The same for every run in a process: the suite reads its place once, when its class is loaded. */
    private static final Path DATA = Path.of("target", "hadoop-shell").toAbsolutePath();

    @TempDir
    private Path directory;

    /** Those of a cluster that has gone would be found by the next run in this process. */
    @AfterEach
    void closeFileSystems() throws IOException {
        FileSystem.closeAll();
    }

    @Test
    @Timeout(180)
    @SuppressWarnings("try") // The datanode is there to be found.
    void shouldAnswerAsHdfsDoes() throws Exception {
        Path data = Files.createDirectories(DATA);
        for (String cases : List.of(CASES, XATTR_CASES, ACL_CASES)) {
            Files.writeString(
                    data.resolve(cases),
                    new String(resource(cases), UTF_8).replaceAll("(?<![a-z])hdfs://", "lambdafs://"));
        }
        for (String name : List.of("data15bytes", "data30bytes", "data60bytes", "data120bytes")) {
            Files.write(data.resolve(name), resource(name));
        }
        Files.writeString(data.resolve("data1k"), "x".repeat(1_030));
        System.setProperty("test.cache.data", data.toString());
        Path cluster = Files.createDirectories(directory.resolve("cluster"));
        try (LambdaServers servers = new LambdaServers(LambdaServers.Caching.WARM, cluster);
                BlockServer datanode = new BlockServer("d1", new MemoryBlockStore(), servers.store())) {
            run(new Suite(CASES, servers.address(), cluster), "shell", LEAST_PASSED);
            run(new Suite(XATTR_CASES, servers.address(), cluster), "xattrs", LEAST_XATTRS_PASSED);
            run(new Suite(ACL_CASES, servers.address(), cluster), "acls", LEAST_ACLS_PASSED);
        }
    }

    private static void run(Suite suite, String list, int leastPassed) throws Exception {
        suite.setUp();
        suite.testAll();

        List<String> differences = WaitingList.read(list).differences(suite.passed(), suite.failed());

        assertThat(differences).as(String.join("\n", differences)).isEmpty();
        assertThat(suite.passed()).hasSizeGreaterThanOrEqualTo(leastPassed);
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = HadoopShellTest.class.getResourceAsStream("/" + name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        }
    }

    /** Hadoop's runner; what it found stays with it. */
    private static final class Suite extends CLITestHelperDFS {
        private final String cases;
        private final String address;
        private final Path cluster;

        Suite(String cases, String address, Path cluster) {
            this.cases = cases;
            this.address = address;
            this.cluster = cluster;
        }

        @Override
        protected String getTestFile() {
            return cases;
        }

        @Override
        public void setUp() throws Exception {
            super.setUp();
            conf.set("fs.defaultFS", address);
            conf.set("lambdafs.dir", cluster.toString());
            conf.set("lambdafs.tcp.enabled", "false");
            conf.setInt("dfs.replication", 1);
            username = System.getProperty("user.name");
        }

        @Override
        protected String expandCommand(String command) {
            return super.expandCommand(command.replace("NAMENODE", address).replace("#LF#", System.lineSeparator()));
        }

        @Override
        protected CommandExecutor.Result execute(CLICommand command) throws Exception {
            CommandExecutor.Result result =
                    command.getExecutor(address, new Configuration(conf)).executeCommand(command.getCmd());
            long ended = System.currentTimeMillis();
            while (System.currentTimeMillis() == ended) {
                // The suite sorts files by times that it presumes to differ: the next command begins in another
                // millisecond.
                Thread.onSpinWait();
            }
            return result;
        }

        /** By their descriptions, the second of the same with a number. */
        private Map<String, CLITestData> byName() {
            Map<String, CLITestData> named = new LinkedHashMap<>();
            for (CLITestData each : testsFromConfigFile) {
                String name = each.getTestDesc().strip().replaceAll("\\s+", " ");
                int number = 1;
                String unique = name;
                while (named.putIfAbsent(unique, each) != null) {
                    number++;
                    unique = name + " (" + number + ")";
                }
            }
            return named;
        }

        Set<String> passed() {
            Set<String> passed = new LinkedHashSet<>();
            byName().forEach((name, each) -> {
                if (each.getTestResult()) {
                    passed.add(name);
                }
            });
            return passed;
        }

        Map<String, String> failed() {
            Map<String, String> failed = new LinkedHashMap<>();
            byName().forEach((name, each) -> {
                if (!each.getTestResult()) {
                    failed.put(name, said(each));
                }
            });
            return failed;
        }

        private static String said(CLITestData test) {
            return test.getComparatorData().stream()
                    .map(each -> each.getExpectedOutput() + "\nwas:\n" + each.getActualOutput())
                    .collect(Collectors.joining("\n"));
        }
    }
}
