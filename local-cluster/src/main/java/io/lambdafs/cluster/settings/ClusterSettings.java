package io.lambdafs.cluster.settings;

import static io.lambdafs.cluster.settings.SettingsCheck.check;
import static io.lambdafs.cluster.settings.SettingsCheck.isEnsemble;
import static io.lambdafs.cluster.settings.SettingsCheck.isLoopback;

import io.lambdafs.functions.serving.ClientRanges;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.tracing.Tracing;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The settings of a local cluster: the content of {@code cluster.json} and of a {@code --conf} file, in which every key
 * is optional. Validated; immutable.
 *
 * @param schema 1
 * @param fileSystem name, which separates file systems in one ZooKeeper; fixed when the file system is formatted
 * @param deployments n, 1–1,024; once the file system is formatted, only {@code lambdafs cluster resize} changes it
 * @param superuser passes every permission check; the user who starts the cluster for the first time
 * @param listen host or address that the gateway listens on; ZooKeeper, store and instances stay on loopback, because
 *     only processes of this machine use them
 * @param coordinator {@code zookeeper}, or {@code store}: then no ZooKeeper is started
 * @param zookeeper an external ensemble, {@code host:port,host:port…}, used but neither started nor stopped; empty for
 *     the cluster's own server, or if the store coordinates
 * @param inv {@code direct}, from instance to instance with the relay as fallback; or {@code relayed}, through the
 *     coordinator only
 * @param transport {@code netty} or {@code kryonet}, between clients and instances, and among instances
 * @param clientRanges address ranges, {@code 10.0.0.0/8,fd00::/8}, that clients may ask instances to dial, in addition
 *     to this machine's and a call's source address as seen by the gateway
 * @param tls whether and with which files connections are encrypted and services authenticated
 * @param insecure trust claimed identities without proof
 * @param ports of the services
 * @param pool limits of the gateway's pool
 * @param instance limits of an instance
 * @param store settings of the metadata store
 * @param blocks settings of block storage
 * @param doors to other wires
 * @param times time limits of the protocol
 * @param distance emulated between the processes, for experiments
 * @param logLevel TRACE, DEBUG, INFO, WARN or ERROR
 */
public record ClusterSettings(
        int schema,
        String fileSystem,
        int deployments,
        String superuser,
        String listen,
        String coordinator,
        String zookeeper,
        String inv,
        String transport,
        String clientRanges,
        EncryptionSettings tls,
        boolean insecure,
        PortSettings ports,
        PoolSettings pool,
        InstanceSettings instance,
        StoreSettings store,
        BlockSettings blocks,
        DoorSettings doors,
        WaitSettings times,
        DistanceSettings distance,
        String logLevel) {
    static final int SCHEMA = 1;

    private static final int DEPLOYMENTS = 4;
    private static final int MEMORY_MB = 256;
    private static final int MAX_INSTANCES = 4;
    private static final double CPU_SHARE = 0.15;
    private static final int BOOST_MILLIS = 1_000;

    public ClusterSettings {
        check(schema == SCHEMA, "schema", String.valueOf(SCHEMA), schema);
        check(
                fileSystem.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}"),
                "fileSystem",
                "1..64 of A-Z a-z 0-9 . _ -",
                fileSystem);
        check(
                deployments >= 1 && deployments <= Placement.MAX_DEPLOYMENTS,
                "deployments",
                "1.." + Placement.MAX_DEPLOYMENTS,
                deployments);
        check(!superuser.isBlank(), "superuser", "a user's name", superuser);
        check(!listen.isBlank(), "listen", "a host name or address", listen);
        check(coordinator.matches("zookeeper|store"), "coordinator", "zookeeper or store", coordinator);
        check(zookeeper.isEmpty() || isEnsemble(zookeeper), "zookeeper", "host:port[,host:port…], or empty", zookeeper);
        check(
                zookeeper.isEmpty() || coordinator.equals("zookeeper"),
                "zookeeper",
                "empty where the store coordinates",
                zookeeper);
        check(
                tls.plainBeyondLoopback() || isOnLoopback(zookeeper),
                "zookeeper",
                "on this machine alone, like 127.0.0.1:2181, for the ensemble is sent a password in clear, unless, for"
                        + " a network that is trusted, tls.plainBeyondLoopback is true",
                zookeeper);
        check(inv.matches("direct|relayed"), "inv", "direct or relayed", inv);
        check(transport.matches("netty|kryonet"), "transport", "netty or kryonet", transport);
        check(
                distance.equals(DistanceSettings.NONE) || transport.equals("netty"),
                "transport",
                "netty where a distance is emulated",
                transport);
        check(isRanges(clientRanges), "clientRanges", "ranges like 10.0.0.0/8,fd00::/8, or empty", clientRanges);
        check(
                !tls.enabled() || transport.equals("netty"),
                "transport",
                "netty where tls.enabled is true: KryoNet has no TLS",
                transport);
        check(
                tls.enabled() || tls.plainBeyondLoopback() || isLoopback(Hosts.bare(listen)),
                "listen",
                "an address of this machine alone, like 127.0.0.1, unless tls.enabled (--tls) or, for a network that is"
                        + " trusted, tls.plainBeyondLoopback is true",
                listen);
        check(
                instance.runtime().equals("action")
                        || (coordinator.equals("store") && inv.equals("relayed") && instance.concurrency() == 1),
                "instance.runtime",
                "action unless coordinator is store, inv relayed and instance.concurrency 1: Lambda's instances take no"
                        + " connections and one call at a time",
                instance.runtime());
        check(
                instance.memoryMb() <= pool.memoryMb(),
                "pool.memoryMb",
                "at least instance.memoryMb, " + instance.memoryMb(),
                pool.memoryMb());
        check(
                logLevel.matches("TRACE|DEBUG|INFO|WARN|ERROR"),
                "logLevel",
                "TRACE, DEBUG, INFO, WARN or ERROR",
                logLevel);
    }

    /** Returns the defaults for this user and machine. */
    public static ClusterSettings defaults() {
        return defaults(System.getProperty("user.name", "lambdafs"), Machine.own());
    }

    /**
     * Returns the defaults: 4 deployments of up to 4 instances of 256 MB and 0.15 of a virtual CPU, or as many as half
     * of the machine's memory holds.
     */
    public static ClusterSettings defaults(String user, Machine machine) {
        int prewarm = 1;
        long affordable = Math.max(2 * DEPLOYMENTS, machine.memoryMb() / 2 / MEMORY_MB);
        long instances = Math.min(DEPLOYMENTS * MAX_INSTANCES + prewarm, affordable);
        return new ClusterSettings(
                SCHEMA,
                "lambdafs",
                DEPLOYMENTS,
                user,
                Hosts.loopback(),
                "zookeeper",
                "",
                "direct",
                "netty",
                "",
                new EncryptionSettings(false, "", "", "", false),
                false,
                new PortSettings(0, 0, 0, 0, 0, 0, 0, 0, 0),
                new PoolSettings(
                        (int) instances * MEMORY_MB,
                        MAX_INSTANCES,
                        8_000,
                        prewarm,
                        Math.max(1, machine.processors() / 2)),
                new InstanceSettings(
                        MEMORY_MB,
                        CPU_SHARE,
                        4,
                        128,
                        40 << 20,
                        64 << 10,
                        512,
                        4,
                        0,
                        0,
                        BOOST_MILLIS,
                        true,
                        true,
                        "",
                        "action"),
                new StoreSettings("embedded", "", "", "", "", 256, 0, 1, "replicated", true, 384, "both", 1, ""),
                new BlockSettings(1, "", Map.of(), "", "", false, 4_096, 256, 360),
                new DoorSettings("", 1, "simple", "/"),
                new WaitSettings(1_000, 1_800),
                DistanceSettings.NONE,
                "INFO");
    }

    /** Returns the settings with another number of deployments. */
    public ClusterSettings withDeployments(int number) {
        return new ClusterSettings(
                schema,
                fileSystem,
                number,
                superuser,
                listen,
                coordinator,
                zookeeper,
                inv,
                transport,
                clientRanges,
                tls,
                insecure,
                ports,
                pool,
                instance,
                store,
                blocks,
                doors,
                times,
                distance,
                logLevel);
    }

    /** Returns whether instances are frozen between calls. */
    public boolean isLambda() {
        return !instance.runtime().equals("action");
    }

    /** Returns whether instances may be restored from an image, which knows no exporter of spans. */
    public boolean restoresInstances() {
        return instance.snapshots() && !isLambda() && !Tracing.isAsked();
    }

    /** Returns whether invocations are held open to serve by TCP. */
    public boolean holdsInvocations() {
        return instance.runtime().equals("lambda-held");
    }

    /**
     * Returns whether the pool is too small for an instance of each deployment, so that calling all of them evicts
     * some.
     */
    public boolean mustThrash() {
        return pool.memoryMb() / instance.memoryMb() < deployments;
    }

    /** Returns the services of such a cluster. */
    public List<Service> services() {
        return Service.all().stream()
                .filter(service -> switch (service.kind()) {
                    case ZOOKEEPER -> coordinator.equals("zookeeper") && zookeeper.isEmpty();
                    case POSTGRES -> store.hasOwnPostgres();
                    case NDB -> store.hasOwnNdb();
                    case DATANODE ->
                        service.number() <= blocks.datanodes() * blocks.places().size();
                    case STORE -> service.number() <= store.servers();
                    case GATEWAY -> true;
                    case HDFS, WEBHDFS, S3 -> doors.has(service);
                })
                .toList();
    }

    /** Returns whether all servers of an ensemble, if any, are on loopback. */
    private static boolean isOnLoopback(String ensemble) {
        return ensemble.isEmpty()
                || Arrays.stream(ensemble.split(","))
                        .map(server -> server.substring(0, server.lastIndexOf(':')))
                        .allMatch(host -> isLoopback(Hosts.bare(host)));
    }

    private static boolean isRanges(String text) {
        try {
            ClientRanges.parse(text);
            return true;
        } catch (FsException malformed) {
            return false;
        }
    }
}
