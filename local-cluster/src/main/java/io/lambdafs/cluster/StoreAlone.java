package io.lambdafs.cluster;

import java.util.List;

/** Starts only a cluster's store and its database. Single use. */
final class StoreAlone {
    private final LocalCluster cluster;
    private final ClusterSettings settings;
    private final Readiness readiness;

    StoreAlone(LocalCluster cluster, ClusterSettings settings, Readiness readiness) {
        this.cluster = cluster;
        this.settings = settings;
        this.readiness = readiness;
    }

    /** Starts them and waits until the store serves. */
    void start() {
        ServiceFiles files = new ServiceFiles(cluster.directory(), settings);
        int port = portOf(Service.STORE);
        files.write(Service.STORE, port);
        for (Service database :
                settings.services().stream().filter(Service::isDatabase).toList()) {
            files.write(database, portOf(database));
            start(database);
            files.writeStoreOf(cluster.port(database), Service.STORE, port);
        }
        start(Service.STORE);
    }

    private int portOf(Service service) {
        return Ports.choose(service, settings, cluster.process(service).port());
    }

    private void start(Service service) {
        cluster.startProcesses(settings, List.of(service));
        readiness.await(cluster.process(service));
    }
}
