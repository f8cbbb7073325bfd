package io.lambdafs.cluster;

import io.lambdafs.cluster.blocks.DirectChecks;
import io.lambdafs.cluster.process.InstanceArchive;
import io.lambdafs.cluster.process.Ports;
import io.lambdafs.cluster.process.Readiness;
import io.lambdafs.cluster.secure.ClusterSecrets;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.cluster.store.StoreAccess;
import io.lambdafs.cluster.store.StoreFormat;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.store.instance.Deployments;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The start of a cluster's missing services, in steps. Single use, confined to one thread. */
final class ClusterStart {
    private final LocalCluster cluster;
    private final Console console;
    private final ClusterDirectory directory;
    private final List<Service> missing;
    /** The services to start, each with the port to request; 0 for any free one. */
    private final Map<Service, Integer> ports = new LinkedHashMap<>();
    /** With the number of deployments that the store has, as soon as that is known. */
    private ClusterSettings settings;

    private ServiceFiles files;
    private Readiness readiness;

    ClusterStart(LocalCluster cluster, Console console, ClusterSettings settings, List<Service> missing) {
        this.cluster = cluster;
        this.console = console;
        this.directory = cluster.directory();
        this.missing = missing;
        this.settings = settings;
        this.files = new ServiceFiles(directory, settings);
        this.readiness = new Readiness(console);
    }

    /** Runs all steps, and returns when every service is ready. */
    void run() {
        warnIfInsecure();
        choosePorts();
        ClusterSecrets.ensure(directory, settings);
        startDatabases();
        startCore();
        Placement placement = formatStore();
        adopt(placement);
        startDatanodes();
        checkDirectAccess();
        // From now on some settings are fixed.
        files.writeSettings();
        awaitGateway(placement);
        trainArchive();
        Functions.register(directory, settings, cluster.gateway().address(settings));
        startDoors();
    }

    private void warnIfInsecure() {
        if (settings.insecure()) {
            console.say("WARNING: insecure: whoever reaches this cluster may claim to be anybody");
        }
    }

    /** Precedes everything that is stored or started: a taken port leaves no process. */
    private void choosePorts() {
        missing.forEach(this::choosePort);
    }

    private void choosePort(Service service) {
        ports.put(
                service,
                Ports.choose(service, settings, cluster.process(service).port()));
    }

    /** Starts the databases, then writes the files of the store servers, which need a database's port. */
    private void startDatabases() {
        toStart(ClusterStart::isCore).forEach(service -> files.write(service, port(service)));
        for (Service database :
                settings.services().stream().filter(Service::isDatabase).toList()) {
            start(toStart(database::equals));
            int port = cluster.port(database);
            stopStoresOfAnother(port);
            toStart(ClusterStart::isStore).forEach(store -> files.writeStoreOf(port, store, port(store)));
        }
    }

    /** Stops running store servers that use an earlier address of the database, and adds them to those to start. */
    private void stopStoresOfAnother(int databasePort) {
        for (Service service : settings.services()) {
            if (isStore(service) && !ports.containsKey(service) && !files.isStoreOf(databasePort, service)) {
                console.say("  the database has another port than before: the " + service.label() + " starts anew");
                cluster.stopOnly(List.of(service));
                choosePort(service);
            }
        }
    }

    /** Starts ZooKeeper, the store servers and the gateway, all at once. */
    private void startCore() {
        start(toStart(each -> isCore(each) && !each.isDatabase()));
    }

    /** Formats the store if it is empty; returns the placement in it, which an interrupted change may have left. */
    private Placement formatStore() {
        List<Integer> storePorts = cluster.storePorts(settings);
        files.writeFunction(storePorts, cluster.zookeeper(settings));
        StoreMove.arrive(directory, settings, storePorts);
        if (StoreFormat.format(directory, settings, storePorts)) {
            console.say("  formatted for " + settings.deployments() + " deployments");
        }
        return StoreAccess.of(directory, settings, storePorts)
                .ask("read the number of deployments", Deployments::read)
                .orElse(new Placement(settings.deployments()));
    }

    /** Goes on with the number of deployments in the store. */
    private void adopt(Placement placement) {
        settings = settings.withDeployments(placement.deployments());
        files = new ServiceFiles(directory, settings);
        readiness = new Readiness(console);
        files.writeFunction(cluster.storePorts(settings), cluster.zookeeper(settings));
    }

    private void startDatanodes() {
        List<Integer> storePorts = cluster.storePorts(settings);
        List<Service> datanodes = toStart(each -> each.kind() == Service.Kind.DATANODE);
        datanodes.forEach(each -> files.writeDatanode(each, port(each), storePorts));
        start(datanodes);
    }

    private void checkDirectAccess() {
        if (settings.blocks().direct()) {
            DirectChecks.check(directory, settings, cluster.storePorts(settings));
        }
    }

    private void awaitGateway(Placement placement) {
        readiness.awaitAnswer(cluster.gateway().anonymous(settings));
        files.writeClient(cluster.port(Service.GATEWAY), placement);
    }

    /** Trains the class archive with a gateway that has just started, unless there is a current one. */
    private void trainArchive() {
        InstanceArchive archive = InstanceArchive.of(settings);
        if (!missing.contains(Service.GATEWAY) || !archive.isWanted()) {
            return;
        }
        console.progress("  training the archive for fast cold starts");
        URI gateway = cluster.gateway().address(settings);
        Training training = new Training(directory, archive, cluster.gateway().manager(settings));
        try {
            Functions.registerTraining(directory, settings, gateway);
            training.exercise();
            Functions.removeTraining(directory, settings, gateway);
            training.finish();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, ErrorCode.INTERRUPTED, "interrupted while the cluster started");
        }
    }

    private void startDoors() {
        List<Service> doors = toStart(Service::isDoor);
        doors.forEach(service -> {
            if (service.kind() != Service.Kind.S3) {
                console.say("WARNING: the " + service.label()
                        + " door believes every process of this machine about who its user is, for its authentication"
                        + " is "
                        + settings.doors().authentication());
            }
            files.write(service, port(service));
        });
        start(doors);
    }

    /** Returns whether it is neither a datanode nor a door, which follow when the store serves. */
    private static boolean isCore(Service service) {
        return service.kind() != Service.Kind.DATANODE && !service.isDoor();
    }

    private static boolean isStore(Service service) {
        return service.kind() == Service.Kind.STORE;
    }

    private List<Service> toStart(Predicate<Service> which) {
        return ports.keySet().stream().filter(which).toList();
    }

    private int port(Service service) {
        return ports.getOrDefault(service, 0);
    }

    /** Starts services at once, and awaits each. */
    private void start(List<Service> services) {
        cluster.startProcesses(settings, services);
        services.forEach(service -> readiness.await(cluster.process(service)));
    }
}
