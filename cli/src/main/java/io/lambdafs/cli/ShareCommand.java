package io.lambdafs.cli;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.Version;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lambdafs share}: a long-running process that lends its connections. */
@Command(
        name = "share",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Share this process's connections with your other processes.",
            "Runs until interrupted (Ctrl-C). Processes with sharing.enabled use them, such as \"lambdafs fs "
                    + "-D lambdafs.sharing.enabled=true -ls /\"."
        })
public final class ShareCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    public ShareCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws InterruptedException {
        LocalCluster cluster = new LocalCluster(directory.find(), console);
        cluster.gateway().demandAnswer();
        ClientConfigBuilder config =
                ClientConfigBuilder.load(cluster.directory().client()).sharingEnabled(true);
        try (LambdaFs client = LambdaFs.open(config.build())) {
            BlockingLambdaFs.await(client.warmUp());
            console.say("sharing connections in " + client.config().sharing().directory() + "; Ctrl-C ends it");
            new CountDownLatch(1).await();
        }
        throw new AssertionError("only an interruption ends the wait");
    }
}
