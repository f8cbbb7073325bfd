package io.lambdafs.deploy.kubernetes;

import io.lambdafs.deploy.Change;
import io.lambdafs.deploy.Deployment;
import io.lambdafs.deploy.Plan;
import io.lambdafs.deploy.PlanFixture;
import io.lambdafs.deploy.Target;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/** A dry run without a cluster, to be run in several processes: the order of {@code Map.of} differs in each. */
final class DryRun {
    private DryRun() {}

    /** Returns the output of {@code deploy --dry-run --option offline=true}. */
    static String of(String platform, Path directory) {
        Target nowhere =
                new Target(null, null, "fs", directory.resolve("no-kubeconfig"), "", Map.of("offline", "true"));
        Plan plan = new Plan(platform, nowhere, new PlanFixture(directory).wanted(2));
        return Deployment.deploy(plan, directory.resolve("clients"), Deployment.Mode.DRY_RUN).changes().stream()
                .map(Change::manifest)
                .collect(Collectors.joining("---\n"));
    }

    /** Prints it. Arguments: the platform and a directory. */
    public static void main(String[] arguments) {
        System.out.writeBytes(of(arguments[0], Path.of(arguments[1])).getBytes(StandardCharsets.UTF_8));
    }
}
