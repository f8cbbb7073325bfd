package io.lambdafs.cli.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.Doctor;
import io.lambdafs.cluster.Finding;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.Plan;
import io.lambdafs.deploy.command.DeployedFunctions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs doctor}: reports what is wrong with a cluster, why it matters, and what to change. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Look a cluster over, whether it runs, has stopped or is half started: versions, limits, disk, permissions, services, ports, the"
                    + " store and its format level, the database, clocks, datanodes, blocks; of one that is deployed on a platform, what stands"
                    + " in the way there. Changes nothing.",
            "A line for each fault says what is wrong, why it matters and what to change; exit code 1 where there is one."
        })
public final class DoctorCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @Option(
            names = "--may-lose",
            description =
                    "A database's standby that may lose acknowledged commits is no fault: it will never be promoted.")
    private boolean mayLose;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    public DoctorCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        List<Finding> findings = findings();
        long faults = findings.stream()
                .filter(each -> each.state() == Finding.State.FAULT)
                .count();
        if (json) {
            ObjectNode tree =
                    JsonNodeFactory.instance.objectNode().put("schema", 1).put("faults", faults);
            ArrayNode all = tree.putArray("findings");
            findings.forEach(each -> all.add(each.json()));
            console.print(tree.toString());
        } else {
            findings.forEach(each -> console.print(each.line()));
            console.print(faults == 0 ? "no fault found" : faults == 1 ? "1 fault" : faults + " faults");
        }
        return (faults == 0 ? ExitCode.OK : ExitCode.FAILED).number();
    }

    private List<Finding> findings() {
        try {
            Optional<Plan> deployed = Plan.read(directory.find().root());
            return deployed.isPresent()
                    ? DeployedFunctions.examine(deployed.get())
                    : Doctor.examine(new LocalCluster(directory.find(), console), mayLose);
        } catch (DeployFailure unreadable) {
            return List.of(Finding.unknown("deployment", unreadable.line()));
        }
    }
}
