package io.lambdafs.door.s3.command;

import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.door.s3.S3Door;
import io.lambdafs.door.s3.S3DoorConfig;
import io.lambdafs.door.s3.auth.AccessKey;
import io.lambdafs.door.s3.auth.AccessKeys;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Hosts;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs door s3}: S3's REST API in front of a cluster, as long as the command runs. */
@Command(
        name = "s3",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Serve S3's REST API: buckets are directories.",
            "Objects are files. Calls are signed with access keys, which lambdafs door s3-key makes."
        })
public final class S3DoorCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @Option(names = "--listen", paramLabel = "HOST", defaultValue = "", description = "Default: loopback.")
    private String listen = "";

    @Option(names = "--port", paramLabel = "PORT", defaultValue = "0", description = "Default: any free one.")
    private int port;

    @Option(
            names = "--root",
            paramLabel = "PATH",
            defaultValue = "/",
            description = "The directory whose directories are the buckets (default: /).")
    private String root = "/";

    public S3DoorCommand(Console console) {
        this.console = console;
    }

    /** Adds the commands of this door to those of doors. */
    public static CommandLine addTo(Object doors, Console console) {
        return new CommandLine(doors).addSubcommand(new S3DoorCommand(console)).addSubcommand(new Key(console));
    }

    @Override
    public Integer call() throws InterruptedException {
        LocalCluster cluster = new LocalCluster(directory.find(), console);
        cluster.gateway().demandAnswer();
        try (S3Door door = open(cluster)) {
            console.print("http://"
                    + Hosts.withPort(
                            door.address().getHostString(), door.address().getPort()));
            new CountDownLatch(1).await();
        }
        throw new AssertionError("only an interruption ends the wait");
    }

    private S3Door open(LocalCluster cluster) {
        try {
            return S3Door.start(S3DoorConfig.of(cluster.directory().root(), root, listen, port));
        } catch (IOException e) {
            throw FsException.unavailable("the door cannot be opened: " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw FsException.invalidArgument(String.valueOf(e.getMessage()), e);
        }
    }

    /** {@code lambdafs door s3-key}: an access key for a user. */
    @Command(
            name = "s3-key",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = {
                "Create an access key for S3's door.",
                "It is printed as ~/.aws/credentials has it, and kept in s3-keys.json of the cluster's directory;"
                        + " doors know it within a second."
            })
    static final class Key implements Callable<Integer> {
        private final Console console;

        @Mixin
        private DirectoryOption directory = new DirectoryOption();

        @Option(names = "--user", paramLabel = "NAME", required = true, description = "The user that it acts for.")
        private String user = "";

        @Option(
                names = "--groups",
                paramLabel = "NAME",
                split = ",",
                description =
                        "The user's groups, the primary one first (default: those that the door's machine knows).")
        private List<String> groups = List.of();

        Key(Console console) {
            this.console = console;
        }

        @Override
        public Integer call() {
            try {
                AccessKey key = AccessKey.make(user, groups);
                AccessKeys.add(directory.find().root().resolve(AccessKeys.NAME), key);
                console.print("aws_access_key_id = " + key.id());
                console.print("aws_secret_access_key = " + key.secret());
                return 0;
            } catch (IOException e) {
                throw FsException.unavailable("the key cannot be kept: " + e.getMessage(), e);
            } catch (IllegalArgumentException e) {
                throw FsException.invalidArgument(String.valueOf(e.getMessage()), e);
            }
        }
    }
}
