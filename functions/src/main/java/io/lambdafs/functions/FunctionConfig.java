package io.lambdafs.functions;

import io.lambdafs.functions.serving.ClientRanges;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.objects.ObjectPlace;
import io.lambdafs.rpc.tls.TlsFiles;
import io.lambdafs.rpc.transports.TransportKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of an instance, the same for all instances of a file system. Read from JSON by {@link
 * FunctionConfigReader}; the keys are documented here. Validated; immutable.
 *
 * @param fileSystem {@code fileSystem}: its name, which separates file systems that share a coordinator
 * @param deployments {@code deployments}: the number to format with; an existing file system's number is in its store
 * @param superuser {@code superuser}: the user that passes every permission check
 * @param endpoints addresses of the other services
 * @param coordination how instances learn of each other and send INVs
 * @param secretFile {@code secretFile}: path of the cluster's secret; null only if insecure
 * @param insecure {@code insecure}: trust claimed identities without proof
 * @param limits resource limits of the instance
 * @param times {@code times}: the protocol's time limits, {@code ackWaitMillis} and so on
 * @param logLevel {@code logLevel}: of the process's log: TRACE, DEBUG, INFO, WARN or ERROR
 * @param direct the object stores that clients access directly
 * @param distance emulated, for experiments
 */
public record FunctionConfig(
        String fileSystem,
        int deployments,
        String superuser,
        Endpoints endpoints,
        Coordination coordination,
        @Nullable Path secretFile,
        boolean insecure,
        Limits limits,
        Times times,
        String logLevel,
        Direct direct,
        Distance distance) {

    /** A configuration in which all block I/O goes through datanodes, on links as they are. */
    public FunctionConfig(
            String fileSystem,
            int deployments,
            String superuser,
            Endpoints endpoints,
            Coordination coordination,
            @Nullable Path secretFile,
            boolean insecure,
            Limits limits,
            Times times,
            String logLevel) {
        this(
                fileSystem,
                deployments,
                superuser,
                endpoints,
                coordination,
                secretFile,
                insecure,
                limits,
                times,
                logLevel,
                Direct.NONE,
                Distance.NONE);
    }

    /**
     * Round trips added to what the machine's own links take, to emulate a distance. Zero for none.
     *
     * @param store {@code storeDistanceMicros}: to the store
     * @param coordination {@code coordinationDistanceMicros}: of an INV and its ACK. ZooKeeper's own messages, on joining and
     *     leaving, are not delayed
     */
    public record Distance(Duration store, Duration coordination) {
        /** Above {@link #NONE}, which needs it. */
        private static final Duration MOST = Duration.ofSeconds(1);

        public static final Distance NONE = new Distance(Duration.ZERO, Duration.ZERO);

        public Distance {
            check(store.compareTo(MOST) <= 0, "storeDistanceMicros", "0..1000000");
            check(coordination.compareTo(MOST) <= 0, "coordinationDistanceMicros", "0..1000000");
        }
    }

    /**
     * Object stores for which instances presign URLs, with credentials from their environment.
     *
     * @param stores {@code directStores}: locations like {@code s3://BUCKET/PREFIX}, by block store name
     * @param endpoint {@code directEndpoint}: of stores other than Amazon's; empty for Amazon's
     * @param encryption {@code directEncryption}: server-side encryption; empty for the bucket's default
     */
    public record Direct(Map<String, String> stores, String endpoint, String encryption) {
        public static final Direct NONE = new Direct(Map.of(), "", "");

        public Direct {
            stores = Map.copyOf(stores);
            for (String place : stores.values()) {
                try {
                    ObjectPlace.of(place);
                } catch (IllegalArgumentException e) {
                    throw FsException.invalidArgument("configuration: \"directStores\": " + e.getMessage(), e);
                }
            }
            check(
                    endpoint.isEmpty() || endpoint.matches("https?://[^\\s/]+"),
                    "directEndpoint",
                    "http://HOST[:PORT] or https://HOST[:PORT]");
        }
    }

    /**
     * Addresses.
     *
     * @param store {@code host:port} of the store server, or of several of which one is active
     * @param listenHost {@code listenHost}: where the instance listens, for its platform and for other instances
     * @param advertisedHost {@code advertisedHost}: address at which other instances reach it
     * @param sameMachine {@code sameMachine}: all instances run on this machine, in one network namespace, so a refused
     *     connection proves that an instance is gone; omit it anywhere else
     * @param clientRanges {@code clientRanges}: address ranges, like {@code 10.0.0.0/8,fd00::/8}, that clients may ask
     *     to be dialled at, in addition to their call's source address as seen by the platform; by default loopback if
     *     the instance listens there, else none
     * @param tls {@code tlsCa}, {@code tlsCertificate}, {@code tlsKey}: PEM files for TLS with all peers; absent for no
     *     TLS
     */
    public record Endpoints(
            String store,
            String listenHost,
            String advertisedHost,
            boolean sameMachine,
            ClientRanges clientRanges,
            Optional<TlsFiles> tls) {
        /** Endpoints with the default client ranges for the listen address. */
        public Endpoints(
                String storeHost, int storePort, String listenHost, String advertisedHost, boolean sameMachine) {
            this(
                    Hosts.withPort(storeHost, storePort),
                    listenHost,
                    advertisedHost,
                    sameMachine,
                    ClientRanges.beside(listenHost),
                    Optional.empty());
        }

        public Endpoints {
            check(Hosts.areAddresses(store), "store", "host:port[,host:port…]");
            check(!listenHost.isEmpty(), "listenHost", "a host");
            check(!advertisedHost.isEmpty(), "advertisedHost", "a host");
        }

        private Endpoints withAdvertisedHost(String host) {
            return new Endpoints(store, listenHost, host, sameMachine, clientRanges, tls);
        }
    }

    /**
     * How instances learn of each other and exchange INVs.
     *
     * @param keeper {@code coordinator}: {@code zookeeper} or {@code store}, which keeps members, leases and letters
     * @param zookeeper {@code zookeeper}: its connection string; empty if the store coordinates
     * @param zookeeperProof {@code zookeeperProof}: whether ZooKeeper must first prove knowledge of the cluster's
     *     secret, as the one started by λFS can; true by default
     * @param inv {@code inv}: {@code direct} or {@code relayed}
     * @param transport {@code transport}: {@code netty} or {@code kryonet}, the transport for direct INVs, the same for
     *     all instances. Clients state their own
     */
    public record Coordination(
            Keeper keeper, String zookeeper, boolean zookeeperProof, Inv inv, TransportKind transport) {
        /** By the store, with direct INVs: all of it within one process, if its store is. */
        public static final Coordination BY_STORE =
                new Coordination(Keeper.STORE, "", false, Inv.DIRECT, TransportKind.NETTY);

        /** The service that keeps the membership. */
        public enum Keeper {
            ZOOKEEPER,
            STORE
        }

        /** How INVs and ACKs travel. */
        public enum Inv {
            /** From instance to instance, with the relay as fallback. */
            DIRECT,
            /** Through the coordinator only: for platforms where instances cannot reach each other. */
            RELAYED
        }

        public Coordination {
            check(
                    keeper == Keeper.STORE || !zookeeper.isEmpty(),
                    "zookeeper",
                    "a connection string like host:port, unless \"coordinator\" is \"store\"");
        }
    }

    /**
     * Resource limits.
     *
     * @param cpuShare {@code cpuShare}: virtual CPUs, 0 for no limit
     * @param cacheBytes {@code cacheBytes}: of the metadata cache, at least 65536, or 0 for none
     * @param smallFileLimitBytes {@code smallFileLimitBytes}: maximum content stored with the metadata
     * @param maxInFlight {@code maxInFlight}: maximum concurrent operations
     * @param eventLoops {@code eventLoops}: threads for network I/O and cache hits; by default one per virtual CPU, or
     *     one if {@code cpuShare} is unlimited: a request, the store's answer and the reply then stay on one thread,
     *     and further instances use further processors
     * @param workers {@code workers}: threads for work that waits on store and coordinator
     * @param reclaimBatch {@code reclaimBatch}: entries of a removed directory reclaimed per transaction
     * @param reclaimParallel {@code reclaimParallel}: such transactions at once
     * @param changeLogEntries {@code changeLogEntries}: change log entries kept, at least 1000, or 0 for no change log;
     *     the same for all instances
     * @param trashMinutes {@code trashMinutes}: minimum retention in users' {@code .Trash}; 0 for unlimited
     * @param boostMillis {@code boostMillis}: CPU time beyond its share that a new instance may use, once, to load and
     *     compile its code
     */
    public record Limits(
            double cpuShare,
            long cacheBytes,
            int smallFileLimitBytes,
            int maxInFlight,
            int eventLoops,
            int workers,
            int reclaimBatch,
            int reclaimParallel,
            int changeLogEntries,
            int trashMinutes,
            int boostMillis) {
        static final int MAX_LOOPS = 256;
        public static final Limits DEFAULT = new Limits(0, 64L << 20, 64 << 10, 4_096, 1, 4, 512, 4, 0, 0, 1_000);

        public Limits {
            check(cpuShare >= 0 && cpuShare <= 1_024, "cpuShare", "0..1024");
            check(cacheBytes >= 64 << 10 || cacheBytes == 0, "cacheBytes", "0 or at least 65536");
            check(smallFileLimitBytes >= 0 && smallFileLimitBytes <= 512 << 10, "smallFileLimitBytes", "0..524288");
            check(maxInFlight >= 1 && maxInFlight <= 1 << 19, "maxInFlight", "1..524288");
            check(eventLoops >= 1 && eventLoops <= MAX_LOOPS, "eventLoops", "1.." + MAX_LOOPS);
            check(workers >= 1 && workers <= 1_024, "workers", "1..1024");
            check(reclaimBatch >= 16 && reclaimBatch <= 4_096, "reclaimBatch", "16..4096");
            check(reclaimParallel >= 1 && reclaimParallel <= 64, "reclaimParallel", "1..64");
            check(changeLogEntries >= 1_000 || changeLogEntries == 0, "changeLogEntries", "0 or at least 1000");
            check(trashMinutes >= 0, "trashMinutes", "0 or more");
            check(boostMillis >= 0 && boostMillis <= 60_000, "boostMillis", "0..60000");
        }
    }

    public FunctionConfig {
        check(
                !fileSystem.isEmpty() && fileSystem.matches("[A-Za-z0-9._-]{1,64}"),
                "fileSystem",
                "1..64 of A-Z a-z 0-9 . _ -");
        check(deployments >= 1 && deployments <= Placement.MAX_DEPLOYMENTS, "deployments", "1..1024");
        check(!superuser.isEmpty(), "superuser", "a user's name");
        check(insecure || secretFile != null, "secretFile", "a path, unless \"insecure\" is true");
        check(
                endpoints.tls().isEmpty() || coordination.transport() == TransportKind.NETTY,
                "transport",
                "netty where there is TLS, which KryoNet has not");
        check(logLevel.matches("TRACE|DEBUG|INFO|WARN|ERROR"), "logLevel", "one of TRACE, DEBUG, INFO, WARN, ERROR");
    }

    /** Returns a copy with another advertised host. */
    public FunctionConfig withAdvertisedHost(String host) {
        return new FunctionConfig(
                fileSystem,
                deployments,
                superuser,
                endpoints.withAdvertisedHost(host),
                coordination,
                secretFile,
                insecure,
                limits,
                times,
                logLevel,
                direct,
                distance);
    }

    /** Returns a copy with another CPU share. */
    public FunctionConfig withCpuShare(double share) {
        Limits other = new Limits(
                share,
                limits.cacheBytes(),
                limits.smallFileLimitBytes(),
                limits.maxInFlight(),
                limits.eventLoops(),
                limits.workers(),
                limits.reclaimBatch(),
                limits.reclaimParallel(),
                limits.changeLogEntries(),
                limits.trashMinutes(),
                limits.boostMillis());
        return new FunctionConfig(
                fileSystem,
                deployments,
                superuser,
                endpoints,
                coordination,
                secretFile,
                insecure,
                other,
                times,
                logLevel,
                direct,
                distance);
    }

    static void check(boolean holds, String key, String expected) {
        if (!holds) {
            throw FsException.invalidArgument("configuration: \"" + key + "\" must be " + expected + "; correct it");
        }
    }
}
