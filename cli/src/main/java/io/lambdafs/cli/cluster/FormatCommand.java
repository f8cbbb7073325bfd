package io.lambdafs.cli.cluster;

import io.lambdafs.cluster.SchemaText;
import io.lambdafs.cluster.StoreFormat;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.Version;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lambdafs format}: formats the store of a cluster that runs elsewhere. */
@Command(
        name = "format",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Make an empty file system in a store that is empty; a formatted one stays, but gets the configuration's"
                    + " number of",
            "deployments. May be repeated.",
            "For clusters of a platform: a cluster of this machine is formatted when it starts."
        })
public final class FormatCommand implements Callable<Integer> {
    private final Console console;

    @Option(
            names = "--conf",
            paramLabel = "FILE",
            description =
                    "The configuration of the function's instances, which names the store, the secret and the number"
                            + " of deployments (default ${DEFAULT-VALUE}).")
    private Path file = Path.of("function.json");

    @Option(
            names = "--print-sql",
            paramLabel = "postgres|ndb|ndb-disk",
            description =
                    "Print the tables as SQL, for a user that may not make them; do nothing else. ndb-disk: with contents"
                            + " on disk.")
    private @Nullable String engine;

    public FormatCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        if (engine != null) {
            console.print(SchemaText.of(engine));
            return 0;
        }
        console.say(
                switch (StoreFormat.format(file)) {
                    case EMPTY -> "formatted";
                    case FORMATTED -> "the store is formatted already";
                    case OF_ANOTHER_NUMBER -> "the store is formatted already; its number of deployments is changed";
                });
        return 0;
    }
}
