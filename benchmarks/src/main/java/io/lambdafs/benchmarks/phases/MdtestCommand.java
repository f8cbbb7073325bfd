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
            "The shapes of IO500's mdtest: easy, empty files in a directory of each client's own, made, looked at and removed;",
            "hard, files of 3,901 bytes in one directory for all, made, looked at, read and removed.",
            "Starts a cluster for the time, and other file systems if wanted."
        })
public final class MdtestCommand extends PhasesCommand {
    private static final int HARD_BYTES = 3_901;

    @Option(names = "--hard", description = "The hard one.")
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
