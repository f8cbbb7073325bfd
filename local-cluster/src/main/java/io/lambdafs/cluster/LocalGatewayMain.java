package io.lambdafs.cluster;

import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.platform.local.GatewayMain;
import java.io.PrintStream;
import java.nio.file.Path;

/**
 * The main class of a local cluster's gateway, which runs in the cluster's directory: {@link GatewayMain}, which here
 * also restarts datanodes that have ended.
 */
public final class LocalGatewayMain {
    private LocalGatewayMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        ClusterDirectory directory = new ClusterDirectory(Path.of("").toAbsolutePath());
        PrintStream log = System.out;
        LocalCluster cluster = new LocalCluster(directory, new Console(log, log, 0));
        DatanodeWatch watch = new DatanodeWatch(
                directory, each -> cluster.startProcesses(cluster.settings(LocalCluster.StartOptions.none()), each));
        Thread thread = new Thread(watch, "datanode-watch");
        thread.setDaemon(true);
        thread.start();
        GatewayMain.main(arguments);
    }
}
