package io.lambdafs.systemtests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.datanode.memory.MemoryBlockStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
        assertThat(results.counts()).isEqualTo(counts("contract"));
    }

    /** How many tests of each class run, so that one that vanishes is seen: lines of {@code class number}. */
    private static Map<String, Integer> counts(String suite) throws IOException {
        String file = "/hadoop-suites/" + suite + "-counts.txt";
        try (InputStream in = Objects.requireNonNull(HadoopContractTest.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> line.split(" ", -1))
                    .collect(Collectors.toMap(
                            words -> words[0], words -> Integer.valueOf(words[1]), Math::addExact, TreeMap::new));
        }
    }

    @Test
    @Timeout(180)
    void shouldKeepToHadoopsTestsOfUsersAndFileContext() throws Exception {
        Results results = run(HadoopContractsOfUsers.class);

        List<String> differences = WaitingList.read("users").differences(results.passed, results.failed);

        assertThat(differences).as(String.join("\n", differences)).isEmpty();
        assertThat(results.counts()).isEqualTo(counts("users"));
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

    /** Results of each test, by class and method; a test that skips itself has to be listed too. */
    private static final class Results extends RunListener {
        private final Set<String> passed = new TreeSet<>();
        private final Map<String, String> failed = new LinkedHashMap<>();

        /** Tests that ran, by their classes. */
        Map<String, Integer> counts() {
            return Stream.concat(passed.stream(), failed.keySet().stream())
                    .collect(Collectors.toMap(
                            name -> name.substring(0, name.indexOf('.')), name -> 1, Math::addExact, TreeMap::new));
        }

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
