package io.lambdafs.door.hdfs.command;

import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.door.hdfs.Door;
import io.lambdafs.door.hdfs.HdfsDoor;
import io.lambdafs.door.hdfs.HdfsDoorConfig;
import io.lambdafs.door.hdfs.web.WebHdfsDoor;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Hosts;
import java.io.IOException;
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
    /** The options of every door. */
    static final class Place {
        @Mixin
        private DirectoryOption directory = new DirectoryOption();

        @Option(names = "--listen", paramLabel = "HOST", defaultValue = "", description = "Default: loopback.")
        private String listen = "";

        @Option(names = "--port", paramLabel = "PORT", defaultValue = "0", description = "Default: any free one.")
        private int port;
    }

    @Command(
            name = "hdfs",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = {
                "Serve programs that speak hdfs://, without a jar of ours.",
                "It believes whoever connects about who its user is, so it listens on this machine only."
            })
    int hdfs(@Mixin Place place) throws InterruptedException {
        return serve("hdfs", place, HdfsDoor::start);
    }

    @Command(
            name = "webhdfs",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = {
                "Serve HDFS's REST API to webhdfs:// and HTTP clients.",
                "It believes whoever connects about who its user is, so it listens on this machine only."
            })
    int webhdfs(@Mixin Place place) throws InterruptedException {
        return serve("webhdfs", place, WebHdfsDoor::start);
    }

    private interface Start {
        Door start(HdfsDoorConfig config) throws IOException;
    }

    private int serve(String scheme, Place place, Start starting) throws InterruptedException {
        LocalCluster cluster = new LocalCluster(place.directory.find(), console);
        cluster.gateway().demandAnswer();
        try (Door door = open(cluster, place, starting)) {
            console.say("WARNING: it believes every process of this machine about who its user is");
            console.print(scheme + "://"
                    + Hosts.withPort(
                            door.address().getHostString(), door.address().getPort()));
            new CountDownLatch(1).await();
        }
        throw new AssertionError("only an interruption ends the wait");
    }

    private static Door open(LocalCluster cluster, Place place, Start starting) {
        try {
            return starting.start(HdfsDoorConfig.of(cluster.directory().root(), place.listen, place.port));
        } catch (IOException e) {
            throw FsException.unavailable("the door cannot be opened: " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw FsException.invalidArgument(String.valueOf(e.getMessage()), e);
        }
    }
}
