package io.lambdafs.door.hdfs.command;

import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.door.hdfs.HdfsDoor;
import io.lambdafs.rpc.Hosts;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs door}: another wire in front of a cluster, as long as the command runs. */
@Command(
        name = "door",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Serve another wire in front of a cluster, until it is interrupted (Ctrl-C).")
public record DoorCommand(Console console) {
    @Command(
            name = "hdfs",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = {
                "Serve programs that speak hdfs://, without a jar of ours.",
                "It believes whoever connects about who its user is, so it listens on this machine only."
            })
    int hdfs(
            @Mixin DirectoryOption directory,
            @Option(names = "--listen", paramLabel = "HOST", defaultValue = "", description = "Default: loopback.")
                    String listen,
            @Option(names = "--port", paramLabel = "PORT", defaultValue = "0", description = "Default: any free one.")
                    int port)
            throws InterruptedException {
        LocalCluster cluster = new LocalCluster(directory.find(), console);
        cluster.gateway().demandAnswer();
        try (HdfsDoor door = HdfsDoor.open(cluster.directory().root(), listen, port)) {
            console.say("WARNING: it believes every process of this machine about who its user is");
            console.print("hdfs://"
                    + Hosts.withPort(
                            door.address().getHostString(), door.address().getPort()));
            new CountDownLatch(1).await();
        }
        throw new AssertionError("only an interruption ends the wait");
    }
}
