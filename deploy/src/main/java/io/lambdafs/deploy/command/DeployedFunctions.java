package io.lambdafs.deploy.command;

import io.lambdafs.cluster.check.Finding;
import io.lambdafs.deploy.Change;
import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.Plan;
import io.lambdafs.deploy.Platform;
import io.lambdafs.deploy.Platforms;
import io.lambdafs.deploy.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Examines functions on a platform for {@code doctor}: finds obstacles and checks that the functions are as deployed.
 * Stateless.
 */
public final class DeployedFunctions {
    private static final String WHY = "functions cannot be deployed so, or will not scale";

    private DeployedFunctions() {}

    /** Examines the platform. */
    public static List<Finding> examine(Plan plan) {
        List<Finding> findings = new ArrayList<>();
        try (Platform platform = Platforms.open(plan.platform(), plan.target())) {
            List<Problem> problems = platform.check(plan.wanted());
            problems.forEach(each -> findings.add(finding(each)));
            if (problems.stream().noneMatch(Problem::isFault)) {
                findings.add(drift(platform.apply(plan.wanted(), true)));
            }
        } catch (DeployFailure failure) {
            findings.add(finding(failure.problem()));
        }
        return findings;
    }

    private static Finding finding(Problem problem) {
        String check = problem.code().toString().toLowerCase(Locale.ROOT).replace('_', ' ');
        String what = problem.code().label() + ": " + problem.what();
        return problem.isFault()
                ? Finding.fault(check, what, WHY, problem.change().isEmpty() ? "deploy again" : problem.change())
                : Finding.unknown(check, what + ": " + problem.change());
    }

    private static Finding drift(List<Change> changes) {
        List<String> others = changes.stream()
                .filter(each -> each.kind() != Change.Kind.UNCHANGED)
                .map(each -> each.what() + " " + each.name())
                .toList();
        return others.isEmpty()
                ? Finding.ok("functions", changes.size() + " parts are as they were deployed")
                : Finding.fault(
                        "functions",
                        String.join(", ", others) + ": not as deployed",
                        "clients find none there, or another one",
                        "deploy again");
    }
}
