package io.lambdafs.cli.cluster;

import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.check.Diagnosis;
import io.lambdafs.cluster.check.DistantDoctor;
import io.lambdafs.cluster.check.Doctor;
import io.lambdafs.cluster.check.Finding;
import io.lambdafs.cluster.options.OperatedOptions;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.Plan;
import io.lambdafs.deploy.command.DeployedFunctions;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
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
            "Diagnose a cluster: say what is wrong and how to fix it.",
            "Checks versions, limits, disk, permissions, services, ports, the store and its format level, the "
                    + "database, clocks, datanodes and blocks, whether the cluster runs, has stopped or is half "
                    + "started; for a deployed cluster, also the platform. Changes nothing.",
            "Prints a line per fault: what is wrong, why it matters and what to change. Exit code 1 if there "
                    + "is a fault; else 3 if a check could not run, unless --accept names it."
        })
public final class DoctorCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private OperatedOptions options = new OperatedOptions();

    @Option(
            names = "--may-lose",
            description = "Accept a database standby that may lose acknowledged commits: it will never be promoted.")
    private boolean mayLose;

    @Option(
            names = "--accept",
            paramLabel = "CHECK",
            split = ",",
            description =
                    "Name of a check that you have made by other means: if this command cannot make it, the exit code "
                            + "is not 3. Likewise for facts that a platform does not disclose.")
    private List<String> accepted = List.of();

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    public DoctorCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Diagnosis diagnosis = new Diagnosis(findings(), accepted);
        if (json) {
            console.print(diagnosis.json().toString());
        } else {
            diagnosis.lines().forEach(console::print);
        }
        return diagnosis.exit().number();
    }

    private List<Finding> findings() {
        if (options.isAddressed()) {
            return DistantDoctor.examineStore(() -> options.find(console));
        }
        LocalCluster local = new LocalCluster(options.directory(), console);
        boolean isDeployed = Files.exists(options.directory().root().resolve(Plan.FILE));
        return isDeployed || local.isElsewhere() ? elsewhere() : Doctor.examine(local, mayLose);
    }

    private List<Finding> elsewhere() {
        List<Finding> findings = new ArrayList<>(DistantDoctor.examineClient(options.directory()));
        try {
            Plan.read(options.directory().root())
                    .map(DeployedFunctions::examine)
                    .ifPresent(findings::addAll);
        } catch (DeployFailure unreadable) {
            findings.add(Finding.unknown("deployment", unreadable.line()));
        }
        findings.addAll(DistantDoctor.examineStore(() -> options.find(console)));
        return findings;
    }
}
