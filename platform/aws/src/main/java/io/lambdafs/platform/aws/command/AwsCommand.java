package io.lambdafs.platform.aws.command;

import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.platform.aws.Estimate;
import io.lambdafs.platform.aws.PartChange;
import io.lambdafs.platform.aws.StackChoice;
import io.lambdafs.platform.aws.Stacks;
import io.lambdafs.platform.aws.Template;
import io.lambdafs.platform.aws.Workers;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Scanner;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lambdafs aws}: what a cluster needs in AWS, as one stack. */
@Command(
        name = "aws",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "What a cluster needs in AWS, as one CloudFormation stack: network, encrypted bucket, image repository, roles, and as chosen Aurora"
                    + " PostgreSQL or hosts for NDB, EKS, and interface endpoints.",
            "Credentials are those of AWS's own tools: a profile, or the role of this machine."
        })
public final class AwsCommand implements Runnable {
    private final Console console;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    public AwsCommand(Console console) {
        this.console = console;
    }

    /** Which stack, and what is in it. */
    static final class Choice {
        @Parameters(index = "0", paramLabel = "NAME", description = "The stack's name, and what its names begin with.")
        private String name = "";

        @Option(names = "--region", paramLabel = "REGION", description = "Any of AWS's (default: AWS_REGION).")
        private String region = "";

        @Option(
                names = "--store",
                paramLabel = "none|aurora|ndb",
                description = "Where the metadata is (default ${DEFAULT-VALUE}).")
        private String store = "none";

        @Option(names = "--kubernetes", description = "With an EKS cluster.")
        private boolean kubernetes;

        @Option(names = "--endpoints", description = "With interface endpoints of AWS's services in the network.")
        private boolean endpoints;

        @Option(names = "--parameter", paramLabel = "KEY=VALUE", description = "A further parameter of the template.")
        private Map<String, String> parameters = new LinkedHashMap<>();

        @Option(names = "--tag", paramLabel = "KEY=VALUE", description = "A tag of everything in the stack.")
        private Map<String, String> tags = new LinkedHashMap<>();

        @Option(names = "--endpoint", paramLabel = "URL", hidden = true, description = "What stands for AWS.")
        private @Nullable URI endpoint;

        StackChoice get() {
            Map<String, String> all = new TreeMap<>(parameters);
            all.put("Store", store);
            all.put("Kubernetes", Boolean.toString(kubernetes));
            all.put("Endpoints", Boolean.toString(endpoints));
            String ambient = System.getenv().getOrDefault("AWS_REGION", "");
            return new StackChoice(name, region.isEmpty() ? ambient : region, endpoint, all, tags);
        }
    }

    /** How sure one is. */
    static final class Consent {
        @Option(names = "--dry-run", description = "Say what would change, and change nothing.")
        private boolean isDry;

        @Option(names = "--yes", description = "Do not ask.")
        private boolean isGiven;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "aws: plan, create, status, bench or destroy?");
    }

    @Command(
            name = "plan",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "Say what would be made, and what it costs. Asks AWS nothing.")
    int plan(@Mixin Choice choice) {
        return attempt(() -> {
            StackChoice wanted = choice.get();
            Template template = Template.shipped();
            Map<String, Integer> counts = new TreeMap<>();
            template.parts(wanted.parameters()).forEach(part -> counts.merge(part.type(), 1, Integer::sum));
            console.print("the stack " + wanted.name() + " in " + wanted.region() + ", tags " + wanted.allTags() + ":");
            counts.forEach(
                    (type, count) -> console.print(String.format(java.util.Locale.ROOT, "%3d × %s", count, type)));
            console.print(Estimate.of(template, wanted.parameters()).text());
            return ExitCode.OK;
        });
    }

    @Command(
            name = "create",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "Make the stack, or change it to what is given; what is so already stays as it is.")
    int create(@Mixin Choice choice, @Mixin Consent consent) {
        return attempt(() -> {
            StackChoice wanted = choice.get();
            Template template = Template.shipped();
            console.say(Estimate.of(template, wanted.parameters()).text());
            if (!consent.isDry && !isSure(consent, "make or change the stack", wanted.name())) {
                return ExitCode.FAILED;
            }
            try (Stacks stacks = Stacks.open(wanted)) {
                List<PartChange> changes = stacks.apply(wanted, template, consent.isDry);
                changes.forEach(each -> console.print(each.line()));
                console.say(
                        changes.isEmpty()
                                ? "nothing changes"
                                : (consent.isDry ? "would change " : "changed ") + changes.size() + " parts");
                if (!consent.isDry) {
                    stacks.find(wanted.name()).ifPresent(state -> show(wanted.name(), state));
                }
            }
            return ExitCode.OK;
        });
    }

    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "Say what there is of the stack.")
    int status(@Mixin Choice choice) {
        return attempt(() -> {
            StackChoice wanted = choice.get();
            try (Stacks stacks = Stacks.open(wanted)) {
                Optional<Stacks.State> found = stacks.find(wanted.name());
                if (found.isEmpty()) {
                    console.print("there is no stack " + wanted.name() + " in " + wanted.region());
                    return ExitCode.FAILED;
                }
                show(wanted.name(), found.get());
                return ExitCode.OK;
            }
        });
    }

    private void show(String name, Stacks.State state) {
        console.print(name + ": " + state.status());
        state.outputs().forEach((key, value) -> console.print("  " + key + " = " + value));
    }

    @Command(
            name = "destroy",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "Remove the stack. The bucket with the blocks stays, and a last snapshot of Aurora.")
    int destroy(@Mixin Choice choice, @Mixin Consent consent) {
        return attempt(() -> {
            StackChoice wanted = choice.get();
            try (Stacks stacks = Stacks.open(wanted)) {
                Optional<Stacks.State> found = stacks.find(wanted.name());
                if (found.isEmpty()) {
                    console.say("there is no stack " + wanted.name());
                    return ExitCode.OK;
                }
                if (consent.isDry) {
                    console.say("would remove the stack " + wanted.name());
                    return ExitCode.OK;
                }
                if (!isSure(consent, "remove the stack", wanted.name())) {
                    return ExitCode.FAILED;
                }
                stacks.destroy(wanted.name());
                console.print("removed the stack " + wanted.name() + "; what is left is the bucket "
                        + found.get().outputs().getOrDefault("BlockBucket", "(none)"));
                return ExitCode.OK;
            }
        });
    }

    /** What a bench run is told. */
    static final class BenchOptions {
        @Option(
                names = "--program",
                paramLabel = "FILE",
                required = true,
                description = "The tarball that lambdafs dist makes.")
        private Path program = Path.of("");

        @Option(
                names = "--cluster-dir",
                paramLabel = "DIR",
                required = true,
                description = "The cluster's directory for clients.")
        private Path directory = Path.of("");

        @Option(
                names = "--arguments",
                paramLabel = "TEXT",
                description = "Of lambdafs replay on each worker (default: the paper's load, an eighth on each).")
        private String arguments = "";

        @Option(
                names = "--report",
                paramLabel = "DIR",
                description = "Where the reports go (default ${DEFAULT-VALUE}).")
        private Path report = Path.of("lambdafs-report");

        @Option(names = "--limit", paramLabel = "MINUTES", description = "For all of it (default ${DEFAULT-VALUE}).")
        private int minutes = 60;
    }

    @Command(
            name = "bench",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "Replay a load from the paper's eight workers, fetch their reports, and end them.")
    int bench(@Mixin Choice choice, @Mixin Consent consent, @Mixin BenchOptions options) {
        return attempt(() -> {
            StackChoice cluster = choice.get();
            console.say(
                    Workers.COUNT + " machines r5.4xlarge: 8.06 USD per hour while they run (list price of us-east-1)");
            if (consent.isDry || !isSure(consent, "start the workers beside the stack", cluster.name())) {
                return consent.isDry ? ExitCode.OK : ExitCode.FAILED;
            }
            Map<String, String> outputs;
            try (Stacks stacks = Stacks.open(cluster)) {
                outputs = stacks.find(cluster.name())
                        .orElseThrow(() -> new FsException(
                                ErrorCode.UNSUPPORTED,
                                "there is no stack " + cluster.name() + ": make it with lambdafs aws create"))
                        .outputs();
            }
            Workers.Run run = new Workers.Run(
                    "run-" + Long.toString(System.currentTimeMillis(), 36),
                    options.program,
                    options.directory,
                    options.arguments,
                    Duration.ofMinutes(options.minutes));
            try (Workers workers = new Workers(cluster, Duration.ofSeconds(10))) {
                int good = workers.run(run, outputs, options.report, console::say);
                console.print(good + " of " + Workers.COUNT + " workers succeeded; reports are in " + options.report);
                return good == Workers.COUNT ? ExitCode.OK : ExitCode.FAILED;
            }
        });
    }

    private boolean isSure(Consent consent, String what, String name) {
        if (consent.isGiven) {
            return true;
        }
        console.say("To " + what + ", type its name, " + name + ":");
        Scanner input = new Scanner(System.in, java.nio.charset.StandardCharsets.UTF_8);
        if (input.hasNextLine() && input.nextLine().strip().equals(name)) {
            return true;
        }
        console.say("nothing was changed");
        return false;
    }

    private static int attempt(Supplier<ExitCode> step) {
        return step.get().number();
    }
}
