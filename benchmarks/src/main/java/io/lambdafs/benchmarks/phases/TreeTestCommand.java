package io.lambdafs.benchmarks.phases;

import io.lambdafs.benchmarks.peers.Bench;
import io.lambdafs.benchmarks.peers.Target;
import io.lambdafs.benchmarks.peers.Targets;
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
            "Run IndexFS's tree-test: each client creates files in its own directory, then stats each.",
            "Starts a temporary cluster, and other file systems on request."
        })
public final class TreeTestCommand extends PhasesCommand {
    private static final int MOST_SERVERS = 64;

    @Option(
            names = "--indexfs",
            paramLabel = "N",
            description = {
                "Also measure IndexFS's design with N servers: each keeps a part of the directories in its own "
                        + "LSM tree,",
                "and clients resolve paths themselves, with leases on directories."
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
