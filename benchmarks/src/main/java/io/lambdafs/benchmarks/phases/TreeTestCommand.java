package io.lambdafs.benchmarks.phases;

import io.lambdafs.benchmarks.micro.Bench;
import io.lambdafs.benchmarks.micro.Target;
import io.lambdafs.benchmarks.micro.Targets;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.phases.Phase;
import io.lambdafs.hammer.phases.PhasesSettings;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lambdafs bench tree-test}: IndexFS's tree-test, as in the paper's figure 16. */
@Command(
        name = "tree-test",
        description = {
            "IndexFS's tree-test: each client makes files in a directory of its own, then asks for the attributes of each.",
            "Starts a cluster for the time, and other file systems if wanted."
        })
public final class TreeTestCommand extends PhasesCommand {
    private static final int MOST_SERVERS = 64;

    @Option(
            names = "--indexfs",
            paramLabel = "N",
            description = {
                "Beside it IndexFS's design, with N servers: each has a part of the directories in an LSM tree of its own, and clients",
                "resolve paths themselves, with leases on directories."
            })
    private int indexServers;

    public TreeTestCommand(Console console) {
        super(console);
    }

    @Override
    PhasesSettings settings(int clients, int files) {
        Options.check(
                indexServers >= 0 && indexServers <= MOST_SERVERS,
                "--indexfs is 0.." + MOST_SERVERS + ", not " + indexServers);
        return new PhasesSettings(List.of(Phase.CREATE, Phase.STAT), clients, files, 0, false);
    }

    @Override
    List<Target> more(Bench bench) throws InterruptedException {
        return indexServers == 0 ? List.of() : List.of(Targets.indexfs(bench.startIndexFs(indexServers)));
    }
}
