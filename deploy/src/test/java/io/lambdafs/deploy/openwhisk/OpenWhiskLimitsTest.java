package io.lambdafs.deploy.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.deploy.PlanFixture;
import io.lambdafs.deploy.Problem;
import io.lambdafs.platform.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the limits of two releases of OpenWhisk, against 4 calls at once, 256 MB and 30 s. */
class OpenWhiskLimitsTest {
    /** {@code GET namespaces/_/limits} of 1.0.0. */
    private static final String EARLIER = """
            {"invocationsPerMinute":60,"concurrentInvocations":30,"firesPerMinute":60}""";
    /** The same of 2.0.0. */
    private static final String NEWER = """
            {"invocationsPerMinute":60000,"concurrentInvocations":3000,"firesPerMinute":60,"minActionMemory":512,"maxActionMemory":1024,
             "maxActionTimeout":20000,"maxActionConcurrency":1}""";

    private static final String PAGE = """
            {"actions_per_minute":60,"concurrent_actions":30,"max_action_duration":300000,"max_action_memory":134217728}""";

    @TempDir
    private Path directory;

    private List<String> found(String limits, String page) {
        OpenWhiskLimits told = new OpenWhiskLimits(
                Json.parseObject(limits.getBytes(StandardCharsets.UTF_8)),
                Json.parseObject(page.getBytes(StandardCharsets.UTF_8)));
        return told.compare(new PlanFixture(directory).wanted(2)).stream()
                .map(each -> (each.isFault() ? "fault " : "note ") + each.code())
                .toList();
    }

    @Test
    void shouldRefuseWhatANewerOneTells() {
        assertThat(found(NEWER, "{}"))
                .containsExactly("fault CONCURRENCY", "fault MEMORY", "note QUOTA", "fault TIME_LIMIT", "note PAUSE");
    }

    @Test
    void shouldWarnOfWhatAnEarlierOneDoesNotTell() {
        assertThat(found(EARLIER, PAGE))
                .containsExactly("note CONCURRENCY", "fault MEMORY", "note QUOTA", "note PAUSE", "note RATE");
    }

    @Test
    void shouldSayOfOneThatTellsNothingWhatMustBeLookedAtThere() {
        assertThat(found("{}", "{}")).containsExactly("note CONCURRENCY", "note QUOTA", "note PAUSE");
        assertThat(Problem.Code.PAUSE.label()).isEqualTo("LFS-D12");
    }
}
