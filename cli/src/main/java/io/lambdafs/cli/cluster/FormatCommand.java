package io.lambdafs.cli.cluster;

import io.lambdafs.cluster.store.SchemaText;
import io.lambdafs.cluster.store.StoreFormat;
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
            "Format an empty store, for a cluster on a platform.",
            "A formatted store stays as it is, but takes the number of deployments from the configuration. "
                    + "May be repeated. A cluster on this machine is formatted when it starts."
        })
public final class FormatCommand implements Callable<Integer> {
    private final Console console;

    @Option(
            names = "--conf",
            paramLabel = "FILE",
            description = "Configuration of the function's instances; names the store, the secret and the number of "
                    + "deployments (default ${DEFAULT-VALUE}).")
    private Path file = Path.of("function.json");

    @Option(
            names = "--print-sql",
            paramLabel = "postgres|ndb|ndb-disk",
            description =
                    "Only print the tables as SQL, for a user that may not create them. ndb-disk keeps contents on "
                            + "disk.")
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
