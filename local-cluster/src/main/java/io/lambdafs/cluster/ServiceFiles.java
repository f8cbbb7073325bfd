package io.lambdafs.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.process.InstanceArchive;
import io.lambdafs.cluster.secure.Certificates;
import io.lambdafs.cluster.settings.BlockPlace;
import io.lambdafs.cluster.settings.BlockSettings;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.cluster.settings.StoreSettings;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.functions.serving.ClientRanges;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes the configuration files of services, functions and clients. Only the two secret files contain secrets.
 * Stateless.
 */
final class ServiceFiles {
    /** The gateway's kind of the function. */
    static final String KIND = "java:namenode";
    /** The gateway's kind of the training function, whose instances record the class archive. */
    static final String TRAINING_KIND = "java:training";

    private static final String LOOPBACK = Hosts.loopback();
    private static final String FUNCTION = "function";
    private static final long STOP_GRACE_MILLIS = 5_000;
    private static final int QUEUE_LIMIT = 4_096;
    private static final long QUEUE_WAIT_MILLIS = 15_000;
    private static final int CALLS_IN_FLIGHT = 4_096;
    /** Checkpoint interval if replies wait for two checkpoints. */
    private static final int CHECKPOINT_MILLIS = 50;

    private final ClusterDirectory directory;
    private final ClusterSettings settings;

    ServiceFiles(ClusterDirectory directory, ClusterSettings settings) {
        this.directory = directory;
        this.settings = settings;
    }

    /** @param port to request; 0 for any free one */
    void write(Service service, int port) {
        ObjectNode tree = switch (service.kind()) {
            case ZOOKEEPER -> zookeeper(port);
            case POSTGRES -> postgres(port);
            case NDB -> ndb(port);
            case STORE -> store(service, port);
            case GATEWAY -> gateway(port);
            case DATANODE -> throw new IllegalArgumentException("a datanode is told where the store is");
            case HDFS, WEBHDFS, S3 -> door(service, port);
        };
        write(tree, directory.configuration(service.label()));
    }

    /** @param port to request; 0 for any free one */
    void writeDatanode(Service service, int port, List<Integer> storePorts) {
        String label = service.label();
        BlockSettings blocks = settings.blocks();
        blocks.checkApart(directory);
        BlockPlace served = blocks.served(service);
        ObjectNode tree = Json.object()
                .put("id", label)
                .put("store", servers(storePorts))
                .put("blockStore", served.store())
                .put("blocks", served.in(directory))
                .put("listenAddress", LOOPBACK)
                .put("port", port)
                .put("portFile", directory.port(label).toString())
                .put("metricsAddress", LOOPBACK)
                .put("metricsPortFile", directory.port(label + "-metrics").toString())
                .put("reportMinutes", blocks.reportMinutes());
        if (served.isRemote()) {
            tree.put(
                            "cacheDirectory",
                            directory.data("block-cache").resolve(label).toString())
                    .put("cacheBytes", (long) blocks.cacheMb() << 20);
        }
        if (served.isRemote() && !blocks.endpoint().isEmpty()) {
            tree.put("endpoint", blocks.endpoint());
        }
        if (served.isRemote() && !blocks.encryption().isEmpty()) {
            tree.put("encryption", blocks.encryption());
        }
        write(tls(identity(tree), Certificates.Role.DATANODE), directory.configuration(label));
    }

    /** A door is a client: it finds the cluster by the directory. */
    private ObjectNode door(Service service, int port) {
        ObjectNode tree = Json.object()
                .put("cluster", directory.root().toString())
                .put("listenAddress", LOOPBACK)
                .put("port", port)
                .put("portFile", directory.port(service.label()).toString())
                .put(
                        "metricsPortFile",
                        directory.port(service.label() + "-metrics").toString());
        if (service.kind() == Service.Kind.S3) {
            return tree.put("root", settings.doors().s3Root());
        }
        tree.put("authentication", settings.doors().authentication());
        if (service.kind() == Service.Kind.HDFS) {
            tree.put("dataPortFile", dataPort(service));
            ArrayNode others = tree.putArray("otherDataPortFiles");
            settings.services().stream()
                    .filter(each -> each.kind() == Service.Kind.HDFS && !each.equals(service))
                    .forEach(each -> others.add(dataPort(each)));
        }
        return tree;
    }

    private String dataPort(Service door) {
        return directory.port(door.label() + "-data").toString();
    }

    private ObjectNode zookeeper(int port) {
        ObjectNode tree = Json.object()
                .put("dataDir", directory.data("zookeeper").toString())
                .put("host", LOOPBACK)
                .put("port", port)
                .put("portFile", directory.port("zookeeper").toString());
        return identity(tree);
    }

    private ObjectNode postgres(int port) {
        ObjectNode tree = Json.object()
                .put("directory", directory.data("postgres").toString())
                .put("port", port)
                .put("portFile", directory.port("postgres").toString());
        if (!settings.insecure()) {
            tree.put("passwordFile", directory.databasePassword().toString());
        }
        return tree;
    }

    private ObjectNode ndb(int port) {
        ObjectNode tree = Json.object()
                .put("directory", directory.data("ndb").toString())
                .put("port", port)
                .put("portFile", directory.port("ndb").toString())
                .put("memoryMb", settings.store().ndbMemoryMb())
                .put("replicas", settings.store().ndbReplicas());
        return settings.store().awaitsCheckpoints() ? tree.put("checkpointMillis", CHECKPOINT_MILLIS) : tree;
    }

    /** Writes a store's file once the cluster's own database has published its port. */
    void writeStoreOf(int databasePort, Service service, int port) {
        write(
                store(service, port).put(databaseKey(), database(databasePort)),
                directory.configuration(service.label()));
    }

    /** Returns whether the store server's file names this port of the database. */
    boolean isStoreOf(int databasePort, Service service) {
        Path told = directory.configuration(service.label());
        try {
            return Json.MAPPER
                    .readTree(told.toFile())
                    .path(databaseKey())
                    .asText()
                    .equals(database(databasePort));
        } catch (IOException e) {
            throw CommandFailure.ofFile("cannot read " + told, e);
        }
    }

    private String databaseKey() {
        return settings.store().isNdb() ? "connect" : "jdbcUrl";
    }

    private String database(int port) {
        return settings.store().isNdb()
                ? "127.0.0.1:" + port
                : "jdbc:postgresql://" + LOOPBACK + ":" + port + "/postgres";
    }

    /** Returns the engine's settings. */
    private ObjectNode engine() {
        StoreSettings store = settings.store();
        if (store.isNdb()) {
            return Json.object()
                    .put("connect", store.ndbConnect())
                    .put("cluster", clusterId())
                    .put("ack", store.ndbAck())
                    .put("diskMb", store.ndbDiskMb());
        }
        if (!store.isPostgres()) {
            return Json.object()
                    .put("directory", directory.data("store").toString())
                    .put("fsync", store.fsync());
        }
        ObjectNode tree = Json.object()
                .put("jdbcUrl", store.jdbcUrl())
                .put("user", store.user().isEmpty() ? "postgres" : store.user())
                .put("cluster", clusterId());
        if (!store.passwordFile().isEmpty()) {
            tree.put("passwordFile", store.passwordFile());
        } else if (store.hasOwnPostgres() && !settings.insecure()) {
            tree.put("passwordFile", directory.databasePassword().toString());
        }
        return tree;
    }

    /** Returns an id that is constant while the cluster keeps its secret, and unique to it. */
    private String clusterId() {
        return settings.insecure()
                ? settings.fileSystem()
                : settings.fileSystem() + "-"
                        + Secret.load(directory.secret()).derive("cluster id").substring(0, 16);
    }

    private ObjectNode store(Service service, int port) {
        String label = service.label();
        ObjectNode tree = engine().put("listenAddress", LOOPBACK)
                .put("port", port)
                .put("portFile", directory.port(label).toString())
                .put("metricsAddress", LOOPBACK)
                .put("metricsPortFile", directory.port(label + "-metrics").toString())
                .put("lockWaitMillis", settings.times().all().lockWait().toMillis())
                .put(
                        "transactionLimitMillis",
                        settings.times().all().transaction().toMillis());
        if (settings.store().servers() > 1) {
            tree.put("standby", true);
        }
        return tls(identity(tree), Certificates.Role.STORE);
    }

    private ObjectNode gateway(int port) {
        ObjectNode tree = Json.object()
                .put("listenAddress", Hosts.bare(settings.listen()))
                .put("port", port)
                .put("portFile", directory.port("gateway").toString())
                .put("apiKeyFile", directory.apiKey().toString())
                .put("managementKeyFile", directory.managementKey().toString())
                .put("directory", directory.run().resolve("gateway").toString())
                .put("logsDirectory", directory.logs().resolve("instances").toString());
        tree.putObject("pool")
                .put("memoryMb", settings.pool().memoryMb())
                .put("maxInstances", settings.pool().maxInstances())
                .put("keepAliveMillis", settings.pool().keepAliveMillis())
                .put("prewarm", settings.pool().prewarm())
                .put("startConcurrency", settings.pool().startConcurrency())
                .put("stopGraceMillis", STOP_GRACE_MILLIS)
                .put("queueLimit", QUEUE_LIMIT)
                .put("queueWaitMillis", QUEUE_WAIT_MILLIS);
        tree.putObject("throttle").put("perMinute", Integer.MAX_VALUE).put("inFlight", CALLS_IN_FLIGHT);
        ObjectNode kinds = tree.putObject("kinds");
        InstanceArchive archive = InstanceArchive.of(settings);
        ObjectNode function = kinds.putObject(KIND);
        kind(function, archive.instanceCommand());
        if (settings.restoresInstances()) {
            tree.put("snapshots", InstanceArchive.images().toString());
            array(function.putArray("template"), archive.templateCommand());
        }
        if (archive.isWanted()) {
            kind(
                    kinds.putObject(TRAINING_KIND),
                    archive.recordingCommand(Training.recording(directory, "{instanceId}")));
        }
        ObjectNode doors = tree.putObject("doors");
        Service.all().stream()
                .filter(Service::isDoor)
                .forEach(each -> doors.putObject(each.label())
                        .put("pidFile", directory.pid(each.label()).toString())
                        .put("portFile", directory.port(each.label()).toString())
                        .put(
                                "metricsPortFile",
                                directory.port(each.label() + "-metrics").toString()));
        return tls(tree, Certificates.Role.GATEWAY);
    }

    private static void array(ArrayNode arguments, List<String> command) {
        command.forEach(arguments::add);
    }

    private void kind(ObjectNode kind, List<String> command) {
        array(kind.putArray("command"), command);
        kind.put("runtime", settings.isLambda() ? "lambda" : "action");
        ObjectNode environment =
                kind.putObject("environment").put("LAMBDAFS_CONF", function().toString());
        if (settings.holdsInvocations()) {
            environment.put("LAMBDAFS_MODE", "held");
        }
    }

    Path function() {
        return directory.configuration(FUNCTION);
    }

    /**
     * Writes the configuration that every instance reads on initialisation.
     *
     * @param zookeeper its connection string; empty if there is none
     */
    void writeFunction(List<Integer> storePorts, String zookeeper) {
        ObjectNode tree = Json.object()
                .put("fileSystem", settings.fileSystem())
                .put("deployments", settings.deployments())
                .put("superuser", settings.superuser())
                .put("store", servers(storePorts))
                .put("coordinator", settings.coordinator())
                .put("inv", settings.inv())
                .put("transport", settings.transport())
                .put("listenHost", LOOPBACK)
                .put("clientRanges", ClientRanges.LOOPBACK + "," + settings.clientRanges())
                .put("sameMachine", !settings.isLambda())
                .put("cpuShare", settings.instance().cpuShare())
                .put("maxInFlight", settings.instance().maxInFlight())
                .put("cacheBytes", settings.instance().cacheBytes())
                .put("smallFileLimitBytes", settings.instance().smallFileLimitBytes())
                .put("reclaimBatch", settings.instance().reclaimBatch())
                .put("reclaimParallel", settings.instance().reclaimParallel())
                .put("changeLogEntries", settings.instance().changeLogEntries())
                .put("trashMinutes", settings.instance().trashMinutes())
                .put("boostMillis", settings.instance().boostMillis())
                .put("logLevel", settings.logLevel());
        if (!zookeeper.isEmpty()) {
            tree.put("zookeeper", zookeeper)
                    .put("zookeeperProof", settings.services().contains(Service.ZOOKEEPER));
        }
        addDirect(tree);
        if (settings.distance().concernsInstances()) {
            tree.put("storeDistanceMicros", settings.distance().storeMicros())
                    .put("coordinationDistanceMicros", settings.distance().coordinationMicros());
        }
        tree.putObject("times")
                .put("ackWaitMillis", settings.times().ackWaitMillis())
                .put("leaseMillis", settings.times().leaseMillis());
        write(tls(identity(tree), Certificates.Role.INSTANCE), function());
    }

    /** Adds the stores for direct access; credentials are in the environment inherited by instances. */
    private void addDirect(ObjectNode tree) {
        BlockSettings blocks = settings.blocks();
        if (blocks.direct()) {
            ObjectNode stores = tree.put("directEndpoint", blocks.endpoint())
                    .put("directEncryption", blocks.encryption())
                    .putObject("directStores");
            blocks.placesByName().forEach(stores::put);
        }
    }

    private static String servers(List<Integer> ports) {
        return ports.stream().map(port -> Hosts.withPort(LOOPBACK, port)).collect(Collectors.joining(","));
    }

    /** Writes the configuration for clients on this machine. */
    void writeClient(int gatewayPort, Placement placement) {
        ObjectNode tree = Json.object()
                .put("schema", 1)
                .put("gateway", LocalGateway.url(settings, gatewayPort))
                .put("namespace", "_")
                .put("actionPrefix", LocalCluster.ACTION_PREFIX)
                .put("deployments", placement.deployments())
                .put("apiKeyFile", "apikey")
                .put("gatewayProof", true)
                .put("transport", settings.transport())
                .put("superuser", settings.superuser());
        Certificates.files(directory, settings, Certificates.Role.OPERATOR)
                .ifPresent(files -> tree.put("tlsCa", files.ca().toString()));
        if (placement.generation() != Placement.FIRST_GENERATION) {
            tree.put("generation", placement.generation());
        }
        Duration attempt = settings.times().all().attempt();
        if (!attempt.equals(Times.DEFAULT.attempt())) {
            tree.put("attemptMillis", attempt.toMillis());
        }
        if (settings.distance().concernsClients()) {
            tree.putObject("distance")
                    .put("tcpMicros", settings.distance().tcpMicros())
                    .put("httpMicros", settings.distance().httpMicros());
        }
        if (settings.mustThrash()) {
            tree.put("antiThrashing", true);
        }
        if (settings.holdsInvocations()) {
            tree.put("api", "lambda");
            tree.putObject("apiOptions").put("region", "local").put("mode", "held");
        } else if (settings.isLambda()) {
            // Its instances serve only within invocations.
            tree.put("tcp", false);
        }
        if (settings.insecure()) {
            tree.put("insecure", true);
        } else {
            tree.put("secretFile", "secret");
        }
        write(tree, directory.client());
    }

    /**
     * Writes the settings of a start in progress: if it is killed, or is the first and fails, the next one uses them.
     */
    void writeStarting() {
        write(Json.MAPPER.valueToTree(settings), directory.starting());
    }

    /** Writes the settings of a start that has succeeded. */
    void writeSettings() {
        write(Json.MAPPER.valueToTree(settings), directory.settings());
        dropStarting(directory);
    }

    /** Forgets a start that has ended. */
    static void dropStarting(ClusterDirectory directory) {
        try {
            Files.deleteIfExists(directory.starting());
        } catch (IOException e) {
            throw CommandFailure.ofFile("cannot remove " + directory.starting(), e);
        }
    }

    private ObjectNode tls(ObjectNode tree, Certificates.Role role) {
        Certificates.files(directory, settings, role).ifPresent(files -> {
            TlsFiles.Own own = files.own().orElseThrow();
            tree.put("tlsCa", files.ca().toString())
                    .put("tlsCertificate", own.certificate().toString())
                    .put("tlsKey", own.key().toString());
        });
        return tree;
    }

    private ObjectNode identity(ObjectNode tree) {
        return settings.insecure()
                ? tree.put("insecure", true)
                : tree.put("secretFile", directory.secret().toString());
    }

    private static void write(com.fasterxml.jackson.databind.JsonNode tree, Path file) {
        try {
            Json.write(tree, file);
        } catch (IOException e) {
            throw CommandFailure.ofFile("cannot write " + file, e);
        }
    }
}
