package io.lambdafs.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.dump.Snapshot;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Launcher;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Placement;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsFiles;
import io.lambdafs.store.Deployments;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.embedded.StoredRows;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(3);

    private final ClusterDirectory directory;
    private final Console console;
    private final Map<Service, ServiceProcess> services = new LinkedHashMap<>();
    private final Shutdown shutdown;
    private final List<ServiceProcess> startedHere = new CopyOnWriteArrayList<>();
    private volatile boolean abandoned;

    public LocalCluster(ClusterDirectory directory, Console console) {
        this.directory = directory;
        this.console = console;
        this.shutdown = new Shutdown(console);
        for (Service service : Service.all()) {
            services.put(service, new ServiceProcess(directory, service));
        }
    }

    /**
     * The options of a start.
     *
     * @param file a {@code --conf} file; null for none
     * @param options keys as in the file, from command-line options, which override it
     */
    public record StartOptions(@Nullable Path file, ObjectNode options) {
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
            return new StartOptions(file, all);
        }

        boolean areEmpty() {
            return file == null && options.isEmpty();
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

    ServiceProcess process(Service service) {
        ServiceProcess process = services.get(service);
        if (process == null) {
            throw new IllegalStateException("no " + service);
        }
        return process;
    }

    /** Returns its services; of a stopped cluster, those it would have. */
    List<Service> services() {
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
            return start(startOptions, before, settings);
        });
    }

    private void sayWaiting() {
        console.say("waiting for another command that starts or stops this cluster");
    }

    private Started start(StartOptions startOptions, @Nullable ClusterSettings before, ClusterSettings settings) {
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
        if (missing.isEmpty() && isServing() && !directory.isStarting()) {
            if (before != null && !startOptions.areEmpty() && !before.equals(settings)) {
                throw runsWithOthers();
            }
            // Running services reload new ones by themselves.
            ensureCertificates(settings);
            Functions.register(directory, settings, gateway(settings));
            return Started.BEFORE;
        }
        return keeping(settings, () -> {
            if (settings.store().isNdb()) {
                NdbInstallation.demand(settings.store());
            }
            ensureCertificates(settings);
            startMissing(settings, missing);
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

    private void startMissing(ClusterSettings settings, List<Service> missing) {
        if (settings.insecure()) {
            console.say("WARNING: insecure: whoever reaches this cluster may claim to be anybody");
        }
        ServiceFiles files = new ServiceFiles(directory, settings);
        List<Service> others = new ArrayList<>(missing.stream()
                .filter(each -> !isDatanode(each) && !each.isDoor())
                .toList());
        // Before anything is stored or started: a taken port leaves no process.
        Map<Service, Integer> ports = new LinkedHashMap<>();
        for (Service service : missing) {
            ports.put(service, Ports.choose(service, settings, process(service).port()));
        }
        makeSecrets(settings);
        others.forEach(service -> files.write(service, ports.getOrDefault(service, 0)));
        Readiness readiness = new Readiness(console);
        for (Service database :
                settings.services().stream().filter(Service::isDatabase).toList()) {
            if (others.remove(database)) {
                startProcesses(settings, List.of(database));
                readiness.await(process(database));
            }
            stopStoresOfAnother(settings, files, port(database), others, ports);
            for (Service service : others) {
                if (service.kind() == Service.Kind.STORE) {
                    files.writeStoreOf(port(database), service, ports.getOrDefault(service, 0));
                }
            }
        }
        startProcesses(settings, others);
        others.forEach(service -> readiness.await(process(service)));
        List<Integer> storePorts = storePorts(settings);
        files.writeFunction(storePorts, zookeeper(settings));
        StoreMove.arrive(directory, settings, storePorts);
        if (StoreFormat.format(directory, settings, storePorts)) {
            console.say("  formatted for " + settings.deployments() + " deployments");
        }
        Placement placement = placement(settings, storePorts);
        startOn(settings.withDeployments(placement.deployments()), placement, missing, ports);
    }

    /** Stops running store servers that use an earlier address of the database, and adds them to those to start. */
    private void stopStoresOfAnother(
            ClusterSettings settings,
            ServiceFiles files,
            int databasePort,
            List<Service> toStart,
            Map<Service, Integer> ports) {
        for (Service service : settings.services()) {
            if (service.kind() == Service.Kind.STORE
                    && !toStart.contains(service)
                    && !files.isStoreOf(databasePort, service)) {
                console.say("  the database has another port than before: the " + service.label() + " starts anew");
                stopOnly(List.of(service));
                ports.put(
                        service,
                        Ports.choose(service, settings, process(service).port()));
                toStart.add(service);
            }
        }
    }

    /** Returns the placement in the store: a change may have been interrupted before the settings were updated. */
    private Placement placement(ClusterSettings settings, List<Integer> storePorts) {
        return StoreAccess.of(directory, settings, storePorts)
                .ask("read the number of deployments", Deployments::read)
                .orElse(new Placement(settings.deployments()));
    }

    /** Starts the processes that need the store. */
    private void startOn(
            ClusterSettings settings, Placement placement, List<Service> missing, Map<Service, Integer> ports) {
        ServiceFiles files = new ServiceFiles(directory, settings);
        Readiness readiness = new Readiness(console);
        List<Integer> storePorts = storePorts(settings);
        files.writeFunction(storePorts, zookeeper(settings));
        List<Service> datanodes =
                missing.stream().filter(LocalCluster::isDatanode).toList();
        datanodes.forEach(service -> files.writeDatanode(service, ports.getOrDefault(service, 0), storePorts));
        startProcesses(settings, datanodes);
        datanodes.forEach(service -> readiness.await(process(service)));
        if (settings.blocks().direct()) {
            DirectChecks.check(directory, settings, storePorts);
        }
        // From now on some settings are fixed.
        files.writeSettings();
        URI gateway = gateway(settings);
        readiness.awaitAnswer(new GatewayClient(gateway, null, ANSWER_LIMIT, tls(settings)));
        files.writeClient(port(Service.GATEWAY), placement);
        InstanceArchive archive = InstanceArchive.of(settings);
        if (missing.contains(Service.GATEWAY) && archive.isWanted()) {
            train(settings, gateway, archive);
        }
        Functions.register(directory, settings, gateway);
        List<Service> doors = missing.stream().filter(Service::isDoor).toList();
        doors.forEach(service -> {
            console.say("WARNING: the " + service.label()
                    + " door believes every process of this machine about who its user is, for its authentication is "
                    + settings.doors().authentication());
            files.write(service, ports.getOrDefault(service, 0));
        });
        startProcesses(settings, doors);
        doors.forEach(service -> readiness.await(process(service)));
    }

    private static boolean isDatanode(Service service) {
        return service.kind() == Service.Kind.DATANODE;
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

    private void train(ClusterSettings settings, URI gateway, InstanceArchive archive) {
        console.progress("  training the archive for fast cold starts");
        Training training = new Training(
                directory, archive, GatewayClient.of(gateway, directory.managementKey(), ANSWER_LIMIT, tls(settings)));
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

    private void makeSecrets(ClusterSettings settings) {
        Path data = directory.data("store");
        boolean hasData = Files.exists(data.resolve("CURRENT")) || Files.exists(data.resolve("data"));
        if (!settings.insecure()) {
            if (hasData && !Files.exists(directory.secret())) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        ErrorCode.UNAVAILABLE,
                        "the cluster in " + directory + " has data and no secret: put the file " + directory.secret()
                                + " back, or start from an empty directory");
            }
            Secret.loadOrCreate(directory.secret());
        }
        try {
            if (settings.store().hasOwnPostgres() && !Files.exists(directory.databasePassword())) {
                ApiKey.random(new SecureRandom()).writeTo(directory.databasePassword());
            }
            for (Path file : List.of(directory.apiKey(), directory.managementKey())) {
                if (Files.exists(file)) {
                    ApiKey.fromFile(file);
                } else {
                    ApiKey.random(new SecureRandom()).writeTo(file);
                }
            }
        } catch (IOException e) {
            throw CommandFailure.ofFile("cannot use the gateway's keys in " + directory, e);
        }
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
        demandAnswer();
        return ClusterLock.during(
                directory,
                this::sayWaiting,
                () -> Resizing.run(
                        this::onStore, new LocalPlatform(this, gateway(settings(StartOptions.none()))), deployments));
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
            throw new FsException(
                    ErrorCode.UNAVAILABLE,
                    "the store of the cluster in " + directory + " does not run: start it with "
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
                ensureCertificates(settings);
                makeSecrets(settings);
                new StoreAlone(this, settings, new Readiness(console)).start();
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
        demandAnswer();
        ClusterSettings now = settings(StartOptions.none());
        ObjectNode keys = Json.object();
        keys.set("store", store);
        ClusterSettings target = settings(new StartOptions(null, keys));
        if (target.store().isNdb()) {
            NdbInstallation.demand(target.store());
        }
        ClusterLock.during(directory, this::sayWaiting, () -> {
            makeSecrets(target);
            try {
                new StoreMove(this, now, target, new Readiness(console)).run(steps);
                shutdown.stop(List.copyOf(services.values()));
                new ServiceFiles(directory, target).writeSettings();
            } catch (RuntimeException e) {
                goOn(e);
                throw e;
            }
            startedHere.clear();
            start(StartOptions.none(), null, target);
            return true;
        });
    }

    /** Restarts everything already stopped, which then outlives the command. */
    private void goOn(RuntimeException why) {
        if (!abandoned) {
            try {
                start(StartOptions.none(), null, settings(StartOptions.none()));
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

    private void ensureCertificates(ClusterSettings settings) {
        if (settings.tls().enabled() && settings.tls().isOwn()) {
            Certificates.ensure(directory.tls(), settings.listen());
        }
    }

    private URI gateway(ClusterSettings settings) {
        return URI.create(gatewayUrl(settings, port(Service.GATEWAY)));
    }

    static String gatewayUrl(ClusterSettings settings, int port) {
        return (settings.tls().enabled() ? "https://" : "http://")
                + Hosts.withPort(Hosts.reached(settings.listen()), port);
    }

    /** Returns the gateway's address, if one was started or the directory describes a cluster elsewhere. */
    public Optional<URI> gatewayAddress() {
        if (isElsewhere()) {
            return Optional.of(ClientConfig.load(directory.client()).gateway());
        }
        OptionalInt port = process(Service.GATEWAY).port();
        return port.isPresent() && directory.exists()
                ? Optional.of(URI.create(gatewayUrl(settings(StartOptions.none()), port.getAsInt())))
                : Optional.empty();
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
            throw new FsException(
                    ErrorCode.INVALID_ARGUMENT, directory + " describes a cluster that runs elsewhere: " + instead);
        }
    }

    /** Returns a client of the management API, which only λFS's own gateway has. */
    public Optional<GatewayClient> management() {
        if (!isElsewhere()) {
            return Optional.of(gatewayClient());
        }
        ClientConfig client = ClientConfig.load(directory.client());
        return client.gatewayProof() && Files.exists(directory.managementKey())
                ? Optional.of(GatewayClient.of(
                        client.gateway(),
                        directory.managementKey(),
                        ANSWER_LIMIT,
                        Optional.ofNullable(client.tlsCa())
                                .map(TlsFiles::ofUser)
                                .map(Tls::of)))
                : Optional.empty();
    }

    /** Returns a client of its management API. */
    public GatewayClient gatewayClient() {
        if (isElsewhere()) {
            return management()
                    .orElseThrow(() -> new FsException(
                            ErrorCode.INVALID_ARGUMENT,
                            directory
                                    + " describes a cluster whose platform has no management API of λFS, or has no"
                                    + " file "
                                    + directory.managementKey() + ": ask the platform itself"));
        }
        URI gateway = gatewayAddress()
                .orElseThrow(() -> new FsException(
                        ErrorCode.UNAVAILABLE,
                        "no cluster runs in " + directory + ": " + Launcher.startOf(directory.root())));
        return GatewayClient.of(gateway, directory.managementKey(), ANSWER_LIMIT, tls(settings(StartOptions.none())));
    }

    private boolean isServing() {
        return Files.exists(directory.client()) && gatewayAnswers();
    }

    boolean gatewayAnswers() {
        return gatewayAddress()
                .map(gateway ->
                        new GatewayClient(gateway, null, ANSWER_LIMIT, tls(settings(StartOptions.none()))).isHealthy())
                .orElse(false);
    }

    /** Returns the problem reported by a running service's health page; empty if healthy or without such a page. */
    Optional<String> unhealthy(String service) {
        OptionalInt port = process(Service.GATEWAY).port(service + "-metrics");
        if (port.isEmpty()) {
            return Optional.empty();
        }
        ClusterSettings settings = settings(StartOptions.none());
        URI page = URI.create((settings.tls().enabled() ? "https://" : "http://")
                + Hosts.withPort(Hosts.loopback(), port.getAsInt()) + "/healthz");
        return new GatewayClient(page, null, ANSWER_LIMIT, tls(settings)).unhealthy();
    }

    /** Returns the commands' TLS. */
    private Optional<Tls> tls(ClusterSettings settings) {
        return Certificates.files(directory, settings, Certificates.Role.OPERATOR)
                .map(Tls::of);
    }

    /** Fails with {@code UNAVAILABLE} if no cluster was ever started. */
    public void demandExists() {
        if (!directory.exists() && !Files.isDirectory(directory.run())) {
            throw new FsException(
                    ErrorCode.UNAVAILABLE,
                    (Files.isDirectory(directory.root())
                                    ? "no cluster was ever started in " + directory
                                    : "there is no directory " + directory)
                            + ": start one with " + Launcher.startOf(directory.root()));
        }
    }

    /** Fails with {@code UNAVAILABLE} unless the gateway answers. */
    public void demandAnswer() {
        if (isElsewhere()) {
            ClientConfig client = ClientConfig.load(directory.client());
            demandAnswer(client.gateway(), GatewayReach.silence(client));
        } else {
            GatewayClient gateway = gatewayClient();
            demandAnswer(gateway.gateway(), gateway.silence());
        }
    }

    private void demandAnswer(URI gateway, Optional<String> silence) {
        silence.ifPresent(why -> {
            throw new FsException(
                    ErrorCode.UNAVAILABLE,
                    "the cluster in " + directory + ": " + why + "; " + Silence.ofGateway(directory, gateway));
        });
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
