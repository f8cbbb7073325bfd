package io.lambdafs.cli.subtree;

import io.lambdafs.cli.Console;
import io.lambdafs.cli.Version;
import io.lambdafs.cli.coldstart.ColdstartCommand;
import io.lambdafs.cli.inv.InvCommand;
import io.lambdafs.cli.load.AutoscaleCommand;
import io.lambdafs.cli.load.FaultsCommand;
import io.lambdafs.cli.micro.MicroCommand;
import io.lambdafs.cli.tail.TailCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lambdafs bench}. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Measurements, each for one question.")
public final class BenchCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final MicroCommand micro;
    private final SubtreeCommand subtree;
    private final InvCommand inv;
    private final FaultsCommand faults;
    private final ColdstartCommand coldstart;
    private final AutoscaleCommand autoscale;
    private final TailCommand tail;

    public BenchCommand(Console console) {
        micro = new MicroCommand(console);
        subtree = new SubtreeCommand(console);
        inv = new InvCommand(console);
        faults = new FaultsCommand(console);
        coldstart = new ColdstartCommand(console);
        autoscale = new AutoscaleCommand(console);
        tail = new TailCommand(console);
    }

    /** The measurement of single operations, to be added to this command. */
    public MicroCommand micro() {
        return micro;
    }

    /** The measurement of subtree operations, to be added to this command. */
    public SubtreeCommand subtree() {
        return subtree;
    }

    /** The measurement of coordinators and channels, to be added to this command. */
    public InvCommand inv() {
        return inv;
    }

    /** The measurement of instances being killed, to be added to this command. */
    public FaultsCommand faults() {
        return faults;
    }

    /** The measurement of starts, to be added to this command. */
    public ColdstartCommand coldstart() {
        return coldstart;
    }

    /** The measurement of a sudden load, to be added to this command. */
    public AutoscaleCommand autoscale() {
        return autoscale;
    }

    /** The measurement of what is done about long tails, to be added to this command. */
    public TailCommand tail() {
        return tail;
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "bench: which measurement? There are: micro, subtree, inv, faults, coldstart, autoscale, tail");
    }
}
