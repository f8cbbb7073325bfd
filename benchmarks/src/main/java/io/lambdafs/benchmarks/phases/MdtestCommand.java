package io.lambdafs.benchmarks.phases;

import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.phases.Phase;
import io.lambdafs.hammer.phases.PhasesSettings;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lambdafs bench mdtest}: the two mdtest workloads of IO500. */
@Command(
        name = "mdtest",
        description = {
            "Run IO500's mdtest: create, stat and remove empty files, each client in its own directory;",
            "with --hard, create, stat, read and remove files of 3,901 bytes in one directory for all.",
            "Starts a temporary cluster, and other file systems on request."
        })
public final class MdtestCommand extends PhasesCommand {
    private static final int HARD_BYTES = 3_901;

    @Option(names = "--hard", description = "Run the hard variant.")
    private boolean hard;

    public MdtestCommand(Console console) {
        super(console);
    }

    @Override
    PhasesSettings settings(int clients, int files) {
        return hard
                ? new PhasesSettings(
                        List.of(Phase.CREATE, Phase.STAT, Phase.READ, Phase.DELETE), clients, files, HARD_BYTES, true)
                : new PhasesSettings(List.of(Phase.CREATE, Phase.STAT, Phase.DELETE), clients, files, 0, false);
    }
}
