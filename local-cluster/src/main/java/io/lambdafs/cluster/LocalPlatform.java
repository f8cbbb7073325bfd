package io.lambdafs.cluster;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Placement;
import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The gateway of a local cluster, and its files, while the number of deployments is changed. */
final class LocalPlatform implements Resizing.Platform {
    private static final Logger LOG = LoggerFactory.getLogger(LocalPlatform.class);

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

    /** An instance that can answer has joined, and so fenced whoever does not go. */
    @Override
    public void wake() {
        try (BlockingLambdaFs client = BlockingLambdaFs.open(ClientConfig.load(directory.client()))) {
            client.stat(FsPath.ROOT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (FsException e) {
            LOG.info("No instance could be woken: {}", e.getMessage());
        }
    }

    @Override
    public void removeFrom(int deployments) {
        Functions.removeFrom(directory, settings(deployments), gateway, deployments);
    }
}
