package io.lambdafs.cluster.watch;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.blocks.OperatedCluster;
import io.lambdafs.cluster.gateway.GatewayClient;
import io.lambdafs.cluster.options.JsonOption;
import io.lambdafs.cluster.options.OperatedOptions;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Quota;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.format.Upgrade;
import io.lambdafs.store.instance.LiveInstance;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lambdafs stats}: the file system on one screen. */
@Command(
        name = "stats",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Show what the file system holds and does, on one screen.",
            "Watches the instances for two seconds. Operations and cache hits need λFS's own gateway; instances and the "
                    + "format level need the store. What cannot be reached is left out."
        })
public final class StatsCommand implements Callable<Integer> {
    private static final int SECONDS = 2;

    private final Console console;

    @Mixin
    private OperatedOptions options = new OperatedOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    public StatsCommand(Console console) {
        this.console = console;
    }

    /**
     * The figures that the store has.
     *
     * @param instances number of live ones by deployment
     */
    private record OfStore(int level, Map<Integer, Long> instances) {}

    @Override
    public Integer call() {
        return options.calling(console, fs -> {
            Reply.Totals totals = BlockingLambdaFs.await(fs.async().usage(FsPath.ROOT));
            Optional<GatewayClient> gateway =
                    new LocalCluster(options.directory(), console).gateway().management();
            Work work = gateway.isPresent() ? Work.during(gateway.get(), SECONDS) : null;
            OfStore store = ofStore();
            if (json.wanted()) {
                console.print(json(totals, work, store).toString());
            } else {
                print(totals, work, store);
            }
            return ExitCode.OK.number();
        });
    }

    private @Nullable OfStore ofStore() {
        try {
            OperatedCluster cluster = options.find(console);
            List<LiveInstance> live = cluster.onStore("list the instances", LiveInstance::list);
            return new OfStore(
                    cluster.onStore("read the store's format level", Upgrade::plan)
                            .from()
                            .number(),
                    live.stream()
                            .collect(Collectors.groupingBy(
                                    LiveInstance::deployment, TreeMap::new, Collectors.counting())));
        } catch (FsException e) {
            console.say("the store was not asked: " + e.getMessage());
            return null;
        }
    }

    private static ObjectNode json(Reply.Totals totals, @Nullable Work work, @Nullable OfStore store) {
        ObjectNode tree = JsonNodeFactory.instance
                .objectNode()
                .put("schema", 1)
                .put("files", totals.files())
                .put("directories", totals.directories())
                .put("bytes", totals.bytes())
                .put("space", totals.space())
                .put("namesLimit", totals.quota().names())
                .put("spaceLimit", totals.quota().space());
        if (store != null) {
            tree.put("formatLevel", store.level());
            ObjectNode instances = tree.putObject("instances");
            store.instances().forEach((deployment, count) -> instances.put(Integer.toString(deployment), count));
        }
        if (work != null) {
            Map<String, Double> kinds = work.byKind();
            tree.put("opsPerSecond", Math.round(Work.sum(kinds) * 10) / 10.0);
            Work.put(tree.putObject("opsPerSecondByKind"), kinds);
            work.hitRatio().ifPresent(ratio -> tree.put("hitRatio", ratio));
            work.hitRatioEver().ifPresent(ratio -> tree.put("hitRatioEver", ratio));
        }
        return tree;
    }

    private void print(Reply.Totals totals, @Nullable Work work, @Nullable OfStore store) {
        long names = totals.files() + totals.directories();
        line("files", "%,d", totals.files());
        line("directories", "%,d", totals.directories());
        line("bytes", "%,d", totals.bytes());
        line("× replication", "%,d", totals.space());
        quota("quota of names", names, totals.quota().names());
        quota("quota of space", totals.space(), totals.quota().space());
        if (store != null) {
            line("format level", "%d", store.level());
            long all = store.instances().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            line(
                    "instances",
                    "%,d%s",
                    all,
                    store.instances().entrySet().stream()
                            .map(each -> "deployment " + each.getKey() + ": " + each.getValue())
                            .collect(Collectors.joining(", ", all == 0 ? "" : "; ", "")));
        }
        if (work != null) {
            Map<String, Double> kinds = work.byKind();
            line("operations/s", "%,.1f%s", Work.sum(kinds), kinds.isEmpty() ? "" : "; " + Work.text(kinds));
            hits("cache hits now", work.hitRatio());
            hits("cache hits so far", work.hitRatioEver());
        }
    }

    private void quota(String name, long used, long limit) {
        if (limit != Quota.NONE) {
            line(name, "%,d of %,d (%.0f %%)", used, limit, limit == 0 ? 100 : 100.0 * used / limit);
        }
    }

    private void hits(String name, OptionalDouble ratio) {
        ratio.ifPresent(share -> line(name, "%.1f %%", 100 * share));
    }

    private void line(String name, String format, Object... values) {
        console.print(String.format(Locale.ROOT, "%-18s ", name) + String.format(Locale.ROOT, format, values));
    }
}
