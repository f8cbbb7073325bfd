package io.lambdafs.systemtests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.testkit.PatientWaits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests do not depend on how busy the machine is: they wait for a condition, and have no time limit of their own beside
 * that of the suite. {@code PatientWaits} and {@code Waits} of the model's tests are how they do.
 */
class PatientTestsTest {
    private static final Pattern LIMIT = Pattern.compile("\\.(atMost|orTimeout|completeOnTimeout)\\("
            + "|\\.(get|join|waitFor|await|awaitTermination)\\([^;()]*, (TimeUnit\\.)?(SECONDS|MILLISECONDS|MINUTES)\\)"
            + "|\\.(succeeds|fails)Within\\((?!0, |Duration\\.ZERO|HOUR\\b|PatientWaits\\.)"
            + "|System\\.nanoTime\\(\\) - \\w+\\)[^;]*?\\.isLessThan(OrEqualTo)?\\("
            + "|\\.timeout\\(Duration\\.ofSeconds\\("
            + "|\\bassertTimeout");

    /** Files that measure time or are no tests, by the beginning of their paths, and why. */
    private static final Map<String, String> OTHERS = others();

    private static Map<String, String> others() {
        Map<String, String> map = new LinkedHashMap<>();
        String tests = "system-tests/src/test/java/io/lambdafs/systemtests/";
        map.put(tests + "chaos/", "a run takes an hour, and how soon a service resumes is what it tells");
        map.put(tests + "docs/PatientTestsTest.java", "it names what it forbids");
        map.put("store-ndb/src/test/java/io/lambdafs/store/ndb/NdbFailuresTest.java", "that nothing comes");
        map.put("store/src/test/java/io/lambdafs/store/RefusalContract.java", "an engine refuses at once, or waits");
        map.put(
                "platform/src/test/java/io/lambdafs/platform/local/instance/EchoInstance.java",
                "a process that nobody ends, ends by itself");
        map.put(
                "platform/src/test/java/io/lambdafs/platform/local/pool/InstancePoolTest.java",
                "a gate that opens by itself");
        return map;
    }

    private static boolean isTest(Path file) {
        return Stream.of("test", "java").allMatch(part -> file.toString().contains("/" + part + "/"));
    }

    @Test
    void shouldFindNoTestWithATimeLimitOfItsOwn() throws IOException {
        List<String> found = new ArrayList<>();
        Checkout.files(".java").forEach((file, text) -> {
            Matcher limit = LIMIT.matcher(text);
            while (isTest(file) && OTHERS.keySet().stream().noneMatch(file.toString()::startsWith) && limit.find()) {
                found.add(file + ":"
                        + (1 + text.substring(0, limit.start()).lines().count()) + " " + limit.group());
            }
        });
        assertThat(found).isEmpty();
    }

    @Test
    void shouldExceptNoFileInVain() throws IOException {
        Map<Path, String> files = Checkout.files(".java");
        assertThat(OTHERS.keySet())
                .allMatch(each -> files.entrySet().stream()
                        .anyMatch(file -> file.getKey().toString().startsWith(each)
                                && LIMIT.matcher(file.getValue()).find()));
    }

    /** A wait of Awaitility hears no interrupt; what waits otherwise may not either, and is left behind in its thread. */
    @Test
    void shouldEndATestThatHangs() throws IOException {
        String pom = Checkout.files("pom.xml").get(Path.of("pom.xml"));
        Matcher limit =
                Pattern.compile("execution\\.timeout\\.default = (\\d+) s").matcher(pom);
        assertThat(limit.find()).isTrue();
        assertThat(PatientWaits.PATIENCE).isLessThan(Duration.ofSeconds(Long.parseLong(limit.group(1))));
        assertThat(pom).contains("execution.timeout.thread.mode.default = SEPARATE_THREAD");
    }

    /** Without it Awaitility gives up after ten seconds. */
    @Test
    void shouldFindTheModelsTestKitInEveryModuleThatWaits() throws IOException {
        Map<Path, String> poms = Checkout.files("pom.xml");
        Checkout.files(".java").forEach((file, text) -> {
            int tests = file.toString().indexOf("/src/test/java/");
            if (tests > 0 && text.contains("org.awaitility")) {
                Path pom = Path.of(file.toString().substring(0, tests), "pom.xml");
                boolean own = pom.startsWith("model");
                assertThat(own
                                || poms.get(pom)
                                        .replaceAll("\\s+", "")
                                        .contains("<artifactId>lambdafs-model</artifactId><type>test-jar</type>"))
                        .as("%s has the test-jar of lambdafs-model", pom)
                        .isTrue();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "await().atMost(Duration.ofSeconds(9)).until(x)",
                "future.get(30, TimeUnit.SECONDS)",
                "process.waitFor(LIMIT, SECONDS)",
                "latch.await(10, TimeUnit.MILLISECONDS)",
                "stage.orTimeout(1, TimeUnit.MINUTES)",
                "assertThat(x).succeedsWithin(Duration.ofSeconds(5))",
                "assertThat(x).failsWithin(2, TimeUnit.SECONDS)",
                "assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LIMIT)",
                "assertThat(System.nanoTime() - began)\n    .as(\"x\")\n    .isLessThan(1)",
                "HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20))",
                "assertTimeoutPreemptively(x)"
            })
    void shouldSeeALimit(String code) {
        assertThat(LIMIT.matcher(code).find()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "await().until(x)",
                "future.get()",
                "map.get(SECONDS)",
                "assertThat(x).failsWithin(0, TimeUnit.SECONDS)",
                "assertThat(x).failsWithin(Duration.ZERO)",
                "assertThat(x).succeedsWithin(PatientWaits.PATIENCE)",
                "assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(LEAST)",
                "assertThat(Duration.ofNanos(clock.nanoTime() - began)).isLessThan(LIMIT)"
            })
    void shouldSeeNoLimitWhereThereIsNone(String code) {
        assertThat(LIMIT.matcher(code).find()).isFalse();
    }
}
