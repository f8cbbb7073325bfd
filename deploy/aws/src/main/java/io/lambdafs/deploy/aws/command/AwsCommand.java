package io.lambdafs.deploy.aws.command;

import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.deploy.aws.Ecr;
import io.lambdafs.deploy.aws.Estimate;
import io.lambdafs.deploy.aws.ImageArchive;
import io.lambdafs.deploy.aws.PartChange;
import io.lambdafs.deploy.aws.StackChoice;
import io.lambdafs.deploy.aws.Stacks;
import io.lambdafs.deploy.aws.Template;
import io.lambdafs.deploy.aws.Workers;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Scanner;
import java.util.TreeMap;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lambdafs aws}: manages the AWS resources of a cluster as one stack. */
@Command(
        name = "aws",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "Create what a cluster needs in AWS, as one CloudFormation stack.",
            "Network, encrypted bucket, image repository and roles; on request Aurora PostgreSQL or hosts for "
                    + "NDB, EKS, and interface endpoints. Credentials are those of AWS's own tools: a profile, or this "
                    + "machine's role."
        })
public final class AwsCommand implements Runnable {
    private final Console console;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    public AwsCommand(Console console) {
        this.console = console;
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
            description = "Show what create would make, and its cost; asks AWS nothing.")
    int plan(@Mixin AwsOptions.Choice choice) {
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
            description = "Create the stack, or update what differs.")
    int create(@Mixin AwsOptions.Choice choice, @Mixin AwsOptions.Image image, @Mixin AwsOptions.Consent consent) {
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
                    Optional<Stacks.State> made = stacks.find(wanted.name());
                    made.ifPresent(state -> show(wanted.name(), state));
                    if (image.archive != null) {
                        push(wanted, made.map(Stacks.State::outputs).orElse(Map.of()), ImageArchive.of(image.archive));
                    }
                }
            }
            return ExitCode.OK;
        });
    }

    private void push(StackChoice stack, Map<String, String> outputs, ImageArchive archive) {
        String repository = outputs.getOrDefault("ImageRepository", "");
        if (repository.isEmpty()) {
            throw new FsException(
                    ErrorCode.INTERNAL, "the stack " + stack.name() + " says no ImageRepository: create it again");
        }
        try (Ecr ecr = Ecr.open(stack)) {
            String name = repository + ":" + archive.tag();
            if (ecr.has(stack.name(), archive.tag())) {
                console.print("the image is there: " + name);
                return;
            }
            console.say("pushing " + archive.file() + " to " + name);
            console.print("pushed " + archive.push(repository, ecr.login(), false));
        }
    }

    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "Show the stack's resources.")
    int status(@Mixin AwsOptions.Choice choice) {
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
            description = {
                "Remove the stack; blocks and a last snapshot stay.",
                "The bucket of the blocks and its key stay, and a last snapshot of Aurora. A stack with a "
                        + "database needs --parameter Protection=false in a last \"aws create\"."
            })
    int destroy(@Mixin AwsOptions.Choice choice, @Mixin AwsOptions.Consent consent) {
        return attempt(() -> {
            StackChoice wanted = choice.get();
            try (Stacks stacks = Stacks.open(wanted)) {
                Optional<Stacks.State> found = stacks.find(wanted.name());
                if (found.isEmpty()) {
                    console.say("there is no stack " + wanted.name());
                    return ExitCode.OK;
                }
                stacks.destroy(wanted.name(), true);
                if (!consent.isDry) {
                    if (!isSure(consent, "remove the stack", wanted.name())) {
                        return ExitCode.FAILED;
                    }
                    stacks.destroy(wanted.name(), false);
                }
                console.print((consent.isDry ? "would remove the stack " : "removed the stack ") + wanted.name()
                        + "; these stay: the bucket "
                        + found.get().outputs().getOrDefault("BlockBucket", "(none)")
                        + " and its key, a last snapshot of Aurora, and the volumes of pods that were not uninstalled");
                return ExitCode.OK;
            }
        });
    }

    @Command(
            name = "bench",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = {
                "Replay a load from the paper's eight worker machines.",
                "Fetches their reports, then stops them."
            })
    int bench(
            @Mixin AwsOptions.Choice choice,
            @Mixin AwsOptions.Consent consent,
            @Mixin AwsOptions.BenchOptions options) {
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

    private boolean isSure(AwsOptions.Consent consent, String what, String name) {
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
