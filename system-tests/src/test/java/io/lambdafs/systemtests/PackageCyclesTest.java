package io.lambdafs.systemtests;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** Packages know each other one way: what a package builds on does not know it, not by a detour either. */
class PackageCyclesTest {
    @Test
    void shouldHaveNoCycleOfPackages() {
        acyclic(Code.ROOT).check(Code.production());
    }

    @Test
    void shouldNoticeACycle() {
        assertThat(acyclic(Code.VIOLATIONS_ROOT + ".cycle")
                        .evaluate(Code.violations())
                        .getFailureReport()
                        .toString())
                .contains("Cycle detected", "CycleAbove", "CycleBelow");
    }

    private static ArchRule acyclic(String root) {
        return slices().matching(root + ".(**)").should().beFreeOfCycles();
    }
}
