package io.lambdafs.cli.cluster;

import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.terminal.Browser;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import java.net.URI;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs dashboard}. */
@Command(
        name = "dashboard",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Print the address of the cluster's live page.",
            "It shows load, latency, instances, caches, cost and events. The token in the address permits "
                    + "reading only; without it the page opens on this machine only, and hides paths."
        })
public final class DashboardCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @Option(names = "--open", description = "Open it in the browser.")
    private boolean open;

    public DashboardCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        LocalCluster cluster = new LocalCluster(directory.find(), console);
        cluster.gateway().demandAnswer();
        show(cluster.gateway().client().dashboard(), open, console);
        return ExitCode.OK.number();
    }

    /** Prints the address, and opens it if requested. */
    public static void show(URI page, boolean open, Console console) {
        console.print(page.toString());
        if (open && !Browser.open(page)) {
            console.say("no browser could be opened: open that address in one");
        }
    }
}
