package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * The leader of a subtree operation stops before, and after, each message that it sends to the store or to another instance. Whatever
 * the step, others see the tree before or after, never both or neither; whoever meets a mark removes it; the client's repeated
 * request has one effect and one answer; and at the end the store is clean.
 *
 * <pre>
 *   client    --- operation ---> leader ---> store, instances      stops at its k-th message, for every k
 *   readers   --- sequence of looks ---> others                    before ... before after ... after
 *   client    --- the same request ----> others                    done, once
 * </pre>
 */
@Tag("once")
class SubtreeCrashTest {
    private static final int FEWEST_STEPS = 8;
    private static final int MOST_STEPS = 200;

    @Tag("slow")
    @TestFactory
    List<DynamicTest> shouldEndWholeWhereverItsLeaderStops() {
        List<DynamicTest> tests = new ArrayList<>();
        for (SubtreeCase script : SubtreeCase.all()) {
            for (SubtreeTrial.Death death : SubtreeTrial.Death.values()) {
                tests.add(DynamicTest.dynamicTest(script + ": " + death, () -> everyStep(script, death)));
            }
        }
        return tests;
    }

    private static void everyStep(SubtreeCase script, SubtreeTrial.Death death) {
        int step = 1;
        while (trial(script, death, step)) {
            assertThat(++step).isLessThan(MOST_STEPS);
        }
        assertThat(step).isGreaterThan(FEWEST_STEPS);
    }

    private static boolean trial(SubtreeCase script, SubtreeTrial.Death death, int step) {
        boolean stopped = true;
        for (Failpoint.Side side : Failpoint.Side.values()) {
            try {
                stopped &= new SubtreeTrial(script).run(step, side, death);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        script + ", " + death + " " + side + " step " + step + ": " + e.getMessage(), e);
            }
        }
        return stopped;
    }
}
