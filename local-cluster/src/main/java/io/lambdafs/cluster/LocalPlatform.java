package io.lambdafs.cluster;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.cluster.store.Resizing;
import io.lambdafs.model.operation.Placement;
import java.net.URI;

/** The platform of a local cluster during a resize: its gateway and files. */
final class LocalPlatform implements Resizing.Platform {
    private final LocalCluster cluster;
    private final ClusterDirectory directory;
    private final URI gateway;

    LocalPlatform(LocalCluster cluster, URI gateway) {
        this.cluster = cluster;
        this.directory = cluster.directory();
        this.gateway = gateway;
    }

    private ClusterSettings settings(int deployments) {
        return cluster.settings(LocalCluster.StartOptions.none()).withDeployments(deployments);
    }

    @Override
    public void register(int deployments) {
        Functions.register(directory, settings(deployments), gateway);
    }

    @Override
    public void publish(Placement placement) {
        ClusterSettings settings = settings(placement.deployments());
        ServiceFiles files = new ServiceFiles(directory, settings);
        files.writeSettings();
        files.writeFunction(cluster.storePorts(settings), cluster.zookeeper(settings));
        files.writeClient(cluster.port(Service.GATEWAY), placement);
    }

    /** Wakes an instance: one that answers has joined, and so has fenced instances that did not leave. */
    @Override
    public void wake() {
        Resizing.wake(ClientConfig.load(directory.client()));
    }

    @Override
    public void removeFrom(int deployments) {
        Functions.removeFrom(directory, settings(deployments), gateway, deployments);
    }
}
