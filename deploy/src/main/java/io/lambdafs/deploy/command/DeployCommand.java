package io.lambdafs.deploy.command;

import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.deploy.Change;
import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.Deployment;
import io.lambdafs.deploy.FunctionsSpec;
import io.lambdafs.deploy.Plan;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Target;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs deploy}: registers the functions of a cluster with a FaaS platform, or removes them. */
@Command(
        name = "deploy",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Register the cluster's functions with a FaaS platform.",
            "Changes only what differs. The store named by the configuration must be running and formatted "
                    + "(lambdafs format). Checks first whether the platform accepts the functions; if not, changes "
                    + "nothing. Writes the directory of the cluster, which --dir of other commands takes; doctor checks "
                    + "a deployment.",
            "Exit codes: 1 blocked by an obstacle, 2 invalid options, 3 the platform does not answer."
        })
public final class DeployCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @Option(
            names = "--platform",
            paramLabel = "NAME",
            description = "Platform: openwhisk, knative, nuclio, kubernetes or lambda (default: that of the last "
                    + "deployment).")
    private String platform = "";

    @Option(
            names = "--remove",
            description = "Remove everything that was ever deployed for the cluster; the store and its contents stay.")
    private boolean removes;

    @Option(names = "--check", description = "Only check whether the platform accepts the functions.")
    private boolean checks;

    @Option(names = "--dry-run", description = "Check, print what would be sent, and change nothing.")
    private boolean isDry;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Option(
            names = "--function",
            paramLabel = "FILE",
            description = "Configuration of the functions' instances (default: DIR/function.json).")
    private @Nullable Path function;

    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            description = "File with the cluster's secret (default: the one named by the configuration).")
    private @Nullable Path secretFile;

    @Option(
            names = "--cluster",
            paramLabel = "NAME",
            description = "Prefix of the names of everything created (default: the name of the file system).")
    private String cluster = "";

    @Option(
            names = "--deployments",
            paramLabel = "N",
            description = "Number of functions (default: that of the configuration).")
    private int deployments;

    @Option(names = "--image", paramLabel = "IMAGE", description = "Container image of an instance.")
    private String image = "";

    @Option(names = "--memory", paramLabel = "MB", description = "Memory of an instance (default ${DEFAULT-VALUE}).")
    private int memoryMb = 512;

    @Option(
            names = "--concurrency",
            paramLabel = "CALLS",
            description = "Concurrent HTTP calls per instance before another starts (default ${DEFAULT-VALUE}).")
    private int concurrency = 4;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "Time limit of a call (default ${DEFAULT-VALUE}).")
    private int timeoutSeconds = 60;

    @Option(
            names = "--min-instances",
            paramLabel = "N",
            description = "Minimum number of instances of each function (default ${DEFAULT-VALUE}).")
    private int minInstances;

    @Option(
            names = "--http-share",
            paramLabel = "SHARE",
            description =
                    "Share of a function's requests sent by HTTP, for platforms that scale by those alone (default "
                            + "${DEFAULT-VALUE}).")
    private double httpShare = 0.005;

    @Option(
            names = "--env",
            paramLabel = "NAME=VALUE",
            description = "Environment variable of the instances; may be repeated.")
    private Map<String, String> environment = new LinkedHashMap<>();

    @Option(names = "--apihost", paramLabel = "URL", description = "Address of the platform's API.")
    private @Nullable URI apiHost;

    @Option(names = "--auth-file", paramLabel = "FILE", description = "File with the platform's credentials.")
    private @Nullable Path authFile;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "Namespace of the functions (default: the platform's).")
    private String namespace = "";

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "kubeconfig file (default: kubectl's).")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Context of the kubeconfig (default: the current one).")
    private String context = "";

    @Option(
            names = "--option",
            paramLabel = "KEY=VALUE",
            description = "Further platform-specific setting (docs/DEPLOY.md); may be repeated.")
    private Map<String, String> options = new LinkedHashMap<>();

    public DeployCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Path root = directory.find().root();
        try {
            return removes ? remove(root) : deploy(root);
        } catch (DeployFailure failure) {
            if (json) {
                return show(new Deployment.Report(platform, cluster, List.of(failure.problem()), List.of()), false);
            }
            console.say("lambdafs: " + failure.line());
            return exit(failure.code()).number();
        }
    }

    private int deploy(Path root) {
        String name = platform.isEmpty() ? Plan.read(root).map(Plan::platform).orElse("") : platform;
        if (name.isEmpty()) {
            throw new DeployFailure(Problem.Code.CONFIGURATION, "which platform? Give --platform");
        }
        Path file = function == null ? root.resolve("function.json") : function;
        Plan.Instances instances = Plan.Instances.read(file, deployments, secretFile);
        FunctionsSpec wanted = new FunctionsSpec(
                cluster.isEmpty() ? instances.fileSystem().toLowerCase(Locale.ROOT) : cluster,
                instances.deployments(),
                image,
                memoryMb,
                concurrency,
                Duration.ofSeconds(timeoutSeconds),
                minInstances,
                httpShare,
                instances.configuration(),
                instances.secretFile(),
                environment);
        Deployment.Mode mode = checks ? Deployment.Mode.CHECK : isDry ? Deployment.Mode.DRY_RUN : Deployment.Mode.APPLY;
        return show(Deployment.deploy(new Plan(name, target(), wanted), root, mode), isDry && !checks);
    }

    private int remove(Path root) {
        Optional<Plan> before = Plan.read(root);
        if (before.isEmpty() && (platform.isEmpty() || cluster.isEmpty())) {
            throw new DeployFailure(
                    Problem.Code.CONFIGURATION,
                    "nothing is deployed by " + root
                            + ": give its directory with --dir, or --platform, --cluster and where it is");
        }
        String name = before.map(Plan::platform).orElse(platform);
        Target from = before.map(Plan::target).orElseGet(this::target);
        String which = before.map(plan -> plan.wanted().cluster()).orElse(cluster);
        return show(Deployment.remove(name, from, which, root, isDry), false);
    }

    private Target target() {
        return new Target(apiHost, absolute(authFile), namespace, absolute(kubeconfig), context, options);
    }

    private static @Nullable Path absolute(@Nullable Path file) {
        return file == null ? null : file.toAbsolutePath().normalize();
    }

    private int show(Deployment.Report report, boolean showsManifests) {
        if (json) {
            console.print(report.json().put("dryRun", isDry || checks).toString());
        } else {
            report.problems().forEach(each -> console.say("lambdafs: " + each.line()));
            for (Change each : report.changes()) {
                if (showsManifests) {
                    console.say(each.line());
                    console.print("---\n" + each.manifest());
                } else {
                    console.print(each.line());
                }
            }
            console.say(summary(report));
        }
        return report.problems().stream()
                .filter(Problem::isFault)
                .map(each -> exit(each.code()))
                .findFirst()
                .orElse(ExitCode.OK)
                .number();
    }

    private String summary(Deployment.Report report) {
        if (report.hasFault()) {
            return "nothing was changed";
        }
        long changed = report.changes().stream()
                .filter(each -> each.kind() != Change.Kind.UNCHANGED)
                .count();
        return checks
                ? "nothing stands in the way"
                : (isDry ? "would change " : "changed ") + changed + " of "
                        + report.changes().size() + " parts on " + report.platform();
    }

    private static ExitCode exit(Problem.Code code) {
        return switch (code) {
            case UNREACHABLE -> ExitCode.UNREACHABLE;
            case CONFIGURATION -> ExitCode.USAGE;
            default -> ExitCode.FAILED;
        };
    }
}
