package io.lambdafs.benchmarks.phases;

import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.phases.Phase;
import io.lambdafs.hammer.phases.PhasesSettings;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code lambdafs bench nnbench}: the operations of Hadoop's NNBench, by several clients. */
@Command(
        name = "nnbench",
        description = {
            "The operations of Hadoop's NNBench, with several clients: each makes, opens, renames and removes empty files of its own.",
            "Starts a cluster for the time, and other file systems if wanted."
        })
public final class NnbenchCommand extends PhasesCommand {
    public NnbenchCommand(Console console) {
        super(console);
    }

    @Override
    PhasesSettings settings(int clients, int files) {
        return new PhasesSettings(
                List.of(Phase.CREATE, Phase.READ, Phase.RENAME, Phase.DELETE_RENAMED), clients, files, 0, false);
    }
}
