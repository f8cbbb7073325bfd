package io.lambdafs.cluster.trash;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.options.JsonOption;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.functions.housekeeping.Checkpoints;
import io.lambdafs.model.FsException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lambdafs trash}: checkpoints of the users' trash. */
@Command(
        name = "trash",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "List the users' trash, or remove it before its time.",
            "A superuser sees every user's. The names of checkpoints are read as times of this machine's zone."
        })
public final class TrashCommand implements Runnable {
    private static final String ROW = "%-16s %-16s %12s %19s %19s %6s  %s";

    /**
     * The rule by which the instances remove checkpoints.
     *
     * @param life for which they keep one; zero for ever, empty if their settings are elsewhere
     */
    private record Rule(Optional<Duration> life, Instant now) {}

    private final Console console;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    public TrashCommand(Console console) {
        this.console = console;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "trash: list or purge?");
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = {
                "List each user's checkpoints: size, age, and time of purge.",
                "That is the earliest time; the leader of the instances removes it within a tenth of "
                        + "instance.trashMinutes after."
            })
    int list(
            @Mixin DirectoryOption cluster,
            @Option(names = "--user", paramLabel = "USER", description = "Only the trash of this user.") @Nullable
                    String user,
            @Mixin JsonOption json) {
        Rule rule = rule(cluster);
        return cluster.calling(console, fs -> {
            UsersTrash trash = read(fs, rule, user);
            if (json.wanted()) {
                console.print(json(trash, rule).toString());
            } else {
                table(trash.found(), rule);
                sayHidden(trash);
            }
            return ExitCode.OK.number();
        });
    }

    @Command(
            name = "purge",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = {
                "Remove checkpoints; without --yes, only list them.",
                "Each is detached by one request; its entries and blocks are reclaimed in the background."
            })
    int purge(
            @Mixin DirectoryOption cluster,
            @Option(
                            names = "--older-than",
                            paramLabel = "AGE",
                            converter = Age.Converter.class,
                            description = "Only checkpoints of this age: 90m, 12h, 7d.")
                    @Nullable
                    Age oldest,
            @Option(names = "--user", paramLabel = "USER", description = "Only the trash of this user.") @Nullable
                    String user,
            @Option(names = "--current", description = "Also remove Current, which is no checkpoint yet.")
                    boolean current,
            @Option(names = "--yes", description = "Remove them.") boolean yes) {
        if (current && oldest != null) {
            throw new ParameterException(
                    spec.commandLine(), "trash purge: --current has no age, so it does not go with --older-than");
        }
        Rule rule = rule(cluster);
        Instant latest = oldest == null ? Instant.MAX : rule.now().minus(oldest.duration());
        Predicate<Trashed> wanted = each -> each.isCheckpoint()
                ? each.made().filter(made -> !made.isAfter(latest)).isPresent()
                : current && each.path().name().equals(Checkpoints.CURRENT);
        return cluster.calling(console, fs -> {
            UsersTrash trash = read(fs, rule, user);
            List<Trashed> chosen = trash.found().stream().filter(wanted).toList();
            sayHidden(trash);
            if (yes) {
                return remove(fs, chosen);
            }
            table(chosen, rule);
            console.say("nothing was removed: --yes removes these");
            return ExitCode.OK.number();
        });
    }

    private int remove(BlockingLambdaFs fs, List<Trashed> chosen) throws InterruptedException {
        int removed = 0;
        long files = 0;
        long space = 0;
        ExitCode exit = ExitCode.OK;
        for (Trashed each : chosen) {
            try {
                if (fs.delete(each.path(), true)) {
                    removed++;
                    files += each.totals().files();
                    space += each.totals().space();
                }
            } catch (FsException e) {
                console.say(CommandFailure.of(e).line());
                exit = ExitCode.FAILED;
            }
        }
        console.print(String.format(
                Locale.ROOT, "removed: %,d, with %,d files of %,d bytes × replication", removed, files, space));
        return exit.number();
    }

    private Rule rule(DirectoryOption option) {
        LocalCluster cluster = new LocalCluster(option.find(), console);
        int minutes =
                cluster.settings(LocalCluster.StartOptions.none()).instance().trashMinutes();
        return new Rule(
                minutes == 0 && cluster.isElsewhere() ? Optional.empty() : Optional.of(Duration.ofMinutes(minutes)),
                Instant.now());
    }

    private static UsersTrash read(BlockingLambdaFs fs, Rule rule, @Nullable String user) throws InterruptedException {
        UsersTrash trash = new UsersTrash(fs, rule.life().orElse(Duration.ZERO), ZoneId.systemDefault(), rule.now());
        if (user == null) {
            trash.readAll();
        } else {
            trash.read(user);
        }
        return trash;
    }

    private void sayHidden(UsersTrash trash) {
        if (trash.hidden() > 0) {
            console.say("users whose trash you may not list: " + trash.hidden());
        }
    }

    private static ObjectNode json(UsersTrash trash, Rule rule) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode().put("schema", 1).put("hidden", trash.hidden());
        rule.life().ifPresent(life -> tree.put("trashMinutes", life.toMinutes()));
        ArrayNode entries = tree.putArray("trash");
        for (Trashed each : trash.found()) {
            ObjectNode entry = entries.addObject()
                    .put("user", each.user())
                    .put("path", each.path().toString())
                    .put("files", each.totals().files())
                    .put("directories", each.totals().directories())
                    .put("bytes", each.totals().bytes())
                    .put("space", each.totals().space());
            each.made()
                    .ifPresent(made -> entry.put("made", made.toString())
                            .put(
                                    "ageSeconds",
                                    Duration.between(made, rule.now()).toSeconds()));
            each.purged().ifPresent(then -> entry.put("purged", then.toString()));
        }
        return tree;
    }

    private void table(List<Trashed> entries, Rule rule) {
        console.print(String.format(
                Locale.ROOT, ROW, "user", "checkpoint", "files", "bytes", "× replication", "age", "purged"));
        DateTimeFormatter minute =
                DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneId.systemDefault());
        for (Trashed each : entries) {
            console.print(String.format(
                    Locale.ROOT,
                    ROW,
                    each.user(),
                    each.path().name(),
                    each.totals().files(),
                    each.totals().bytes(),
                    each.totals().space(),
                    each.made()
                            .map(made -> new Age(Duration.between(made, rule.now())).toString())
                            .orElse("-"),
                    each.purged().map(minute::format).orElse(rule.life().isEmpty() ? "?" : "never")));
        }
    }
}
