package io.lambdafs.systemtests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.security.Groups;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * λFS answers as HDFS does. Fixed seeds, or {@code -Dlambdafs.differential.rounds=1000} under fresh ones; {@code
 * -Dlambdafs.differential.seed=7} begins with that seed, and {@code -Dlambdafs.differential.steps=3,5,8} takes those of its steps alone. {@code
 * -Dlambdafs.differential.store=postgres}, {@code ndb} or {@code embedded} has the metadata there instead of in memory.
 */
class HdfsDifferentialTest {
    private static final Logger log = LoggerFactory.getLogger(HdfsDifferentialTest.class);
    private static final String PROPERTY = "lambdafs.differential.";
    private static final Path LISTED = Path.of("..", "docs", "HDFS-DIFFERENCES.md");
    private static final Path REPORT = Path.of("target", "differential", "report.txt");
    private static final int FIXED_ROUNDS = 16;

    @TempDir
    static Path directory;

    private static final List<Target> lambdas = new ArrayList<>();
    private static @Nullable Target hdfs;

    @BeforeAll
    static void start() throws Exception {
        shareGroups();
        hdfs = Target.hdfs(directory.resolve("hdfs"));
        for (LambdaServers.Caching caching : LambdaServers.Caching.values()) {
            Path folder = directory.resolve(caching.name());
            String engine = System.getProperty(PROPERTY + "store", "");
            lambdas.add(engine.isEmpty() ? Target.lambda(caching, folder) : Target.lambda(caching, folder, engine));
        }
    }

    @AfterAll
    static void stop() throws IOException {
        for (Target each : lambdas) {
            each.close();
        }
        lambdas.clear();
        if (hdfs != null) {
            hdfs.close();
        }
    }

    private static Comparison comparison(ListedDifferences listed) {
        return new Comparison(listed, Objects.requireNonNull(hdfs), lambdas);
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void shouldAnswerAsHdfsDoes() throws IOException {
        ListedDifferences listed = ListedDifferences.read(LISTED);
        long began = System.nanoTime();
        Rounds rounds = new Rounds(comparison(listed));
        run(rounds);
        List<String> report = new ArrayList<>(rounds.findings());
        report.addAll(listed.summary());
        report.add("%s, %d s".formatted(rounds, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began)));
        Files.createDirectories(REPORT.getParent());
        Files.write(REPORT, report);
        log.info("\n{}", String.join("\n", report));
        assertThat(rounds.agree()).as(String.join("\n", report)).isTrue();
    }

    @Test
    void shouldShowWhatIsNotListedInTheFewestSteps() throws IOException {
        Rounds rounds = new Rounds(comparison(new ListedDifferences(List.of())));

        // What is listed otherwise occurs within the fixed rounds.
        for (long seed = 1; seed <= FIXED_ROUNDS && rounds.agree(); seed++) {
            rounds.run(seed);
        }

        assertThat(rounds.agree()).isFalse();
        assertThat(rounds.findings())
                .anySatisfy(found -> assertThat(found).containsPattern("--seed [0-9]+ --steps [0-9,]+$"));
    }

    @ParameterizedTest
    @MethodSource({
        "io.lambdafs.systemtests.hdfs.Overwrites#sequences",
        "io.lambdafs.systemtests.hdfs.OpenFileSequences#sequences"
    })
    void shouldStillDifferWhereRandomRoundsSeldomGo(List<Step> steps, String theirs, String ours) throws IOException {
        ListedDifferences listed = ListedDifferences.read(LISTED);
        Target namenode = Objects.requireNonNull(hdfs);
        assertThat(comparison(listed).run(steps)).isEmpty();
        namenode.reset();
        assertThat(steps.stream().map(namenode::answer).toList().get(steps.size() - 1))
                .isEqualTo(theirs);
        for (Target each : lambdas) {
            each.reset();
            assertThat(steps.stream().map(each::answer).toList().get(steps.size() - 1))
                    .as(each.name())
                    .isEqualTo(ours);
        }
    }

    private static void run(Rounds rounds) throws IOException {
        Integer count = Integer.getInteger(PROPERTY + "rounds");
        Long seed = Long.getLong(PROPERTY + "seed");
        String steps = System.getProperty(PROPERTY + "steps", "");
        if (!steps.isEmpty() && seed != null) {
            rounds.run(
                    seed, Arrays.stream(steps.split(",")).map(Integer::valueOf).toList());
            return;
        }
        boolean fresh = count != null && seed == null;
        long first = fresh ? ThreadLocalRandom.current().nextLong(1L << 40) : seed == null ? 1 : seed;
        int all = count != null ? count : seed == null ? FIXED_ROUNDS : 1;
        for (long each = first; each < first + all; each++) {
            rounds.run(each);
        }
    }

    /** The NameNode asks the JVM's one mapping. */
    private static void shareGroups() {
        Configuration conf = new Configuration();
        conf.set(CommonConfigurationKeys.HADOOP_USER_GROUP_STATIC_OVERRIDES, User.mapping());
        Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(conf);
    }
}
