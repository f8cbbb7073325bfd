package io.lambdafs.cli.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.options.OperatedOptions;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Launcher;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.format.Upgrade;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs upgrade}: shows the store's format level, or raises it with {@code --finalize}. */
@Command(
        name = "upgrade",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Show the store's format level, or raise it.",
            "Shows the level of the store, the level of this build, and what prevents raising it; changes "
                    + "nothing. A new build serves a store at the level it finds, beside instances of the previous "
                    + "build, and you may go back to that.",
            "--finalize raises the level while the cluster serves: the features of the new level become "
                    + "available, and earlier builds refuse the store. Exit code 1 if an instance of an earlier build "
                    + "lives."
        })
public final class UpgradeCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private OperatedOptions cluster = new OperatedOptions();

    @Option(names = "--finalize", description = "Raise the level. Earlier builds can no longer open the store.")
    private boolean finalizes;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    public UpgradeCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Upgrade.Plan plan = cluster.find(console)
                .onStore(
                        finalizes ? "raise the store's format level" : "read the store's format level",
                        finalizes ? Upgrade::raise : Upgrade::plan);
        if (json) {
            console.print(json(plan).toString());
        } else {
            print(plan);
        }
        return (plan.earlier().isEmpty() ? ExitCode.OK : ExitCode.FAILED).number();
    }

    private ObjectNode json(Upgrade.Plan plan) {
        ObjectNode tree = JsonNodeFactory.instance
                .objectNode()
                .put("schema", 1)
                .put("level", finalizes ? plan.to().number() : plan.from().number())
                .put("newest", plan.to().number())
                .put("instances", plan.instances());
        ArrayNode earlier = tree.putArray("earlier");
        for (Upgrade.Earlier each : plan.earlier()) {
            earlier.addObject()
                    .put("epoch", each.epoch())
                    .put("deployment", each.deployment())
                    .put("instance", each.instance())
                    .put("readsLevel", each.level());
        }
        return tree;
    }

    private void print(Upgrade.Plan plan) {
        if (plan.isDone()) {
            console.print("The store has format level " + plan.to().number() + ", the newest of this build.");
        } else if (finalizes) {
            console.print("Raised the store from format level " + plan.from().number() + " to "
                    + plan.to().number() + ".");
        } else {
            propose(plan);
        }
    }

    private void propose(Upgrade.Plan plan) {
        console.print("The store has format level " + plan.from().number() + "; this build brings level "
                + plan.to().number() + ".");
        for (FormatLevel level : FormatLevel.values()) {
            if (!plan.from().has(level)) {
                console.print("  level " + level.number() + " brings: " + level.brings());
            }
        }
        console.print("Instances: " + plan.instances() + ", of earlier builds: "
                + plan.earlier().size());
        for (Upgrade.Earlier each : plan.earlier()) {
            console.print("  " + each.instance() + " of deployment " + each.deployment() + " (epoch " + each.epoch()
                    + ") reads up to level " + each.level());
        }
        console.print(
                plan.earlier().isEmpty()
                        ? "To raise it, with no way back: "
                                + Launcher.command(
                                        "upgrade",
                                        "--finalize",
                                        "--dir",
                                        cluster.directory().root().toString())
                        : "They must be replaced first: stop the cluster and start it with this build.");
    }
}
