package io.lambdafs.cluster.watch;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.gateway.GatewayClient;
import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.options.JsonOption;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs top}: who does what now. */
@Command(
        name = "top",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Show operations per second by user and by kind, until ^C.",
            "Refreshed each second, over the last five. Needs λFS's own gateway. Each instance counts twenty users by "
                    + "name, as their tokens prove it, and the rest as (others)."
        })
public final class TopCommand implements Callable<Integer> {
    private static final int SECONDS_ONCE = 2;
    /** Readings a second apart, of which the first and the last are compared. */
    private static final int READINGS = 6;

    private static final int LINES = 15;
    private static final String CLEAR = "\u001b[H\u001b[2J";

    private final Console console;

    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @Option(names = "--once", description = "Watch for two seconds, print once and end.")
    private boolean once;

    @Mixin
    private JsonOption json = new JsonOption();

    public TopCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        GatewayClient gateway =
                new LocalCluster(directory.find(), console).gateway().client();
        try {
            if (once || json.wanted()) {
                print(Work.during(gateway, SECONDS_ONCE));
                return ExitCode.OK.number();
            }
            Deque<Work.Reading> readings = new ArrayDeque<>();
            while (true) {
                Work.Reading now = Work.Reading.of(gateway);
                readings.addLast(now);
                if (readings.size() > READINGS) {
                    readings.removeFirst();
                }
                if (readings.size() > 1) {
                    print(readings.getFirst().until(now));
                }
                TimeUnit.SECONDS.sleep(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.OK.number();
        }
    }

    private void print(Work work) {
        Map<String, Double> kinds = work.byKind();
        Map<String, Double> users = work.byUser();
        if (json.wanted()) {
            ObjectNode tree = JsonNodeFactory.instance
                    .objectNode()
                    .put("schema", 1)
                    .put("seconds", Math.round(work.seconds() * 10) / 10.0);
            Work.put(tree.putObject("users"), users);
            Work.put(tree.putObject("kinds"), kinds);
            ObjectNode kindsOfUsers = tree.putObject("kindsByUser");
            users.keySet().forEach(user -> Work.put(kindsOfUsers.putObject(user), work.kindsOf(user)));
            console.print(tree.toString());
            return;
        }
        StringBuilder screen = new StringBuilder(console.isTerminal() && !once ? CLEAR : "");
        screen.append(
                String.format(Locale.ROOT, "%,.1f operations/s, over %.0f s%n%n", Work.sum(kinds), work.seconds()));
        screen.append(String.format(Locale.ROOT, "%12s  %-20s %s%n", "ops/s", "user", "kinds"));
        users.entrySet().stream()
                .limit(LINES)
                .forEach(each -> screen.append(String.format(
                        Locale.ROOT,
                        "%,12.1f  %-20s %s%n",
                        each.getValue(),
                        each.getKey(),
                        Work.text(work.kindsOf(each.getKey())))));
        screen.append(String.format(Locale.ROOT, "%n%12s  %s%n", "ops/s", "kind"));
        kinds.entrySet().stream()
                .limit(LINES)
                .forEach(each ->
                        screen.append(String.format(Locale.ROOT, "%,12.1f  %s%n", each.getValue(), each.getKey())));
        console.print(screen.toString());
    }
}
