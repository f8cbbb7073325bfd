package io.lambdafs.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.blocks.OperatedCluster;
import io.lambdafs.cluster.dump.Snapshot;
import io.lambdafs.cluster.process.ClusterLock;
import io.lambdafs.cluster.process.NdbInstallation;
import io.lambdafs.cluster.process.Readiness;
import io.lambdafs.cluster.process.ServiceProcess;
import io.lambdafs.cluster.process.Shutdown;
import io.lambdafs.cluster.secure.ClusterSecrets;
import io.lambdafs.cluster.settings.BlockAccess;
import io.lambdafs.cluster.settings.BlockPlace;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.cluster.settings.SettingsChange;
import io.lambdafs.cluster.settings.SettingsFile;
import io.lambdafs.cluster.settings.StoreSettings;
import io.lambdafs.cluster.store.Resizing;
import io.lambdafs.cluster.store.StoreAccess;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Launcher;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.embedded.StoredRows;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in a directory of this machine: starts missing processes and stops them in order. They outlive this
 * process. One command at a time changes it. Confined to one thread, except {@link #abandon}.
 */
public final class LocalCluster implements OperatedCluster {
    /** Prefix of the functions' names, before their number. */
    public static final String ACTION_PREFIX = "namenode";

    private final ClusterDirectory directory;
    private final Console console;
    private final Map<Service, ServiceProcess> services = new LinkedHashMap<>();
    private final Shutdown shutdown;
    private final LocalGateway gateway;
    private final List<ServiceProcess> startedHere = new CopyOnWriteArrayList<>();
    private volatile boolean abandoned;

    public LocalCluster(ClusterDirectory directory, Console console) {
        this.directory = directory;
        this.console = console;
        this.shutdown = new Shutdown(console);
        this.gateway = new LocalGateway(this);
        for (Service service : Service.all()) {
            services.put(service, new ServiceProcess(directory, service));
        }
    }

    /**
     * The options of a start.
     *
     * @param file a {@code --conf} file; null for none
     * @param options keys as in the file, from command-line options, which override it
     * @param beneath keys that the file overrides
     */
    public record StartOptions(@Nullable Path file, ObjectNode options, ObjectNode beneath) {
        public StartOptions(@Nullable Path file, ObjectNode options) {
            this(file, options, Json.object());
        }

        public static StartOptions none() {
            return new StartOptions(null, Json.object());
        }

        /** Returns options in which some keys override those of this. */
        public StartOptions with(ObjectNode keys) {
            ObjectNode all = options.deepCopy();
            keys.properties().forEach(each -> {
                if (all.get(each.getKey()) instanceof ObjectNode group && each.getValue() instanceof ObjectNode some) {
                    group.setAll(some);
                } else {
                    all.set(each.getKey(), each.getValue());
                }
            });
            return new StartOptions(file, all, beneath);
        }

        /** Returns options in which some keys count where neither the file nor these say otherwise. */
        public StartOptions over(ObjectNode keys) {
            return new StartOptions(file, options, keys);
        }

        boolean areEmpty() {
            return file == null && options.isEmpty() && beneath.isEmpty();
        }
    }

    /** The steps of moving the metadata: first while the cluster serves, then while only its store runs. */
    public interface MoveSteps {
        void whileServing(MetadataStore from, MetadataStore to);

        void whileStopped(MetadataStore from, MetadataStore to);
    }

    /** The outcome of a start. */
    public enum Started {
        NOW,
        /** Everything was already running. */
        BEFORE
    }

    public ClusterDirectory directory() {
        return directory;
    }

    public LocalGateway gateway() {
        return gateway;
    }

    public ServiceProcess process(Service service) {
        ServiceProcess process = services.get(service);
        if (process == null) {
            throw new IllegalStateException("no " + service);
        }
        return process;
    }

    /** Returns its services; of a stopped cluster, those it would have. */
    public List<Service> services() {
        return settings(StartOptions.none()).services();
    }

    /** Returns the running services' processes by label. */
    public Map<String, ProcessHandle> processes() {
        Map<String, ProcessHandle> running = new LinkedHashMap<>();
        for (Service service : services()) {
            process(service).find().ifPresent(process -> running.put(service.label(), process));
        }
        return running;
    }

    /** Returns the settings that it was started with; of a stopped cluster, those for its start. */
    public ClusterSettings settings(StartOptions startOptions) {
        SettingsFile layers = SettingsFile.over(ClusterSettings.defaults());
        if (directory.exists()) {
            layers.with(directory.settingsInEffect());
        }
        layers.with(startOptions.beneath(), "emulation");
        if (startOptions.file() != null) {
            layers.with(startOptions.file());
        }
        return layers.with(startOptions.options(), "options").settings();
    }

    /**
     * Starts missing processes and waits until all are serving. On a failure, stops everything it started, and keeps
     * the settings if they are the first.
     *
     * @throws CommandFailure or {@link FsException} with the error
     */
    public Started start(StartOptions startOptions) {
        demandHere("name another directory with --dir");
        checkFixed(settings(startOptions));
        directory.prepare();
        return ClusterLock.during(directory, this::sayWaiting, () -> {
            // Read again: another command may have ended meanwhile.
            ClusterSettings before = directory.exists() ? settings(StartOptions.none()) : null;
            ClusterSettings settings = settings(startOptions);
            checkFixed(settings);
            return ensureRunning(startOptions, before, settings);
        });
    }

    private void sayWaiting() {
        console.say("waiting for another command that starts or stops this cluster");
    }

    private Started ensureRunning(
            StartOptions startOptions, @Nullable ClusterSettings before, ClusterSettings settings) {
        if (before != null && anyRuns()) {
            SettingsChange.checkWhileRunning(directory, before, settings);
            if (directory.isStarting() && !before.equals(settings)) {
                throw runsWithOthers();
            }
        }
        stopOnly(beside(settings));
        stopOnly(Service.all().stream()
                .filter(each -> each.isDoor() && !settings.services().contains(each))
                .toList());
        List<Service> missing = new ArrayList<>();
        for (Service service : settings.services()) {
            if (process(service).find().isEmpty()) {
                missing.add(service);
            }
        }
        // Services that another command, or the gateway, has begun to start.
        settings.services().stream()
                .filter(each -> !missing.contains(each) && process(each).port().isEmpty())
                .forEach(each -> new Readiness(console).await(process(each)));
        if (missing.isEmpty() && Files.exists(directory.client()) && gateway.answers() && !directory.isStarting()) {
            if (before != null && !startOptions.areEmpty() && !before.equals(settings)) {
                throw runsWithOthers();
            }
            ClusterSecrets.ensureCertificates(directory, settings);
            Functions.register(directory, settings, gateway.address(settings));
            return Started.BEFORE;
        }
        return keeping(settings, () -> {
            if (settings.store().isNdb()) {
                NdbInstallation.demand(settings.store());
            }
            ClusterSecrets.ensureCertificates(directory, settings);
            new ClusterStart(this, console, settings, missing).run();
            return Started.NOW;
        });
    }

    private CommandFailure runsWithOthers() {
        return new CommandFailure(
                ExitCode.FAILED,
                ErrorCode.INVALID_ARGUMENT,
                "the cluster in " + directory + " runs with other settings: stop it to change them");
    }

    /** Keeps the settings until the work has ended; on a failure, only if the cluster has no earlier ones. */
    private <T> T keeping(ClusterSettings settings, Supplier<T> work) {
        if (directory.isStarting()) {
            console.say(
                    "going on with the settings of a start that was not completed, and the options given now; to forget them remove "
                            + directory.starting());
        }
        new ServiceFiles(directory, settings).writeStarting();
        try {
            return work.get();
        } catch (RuntimeException e) {
            stopStartedHere();
            if (directory.isFormed()) {
                ServiceFiles.dropStarting(directory);
            }
            throw e;
        }
    }

    /** Refuses to change settings that are fixed in a formed cluster. */
    private void checkFixed(ClusterSettings settings) {
        if (!directory.isFormed()) {
            return;
        }
        ClusterSettings formed = SettingsFile.over(ClusterSettings.defaults())
                .with(directory.settings())
                .settings();
        SettingsChange.checkFixed(directory, formed, settings);
    }

    void startProcesses(ClusterSettings settings, List<Service> services) {
        for (Service service : services) {
            if (abandoned) {
                throw new CommandFailure(
                        ExitCode.FAILED, ErrorCode.INTERRUPTED, "interrupted while the cluster started");
            }
            process(service).start(settings);
            startedHere.add(process(service));
        }
    }

    /**
     * Returns the ZooKeeper connection string for instances: the cluster's own server, an external ensemble, or empty.
     */
    String zookeeper(ClusterSettings settings) {
        return settings.services().contains(Service.ZOOKEEPER)
                ? Hosts.withPort(Hosts.loopback(), port(Service.ZOOKEEPER))
                : settings.zookeeper();
    }

    int port(Service service) {
        OptionalInt port = process(service).port();
        if (port.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.FAILED, ErrorCode.UNAVAILABLE, service.label() + " runs and does not say on which port");
        }
        return port.getAsInt();
    }

    /**
     * Changes the number of deployments while the cluster serves; resumes an interrupted change. One command at a time.
     *
     * @throws FsException as {@link Resizing#run}; {@code UNAVAILABLE} if the cluster does not run
     */
    public Resizing.Result resize(int deployments) {
        demandHere("change the number by deploy --deployments, or by helm upgrade");
        demandStore();
        gateway.demandAnswer();
        return ClusterLock.during(
                directory,
                this::sayWaiting,
                () -> Resizing.run(
                        this::onStore,
                        new LocalPlatform(this, gateway.address(settings(StartOptions.none()))),
                        deployments));
    }

    private boolean isAlive(Service service) {
        return process(service).find().isPresent();
    }

    /** Returns the store servers' current or last ports; one of them is active. */
    List<Integer> storePorts(ClusterSettings settings) {
        List<Integer> ports = settings.services().stream()
                .filter(each -> each.kind() == Service.Kind.STORE)
                .flatMap(each -> process(each).port().stream().boxed())
                .toList();
        return ports.isEmpty() ? List.of(port(Service.STORE)) : ports;
    }

    @Override
    public <T> T onStore(String what, Function<MetadataStore, CompletionStage<T>> step) {
        demandStore();
        ClusterSettings settings = settings(StartOptions.none());
        return StoreAccess.of(directory, settings, storePorts(settings)).ask(what, step);
    }

    /** Reads an embedded store from its files, running or not; any other, which must run, from a snapshot. */
    @Override
    public <T> T rows(Function<Iterable<Row>, T> reader) {
        StoreSettings store = settings(StartOptions.none()).store();
        return store.isPostgres() || store.isNdb()
                ? withStore(found -> Snapshot.read(found, reader))
                : StoredRows.read(directory.data("store"), reader);
    }

    @Override
    public List<String> blockStores() {
        return settings(StartOptions.none()).blocks().places().stream()
                .map(BlockPlace::store)
                .toList();
    }

    @Override
    public BlockAccess blocks() {
        demandExists();
        return settings(StartOptions.none()).blocks().access(directory);
    }

    @Override
    public <T> T withStore(Function<MetadataStore, T> step) {
        demandStore();
        ClusterSettings settings = settings(StartOptions.none());
        return StoreAccess.of(directory, settings, storePorts(settings)).with(step);
    }

    private void demandStore() {
        demandExists();
        if (services().stream().noneMatch(each -> each.kind() == Service.Kind.STORE && isAlive(each))) {
            throw FsException.unavailable("the store of the cluster in " + directory + " does not run: start it with "
                    + Launcher.startOf(directory.root()));
        }
    }

    /** Starts only the store of a stopped cluster, runs an action with it, and stops it again. */
    public <T> T withStoreAlone(StartOptions startOptions, Function<MetadataStore, T> step) {
        demandHere("name another directory with --dir");
        ClusterSettings settings = settings(startOptions);
        checkFixed(settings);
        directory.prepare();
        return ClusterLock.during(directory, this::sayWaiting, () -> {
            stopWhatALoadLeft();
            demandStopped();
            return keeping(settings, () -> {
                ClusterSecrets.ensureCertificates(directory, settings);
                ClusterSecrets.ensure(directory, settings);
                new StoreAlone(this, settings, new Readiness(console)).start(Service.STORE);
                T result = StoreAccess.of(directory, settings, List.of(port(Service.STORE)))
                        .with(step);
                stopStartedHere();
                new ServiceFiles(directory, settings).writeSettings();
                return result;
            });
        });
    }

    /**
     * Moves a serving cluster's metadata to another store: starts that one too, runs the steps with both, and restarts
     * the cluster with it. On a failure the cluster continues with its current store.
     */
    public void moveStore(ObjectNode store, MoveSteps steps) {
        demandHere("dump its metadata, and load them into another cluster");
        gateway.demandAnswer();
        ClusterSettings now = settings(StartOptions.none());
        ObjectNode keys = Json.object();
        keys.set("store", store);
        ClusterSettings target = settings(new StartOptions(null, keys));
        if (target.store().isNdb()) {
            NdbInstallation.demand(target.store());
        }
        ClusterLock.during(directory, this::sayWaiting, () -> {
            ClusterSecrets.ensure(directory, target);
            try {
                new StoreMove(this, now, target, new Readiness(console)).run(steps);
                shutdown.stop(List.copyOf(services.values()));
                new ServiceFiles(directory, target).writeSettings();
            } catch (RuntimeException e) {
                goOn(e);
                throw e;
            }
            startedHere.clear();
            ensureRunning(StartOptions.none(), null, target);
            return true;
        });
    }

    /** Restarts everything already stopped, which then outlives the command. */
    private void goOn(RuntimeException why) {
        if (!abandoned) {
            try {
                ensureRunning(StartOptions.none(), null, settings(StartOptions.none()));
                startedHere.clear();
            } catch (RuntimeException e) {
                why.addSuppressed(e);
            }
        }
    }

    /** Stops serving clients: instances leave, and datanodes finish their writes. */
    void stopServing() {
        shutdown.stop(services.values().stream()
                .filter(each -> Shutdown.isFirst(each.service()))
                .toList());
    }

    void stopOnly(List<Service> which) {
        shutdown.stop(which.stream().map(this::process).toList());
    }

    /** Returns the services that a migration runs beside those of such a cluster. */
    static List<Service> beside(ClusterSettings settings) {
        return Service.all().stream()
                .filter(each -> each.equals(Service.BESIDE)
                        || (each.isDatabase() && !settings.services().contains(each)))
                .toList();
    }

    /** Stops the store, and its database, left by a load that was killed. */
    private void stopWhatALoadLeft() {
        boolean storeAlone = services.values().stream()
                .filter(each -> each.find().isPresent())
                .allMatch(each -> each.service().isDatabase() || each.service().kind() == Service.Kind.STORE);
        if (directory.isStarting() && storeAlone) {
            shutdown.stop(List.copyOf(services.values()));
        }
    }

    private boolean anyRuns() {
        return services.values().stream().anyMatch(each -> each.find().isPresent());
    }

    private void demandStopped() {
        if (anyRuns()) {
            throw new FsException(
                    ErrorCode.NOT_ALLOWED, "the cluster in " + directory + " runs: stop it, or name another directory");
        }
    }

    /** Returns whether the directory only has clients' files, so that nothing of the cluster was ever started here. */
    public boolean isElsewhere() {
        return !Files.isDirectory(directory.run())
                && (Files.exists(directory.client())
                        || (directory.exists()
                                && !settings(StartOptions.none())
                                        .store()
                                        .address()
                                        .isEmpty()));
    }

    /** Fails with {@code INVALID_ARGUMENT} and advice if the cluster runs elsewhere. */
    private void demandHere(String instead) {
        if (isElsewhere()) {
            throw FsException.invalidArgument(directory + " describes a cluster that runs elsewhere: " + instead);
        }
    }

    /** Fails with {@code UNAVAILABLE} if no cluster was ever started. */
    public void demandExists() {
        if (!directory.exists() && !Files.isDirectory(directory.run())) {
            throw FsException.unavailable((Files.isDirectory(directory.root())
                            ? "no cluster was ever started in " + directory
                            : "there is no directory " + directory)
                    + ": start one with " + Launcher.startOf(directory.root()));
        }
    }

    @Override
    public String toString() {
        return directory.toString();
    }

    private void stopStartedHere() {
        shutdown.stop(startedHere);
        startedHere.clear();
    }

    /**
     * Stops, as {@link #stop} does, only what this object started, and starts nothing more; callable from a shutdown
     * hook at any time.
     */
    public void abandon() {
        abandoned = true;
        stopStartedHere();
    }

    /**
     * Stops running processes: gateway and datanodes first, so that instances and block writes end cleanly, then store
     * and ZooKeeper.
     *
     * @return whether anything was running
     */
    public boolean stop() {
        demandHere("remove its functions by deploy --remove, or by helm uninstall");
        if (!Files.isDirectory(directory.run())) {
            return false;
        }
        return ClusterLock.during(directory, this::sayWaiting, () -> shutdown.stop(List.copyOf(services.values())));
    }

    /** Stops one service cleanly; returns whether it was running. */
    public boolean stop(String label) {
        return ClusterLock.during(
                directory,
                this::sayWaiting,
                () -> shutdown.stop(services.values().stream()
                        .filter(each -> each.service().label().equals(label))
                        .toList()));
    }
}
