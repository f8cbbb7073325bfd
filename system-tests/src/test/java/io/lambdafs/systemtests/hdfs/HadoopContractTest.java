package io.lambdafs.systemtests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.datanode.memory.MemoryBlockStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Hadoop's own tests of what a file system of Hadoop's must do, over {@code lambdafs://}, with files of up to 512 KB kept. */
class HadoopContractTest {
    private static final int KEPT_BYTES = 512 << 10;

    @TempDir
    private Path directory;

    @Test
    @Timeout(180)
    void shouldKeepToHadoopsContract() throws Exception {
        Results results = run(HadoopContracts.class);

        List<String> differences = WaitingList.read("contract").differences(results.passed, results.failed);

        assertThat(differences).as(String.join("\n", differences)).isEmpty();
        assertThat(results.passed.stream().filter(name -> name.startsWith("FileSystemContract.")))
                .as("FileSystemContractBaseTest")
                .hasSize(43);
    }

    @Test
    @Timeout(180)
    void shouldKeepToHadoopsTestsOfUsersAndFileContext() throws Exception {
        Results results = run(HadoopContractsOfUsers.class);

        List<String> differences = WaitingList.read("users").differences(results.passed, results.failed);

        assertThat(differences).as(String.join("\n", differences)).isEmpty();
    }

    @SuppressWarnings("try") // The datanode is there to be found.
    private Results run(Class<?> suites) throws Exception {
        Path cluster = Files.createDirectories(directory.resolve("cluster"));
        Results results = new Results();
        try (LambdaServers servers = new LambdaServers(LambdaServers.Caching.WARM, cluster, KEPT_BYTES);
                BlockServer datanode = new BlockServer("d1", new MemoryBlockStore(), servers.store())) {
            Configuration conf = new Configuration(false);
            conf.set("fs.defaultFS", servers.address());
            conf.set("lambdafs.dir", cluster.toString());
            conf.set("lambdafs.tcp.enabled", "false");
            try (HadoopTestLoader loader = new HadoopTestLoader(suites == HadoopContracts.class)) {
                Class<?> contracts = loader.loadClass(suites.getName());
                contracts.getMethod("serve", Configuration.class).invoke(null, conf);
                JUnitCore core = new JUnitCore();
                core.addListener(results);
                core.run((Class<?>[]) contracts.getMethod("all").invoke(null));
            }
        }
        return results;
    }

    /** Of each test, by class and method; one that finds itself not meant has to be listed as well. */
    private static final class Results extends RunListener {
        private final Set<String> passed = new TreeSet<>();
        private final Map<String, String> failed = new LinkedHashMap<>();

        private static String name(Description test) {
            return test.getTestClass().getSimpleName() + "." + test.getMethodName();
        }

        @Override
        public void testStarted(Description test) {
            passed.add(name(test));
        }

        @Override
        public void testFailure(Failure failure) {
            passed.remove(name(failure.getDescription()));
            failed.put(name(failure.getDescription()), failure.getTrimmedTrace());
        }

        @Override
        public void testAssumptionFailure(Failure failure) {
            passed.remove(name(failure.getDescription()));
            failed.put(name(failure.getDescription()), "finds itself not meant: " + failure.getMessage());
        }
    }
}
