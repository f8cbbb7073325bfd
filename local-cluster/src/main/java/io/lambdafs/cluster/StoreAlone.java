package io.lambdafs.cluster;

import io.lambdafs.cluster.process.Ports;
import io.lambdafs.cluster.process.Readiness;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Service;
import java.util.List;

/** Starts a store server and the databases that it needs, and nothing else. Single use. */
final class StoreAlone {
    private final LocalCluster cluster;
    private final ClusterSettings settings;
    private final Readiness readiness;

    StoreAlone(LocalCluster cluster, ClusterSettings settings, Readiness readiness) {
        this.cluster = cluster;
        this.settings = settings;
        this.readiness = readiness;
    }

    /** Starts a store server with all databases of the settings, and waits until it serves. */
    void start(Service store) {
        start(store, settings.services().stream().filter(Service::isDatabase).toList());
    }

    /** Starts a store server with these databases, and waits until it serves. */
    void start(Service store, List<Service> databases) {
        ServiceFiles files = new ServiceFiles(cluster.directory(), settings);
        int port = portOf(store);
        files.write(store, port);
        for (Service database : databases) {
            files.write(database, portOf(database));
            startOne(database);
            files.writeStoreOf(cluster.port(database), store, port);
        }
        startOne(store);
    }

    private int portOf(Service service) {
        return Ports.choose(service, settings, cluster.process(service).port());
    }

    private void startOne(Service service) {
        cluster.startProcesses(settings, List.of(service));
        readiness.await(cluster.process(service));
    }
}
