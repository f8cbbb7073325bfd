package io.lambdafs.benchmarks.phases;

import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.phases.Phase;
import io.lambdafs.hammer.phases.PhasesSettings;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code lambdafs bench tree-test}: IndexFS's, as in the paper's figure 16. */
@Command(
        name = "tree-test",
        description = {
            "IndexFS's tree-test: each client makes files in a directory of its own, then asks for the attributes of each.",
            "Starts a cluster for the time, and other file systems if wanted."
        })
public final class TreeTestCommand extends PhasesCommand {
    public TreeTestCommand(Console console) {
        super(console);
    }

    @Override
    PhasesSettings settings(int clients, int files) {
        return new PhasesSettings(List.of(Phase.CREATE, Phase.STAT), clients, files, 0, false);
    }
}
