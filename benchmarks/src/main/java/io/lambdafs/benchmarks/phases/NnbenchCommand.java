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
            "Run Hadoop's NNBench with several clients: each creates, opens, renames and removes its own "
                    + "empty files.",
            "Starts a temporary cluster, and other file systems on request."
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
