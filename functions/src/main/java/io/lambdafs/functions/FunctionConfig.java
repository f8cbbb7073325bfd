package io.lambdafs.functions;

import io.lambdafs.functions.serving.ClientRanges;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Placement;
import io.lambdafs.model.Times;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.objects.ObjectPlace;
import io.lambdafs.rpc.tls.TlsFiles;
import io.lambdafs.rpc.transports.TransportKind;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an instance must know, the same for all instances of a file system. Read from a JSON file by {@link FunctionConfigReader}, whose
 * keys are named here. Validated; immutable.
 *
 * @param fileSystem {@code fileSystem}: its name, which keeps several apart in one coordinator
 * @param deployments {@code deployments}: n to format with; once there is a file system, its store says how many it has
 * @param superuser {@code superuser}: the user that passes every permission check
 * @param endpoints where the other parts are
 * @param coordination how instances know of each other and send INVs
 * @param secretFile {@code secretFile}: path of the cluster's secret; null only where insecure
 * @param insecure {@code insecure}: identities are believed, not checked
 * @param limits what the instance may use
 * @param times {@code times}: the protocol's waits, {@code ackWaitMillis} and so on
 * @param logLevel {@code logLevel}: of the process's log: TRACE, DEBUG, INFO, WARN or ERROR
 * @param direct the object stores that clients write and read themselves
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
        Direct direct) {

    /** One in which datanodes write and read all blocks. */
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
                Direct.NONE);
    }

    /**
     * Object stores whose URLs instances sign, with credentials of their environment.
     *
     * @param stores {@code directStores}: places like {@code s3://BUCKET/PREFIX} by the names of block stores
     * @param endpoint {@code directEndpoint}: of stores other than Amazon's; empty for Amazon's
     * @param encryption {@code directEncryption}: what they encrypt with; empty for what the bucket says
     */
    public record Direct(Map<String, String> stores, String endpoint, String encryption) {
        public static final Direct NONE = new Direct(Map.of(), "", "");

        public Direct {
            stores = Map.copyOf(stores);
            for (String place : stores.values()) {
                try {
                    ObjectPlace.of(place);
                } catch (IllegalArgumentException e) {
                    throw new FsException(
                            ErrorCode.INVALID_ARGUMENT, "configuration: \"directStores\": " + e.getMessage(), e);
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
     * @param store {@code host:port} of the store server, or of several, of which one serves
     * @param listenHost {@code listenHost}: where the instance listens, for its platform and for other instances
     * @param advertisedHost {@code advertisedHost}: under which other instances reach it
     * @param sameMachine {@code sameMachine}: all instances run on this machine, in one network namespace, so that one which refuses
     *     connections is known to have gone; leave it out anywhere else
     * @param clientRanges {@code clientRanges}: the ranges of addresses at which clients may have themselves dialled, like {@code
     *     10.0.0.0/8,fd00::/8}, beside the one that the platform saw their call come from; loopback where the instance listens there, else
     *     none, unless given
     * @param tls {@code tlsCa}, {@code tlsCertificate}, {@code tlsKey}: PEM files of what it speaks with all of them; none for no TLS
     */
    public record Endpoints(
            String store,
            String listenHost,
            String advertisedHost,
            boolean sameMachine,
            ClientRanges clientRanges,
            Optional<TlsFiles> tls) {
        /** With the clients that an instance has which listens there. */
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
     * How instances know of each other.
     *
     * @param keeper {@code coordinator}: {@code zookeeper} or {@code store}, which keeps members, leases and letters
     * @param zookeeper {@code zookeeper}: its connection string; empty where the store coordinates
     * @param zookeeperProof {@code zookeeperProof}: whether ZooKeeper must prove to have the cluster's secret before it is sent anything, as the
     *     one that λFS starts can; true unless given
     * @param inv {@code inv}: {@code direct} or {@code relayed}
     * @param transport {@code transport}: {@code netty} or {@code kryonet}, what direct INVs go over; the same for all instances.
     *     Clients say themselves what they have
     */
    public record Coordination(
            Keeper keeper, String zookeeper, boolean zookeeperProof, Inv inv, TransportKind transport) {
        /** What keeps the members. */
        public enum Keeper {
            ZOOKEEPER,
            STORE
        }

        /** How INVs and ACKs travel. */
        public enum Inv {
            /** From instance to instance, and by relay as a second try. */
            DIRECT,
            /** Through the coordinator alone: for platforms that do not let instances reach each other. */
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
     * Bounds.
     *
     * @param cpuShare {@code cpuShare}: virtual CPUs, 0 for no limit
     * @param cacheBytes {@code cacheBytes}: of the metadata cache, at least 65536, or 0 for none
     * @param smallFileLimitBytes {@code smallFileLimitBytes}: longest content kept with the metadata
     * @param maxInFlight {@code maxInFlight}: operations at once
     * @param eventLoops {@code eventLoops}: threads that move bytes and answer from the cache; one for each virtual CPU where it is not
     *     given, and one where {@code cpuShare} has no limit: a request, the store's answer to it and its reply stay on a thread
     *     then, and what uses further processors is further instances
     * @param workers {@code workers}: threads for what waits on store and coordinator
     * @param reclaimBatch {@code reclaimBatch}: entries of a removed directory that one transaction takes
     * @param reclaimParallel {@code reclaimParallel}: such transactions under way at once
     * @param changeLogEntries {@code changeLogEntries}: entries of the change log that are kept, at least 1000, or 0 for no change log;
     *     the same for all instances
     * @param trashMinutes {@code trashMinutes}: for so long what is in a user's {@code .Trash} stays at least; 0 for ever
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
            int trashMinutes) {
        static final int MAX_LOOPS = 256;
        public static final Limits DEFAULT = new Limits(0, 64L << 20, 64 << 10, 4_096, 1, 4, 512, 4, 0, 0);

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

    /** The same, with another address for other instances. */
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
                direct);
    }

    static void check(boolean holds, String key, String expected) {
        if (!holds) {
            throw new FsException(
                    ErrorCode.INVALID_ARGUMENT, "configuration: \"" + key + "\" must be " + expected + "; correct it");
        }
    }
}
