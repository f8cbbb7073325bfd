package io.lambdafs.cli.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.blocks.OperatedCluster;
import io.lambdafs.cluster.options.JsonOption;
import io.lambdafs.cluster.options.OperatedOptions;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.store.block.Datanode;
import io.lambdafs.store.block.Draining;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lambdafs datanode}. */
@Command(
        name = "datanode",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "List and stop the processes that read and write blocks.")
public final class DatanodeCommand implements Runnable {
    /** Time for which instances may still name a drained datanode, because they read the list once a second. */
    private static final long LISTED_SECONDS = 2;

    private final Console console;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    public DatanodeCommand(Console console) {
        this.console = console;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "datanode: list or drain?");
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = {
                "List the datanodes, and the block store each serves.",
                "Includes datanodes that have stopped, or have recently missed heartbeats."
            })
    int list(@Mixin OperatedOptions cluster, @Mixin JsonOption json) {
        List<Datanode> all = cluster.find(console).onStore("list the datanodes", Draining::list);
        long now = System.currentTimeMillis();
        if (json.wanted()) {
            ObjectNode tree = JsonNodeFactory.instance.objectNode().put("schema", 1);
            ArrayNode nodes = tree.putArray("datanodes");
            all.forEach(each -> nodes.add(json(each, now)));
            console.print(tree.toString());
        } else {
            all.forEach(each -> console.print(text(each, now)));
            console.print(all.size() + (all.size() == 1 ? " datanode" : " datanodes"));
        }
        return ExitCode.OK.number();
    }

    private static String state(Datanode datanode) {
        return datanode.state().name().toLowerCase(Locale.ROOT);
    }

    private static ObjectNode json(Datanode each, long now) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", each.address().id())
                .put("host", each.address().host())
                .put("port", each.address().port())
                .put("blockStore", each.store())
                .put("state", state(each))
                .put("capacityBytes", each.capacityBytes())
                .put("freeBytes", each.freeBytes())
                .put("heartbeatAgeMillis", Math.max(0, now - each.heartbeatMillis()));
    }

    private static String text(Datanode each, long now) {
        return String.format(
                Locale.ROOT,
                "%-16s %s:%d  %-9s %s, last heard of %,d s ago",
                each.address().id(),
                each.address().host(),
                each.address().port(),
                state(each),
                each.store(),
                TimeUnit.MILLISECONDS.toSeconds(Math.max(0, now - each.heartbeatMillis())));
    }

    @Command(
            name = "drain",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = {
                "Stop a datanode without a failed call.",
                "Sends it no new calls, waits for the current ones, and stops it. Refused if no other datanode "
                        + "serves its block store. cluster start starts it again."
            })
    int drain(@Mixin OperatedOptions options, @Parameters(paramLabel = "ID") String id) throws InterruptedException {
        OperatedCluster cluster = options.find(console);
        cluster.onStore("drain " + id, store -> Draining.begin(store, id, System.currentTimeMillis()));
        TimeUnit.SECONDS.sleep(LISTED_SECONDS);
        boolean ran = cluster instanceof LocalCluster local && local.stop(id);
        console.print(id
                + (ran
                        ? " is drained and stopped"
                        : " takes nothing new; it does not run on this machine: stop it where it does"));
        return ExitCode.OK.number();
    }
}
