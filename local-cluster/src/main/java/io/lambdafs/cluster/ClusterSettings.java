package io.lambdafs.cluster;

import io.lambdafs.functions.serving.ClientRanges;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Placement;
import io.lambdafs.model.StoragePolicies;
import io.lambdafs.model.Times;
import io.lambdafs.rpc.Hosts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a local cluster is made of: the content of {@code cluster.json}, and of a {@code --conf} file, where every key may be left out.
 * Validated; immutable.
 *
 * @param schema 1
 * @param fileSystem name, which keeps several apart in one ZooKeeper; fixed when the file system is formatted
 * @param deployments n, 1–1,024; once the file system is formatted, only {@code lambdafs cluster resize} changes it
 * @param superuser passes every permission check; the user who starts the cluster for the first time
 * @param listen host or address that the gateway listens on; ZooKeeper, store and instances stay on loopback, for only processes of
 *     this machine use them
 * @param coordinator {@code zookeeper}, or {@code store}: then no ZooKeeper is started
 * @param zookeeper an ensemble of somebody else's, {@code host:port,host:port…}, which is used and neither started nor stopped; empty
 *     for a server of the cluster's own, and where the store coordinates
 * @param inv {@code direct}, from instance to instance and by relay where that is not answered; or {@code relayed}, through the
 *     coordinator alone
 * @param transport {@code netty} or {@code kryonet}: what connections between clients and instances, and among instances, are of
 * @param clientRanges ranges of addresses, {@code 10.0.0.0/8,fd00::/8}, at which clients may have instances dial them, beside this machine's
 *     own and the one that the gateway saw their call come from
 * @param tls whether and by which files connections are encrypted, and services prove themselves
 * @param insecure identities are believed, not checked
 * @param ports where services listen
 * @param pool what the gateway may start
 * @param instance what one instance may use
 * @param store how rows are kept
 * @param blocks where the content of files that are not small is kept
 * @param times waits of the protocol
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
        Encryption tls,
        boolean insecure,
        Ports ports,
        Pool pool,
        Instance instance,
        Store store,
        Blocks blocks,
        Waits times,
        String logLevel) {
    static final int SCHEMA = 1;

    private static final int DEPLOYMENTS = 4;
    private static final int MEMORY_MB = 256;
    private static final int MAX_INSTANCES = 4;
    private static final double CPU_SHARE = 0.15;

    /**
     * TLS on all connections. Without files of one's own a CA and certificates are made in the cluster's directory.
     *
     * @param enabled whether there is TLS
     * @param ca PEM file of the CA that is trusted; empty for the cluster's own
     * @param certificate PEM file of what all services show, which names the addresses that they listen on and {@code
     *     instance.lambdafs.internal}; empty where the CA's is
     * @param key PEM file of its key; empty where the CA's is
     * @param plainBeyondLoopback whether the gateway may listen for other machines without TLS, and an ensemble of ZooKeeper servers be on
     *     others, which is never spoken to with TLS
     */
    public record Encryption(boolean enabled, String ca, String certificate, String key, boolean plainBeyondLoopback) {
        public Encryption {
            check(
                    ca.isEmpty() == certificate.isEmpty() && ca.isEmpty() == key.isEmpty(),
                    "tls.certificate",
                    "given together with tls.ca and tls.key, or empty like them",
                    certificate);
        }

        /** Whether CA and certificates are the cluster's own. */
        boolean isOwn() {
            return ca.isEmpty();
        }
    }

    /** Ports, 0 for any free one, which is kept over restarts while nothing else takes it. */
    public record Ports(int gateway, int store, int postgres, int ndb, int zookeeper, int datanode) {
        public Ports {
            check(
                    isPort(datanode) && isPort(datanode + Service.MOST_DATANODES),
                    "ports.datanode",
                    "0.." + (65_535 - Service.MOST_DATANODES),
                    datanode);
            check(isPort(gateway), "ports.gateway", "0..65535", gateway);
            check(
                    isPort(store) && isPort(store + Service.MOST_STORES),
                    "ports.store",
                    "0.." + (65_535 - Service.MOST_STORES),
                    store);
            check(isPort(postgres), "ports.postgres", "0..65535", postgres);
            check(isPort(ndb), "ports.ndb", "0..65535", ndb);
            check(isPort(zookeeper), "ports.zookeeper", "0..65535", zookeeper);
        }

        /** The first one's is the setting; the next ones follow it. */
        int store(int number) {
            return store == 0 ? 0 : store + Math.max(0, number - 1);
        }

        /** The first one's is the setting; the next ones follow it. */
        int datanode(int number) {
            return datanode == 0 ? 0 : datanode + number - 1;
        }
    }

    /**
     * The bounds of the gateway's pool.
     *
     * @param memoryMb what all instances together are charged with
     * @param maxInstances of one deployment; 1 switches scaling off
     * @param keepAliveMillis how long an instance that no HTTP request reaches stays
     * @param prewarm processes kept started for the next instance
     * @param startConcurrency instances starting at once
     */
    public record Pool(int memoryMb, int maxInstances, long keepAliveMillis, int prewarm, int startConcurrency) {
        public Pool {
            check(memoryMb >= 1, "pool.memoryMb", "at least 1", memoryMb);
            check(maxInstances >= 1 && maxInstances <= 1_000, "pool.maxInstances", "1..1000", maxInstances);
            check(keepAliveMillis >= 100, "pool.keepAliveMillis", "at least 100", keepAliveMillis);
            check(prewarm >= 0 && prewarm <= 100, "pool.prewarm", "0..100", prewarm);
            check(
                    startConcurrency >= 1 && startConcurrency <= 100,
                    "pool.startConcurrency",
                    "1..100",
                    startConcurrency);
        }
    }

    /**
     * The bounds of an instance.
     *
     * @param memoryMb charged against the pool, and billed
     * @param cpuShare virtual CPUs, 0 for no limit
     * @param concurrency HTTP requests that it serves at once: the paper's ConcurrencyLevel (§3.4)
     * @param maxInFlight operations under way at once, by HTTP and TCP: what exceeds it is refused and comes back by HTTP
     * @param cacheBytes of its metadata cache; 0 for none
     * @param smallFileLimitBytes longest content kept with the metadata
     * @param reclaimBatch entries of a removed directory that one transaction takes
     * @param reclaimParallel such transactions under way at once
     * @param changeLogEntries entries of the change log that are kept; 0 for no change log
     * @param trashMinutes for so long what is in a user's trash stays at least; 0 for ever
     * @param jdk home of the JDK that runs it; empty for the one that the cluster is started with
     * @param runtime {@code action}, OpenWhisk's protocol; or {@code lambda}, AWS Lambda's: one invocation at a time, frozen in between; or {@code
     *     lambda-held}, the same with invocations that stay to serve by TCP
     */
    public record Instance(
            int memoryMb,
            double cpuShare,
            int concurrency,
            int maxInFlight,
            long cacheBytes,
            int smallFileLimitBytes,
            int reclaimBatch,
            int reclaimParallel,
            int changeLogEntries,
            int trashMinutes,
            String jdk,
            String runtime) {
        public Instance {
            check(memoryMb >= 96, "instance.memoryMb", "at least 96", memoryMb);
            check(
                    runtime.matches("action|lambda|lambda-held"),
                    "instance.runtime",
                    "action, lambda or lambda-held",
                    runtime);
            check(cpuShare >= 0 && cpuShare <= 1_024, "instance.cpuShare", "0..1024", cpuShare);
            check(concurrency >= 1 && concurrency <= 10_000, "instance.concurrency", "1..10000", concurrency);
            check(maxInFlight >= 1 && maxInFlight <= 1 << 19, "instance.maxInFlight", "1..524288", maxInFlight);
            check(cacheBytes >= 64 << 10 || cacheBytes == 0, "instance.cacheBytes", "0 or at least 65536", cacheBytes);
            check(
                    smallFileLimitBytes >= 0 && smallFileLimitBytes <= 512 << 10,
                    "instance.smallFileLimitBytes",
                    "0..524288",
                    smallFileLimitBytes);
            check(reclaimBatch >= 16 && reclaimBatch <= 4_096, "instance.reclaimBatch", "16..4096", reclaimBatch);
            check(reclaimParallel >= 1 && reclaimParallel <= 64, "instance.reclaimParallel", "1..64", reclaimParallel);
            check(
                    changeLogEntries >= 1_000 || changeLogEntries == 0,
                    "instance.changeLogEntries",
                    "0 or at least 1000",
                    changeLogEntries);
            check(trashMinutes >= 0, "instance.trashMinutes", "0 or more", trashMinutes);
        }

        /** Whether its share is limited to less than one processor. */
        boolean hasPartOfProcessor() {
            return cpuShare > 0 && cpuShare < 1;
        }
    }

    /**
     * The protocol's waits that depend on how busy the machine is; the others are fixed.
     *
     * @param ackWaitMillis how long a writer waits for an acknowledgement before it fences
     * @param leaseMillis how long an instance may answer from its cache after a renewal
     */
    public record Waits(long ackWaitMillis, long leaseMillis) {
        private static final long LONGEST_MILLIS = 60_000;

        public Waits {
            check(isWait(ackWaitMillis), "times.ackWaitMillis", "1.." + LONGEST_MILLIS, ackWaitMillis);
            check(isWait(leaseMillis), "times.leaseMillis", "1.." + LONGEST_MILLIS, leaseMillis);
            nested(Times.DEFAULT, ackWaitMillis, leaseMillis);
        }

        private static boolean isWait(long millis) {
            return millis >= 1 && millis <= LONGEST_MILLIS;
        }

        /** Instances assert the same when they start; here who chooses the waits is told. */
        private static void nested(Times others, long ackWaitMillis, long leaseMillis) {
            try {
                new Times(
                        Duration.ofMillis(ackWaitMillis),
                        Duration.ofMillis(leaseMillis),
                        others.drift(),
                        others.session(),
                        others.lockWait(),
                        others.transaction(),
                        others.attempt(),
                        others.deadline(),
                        others.slotLife());
            } catch (FsException e) {
                throw new FsException(
                        e.code(), "the setting \"times.leaseMillis\" or \"times.ackWaitMillis\": " + e.getMessage());
            }
        }
    }

    /**
     * How the store keeps rows.
     *
     * @param engine {@code embedded}, RocksDB in the cluster's directory; {@code postgres}; or {@code ndb}
     * @param jdbcUrl of a PostgreSQL that runs; empty for one of the cluster's own, and for the embedded engine
     * @param user of that PostgreSQL; empty for the account of this cluster's own
     * @param passwordFile that holds this user's password alone; empty for none, or for the cluster's own
     * @param ndbConnect management servers of an NDB that runs; empty for one of the cluster's own, and for other engines
     * @param ndbMemoryMb for rows, of an NDB of the cluster's own
     * @param ndbReplicas data nodes of an NDB of the cluster's own, each with all rows
     * @param ndbAck what an answer of an NDB's store means: {@code replicated}, it is in the memory of all replicas; {@code checkpoint}, on their disks
     * @param fsync whether a commit of the embedded engine waits for the disk; without it a power failure loses acknowledged writes
     * @param heapMb of its process
     * @param servers processes of which one serves, and the others wait to take its place
     */
    public record Store(
            String engine,
            String jdbcUrl,
            String user,
            String passwordFile,
            String ndbConnect,
            int ndbMemoryMb,
            int ndbReplicas,
            String ndbAck,
            boolean fsync,
            int heapMb,
            int servers) {
        static final String POSTGRES = "postgres";
        static final String NDB = "ndb";
        private static final String CHECKPOINT = "checkpoint";

        public Store {
            check(engine.matches("embedded|postgres|ndb"), "store.engine", "embedded, postgres or ndb", engine);
            check(
                    jdbcUrl.isEmpty() || (jdbcUrl.startsWith("jdbc:postgresql:") && engine.equals(POSTGRES)),
                    "store.jdbcUrl",
                    "jdbc:postgresql://HOST:PORT/DATABASE where the engine is postgres, else empty",
                    jdbcUrl);
            check(
                    jdbcUrl.isEmpty() || !user.isEmpty(),
                    "store.user",
                    "a user of the database that store.jdbcUrl names",
                    "empty");
            check(
                    ndbConnect.isEmpty() || (isEnsemble(ndbConnect) && engine.equals(NDB)),
                    "store.ndbConnect",
                    "HOST:PORT[,HOST:PORT…] where the engine is ndb, else empty",
                    ndbConnect);
            check(ndbMemoryMb >= 64, "store.ndbMemoryMb", "at least 64", ndbMemoryMb);
            check(ndbReplicas == 1 || ndbReplicas == 2, "store.ndbReplicas", "1 or 2", ndbReplicas);
            check(ndbAck.matches("replicated|checkpoint"), "store.ndbAck", "replicated or checkpoint", ndbAck);
            check(heapMb >= 64, "store.heapMb", "at least 64", heapMb);
            check(
                    servers >= 1 && servers <= (engine.equals("embedded") ? 1 : Service.MOST_STORES),
                    "store.servers",
                    "1 with the embedded engine, 1.." + Service.MOST_STORES + " with the others",
                    servers);
        }

        boolean isPostgres() {
            return engine.equals(POSTGRES);
        }

        boolean isNdb() {
            return engine.equals(NDB);
        }

        boolean awaitsCheckpoints() {
            return ndbAck.equals(CHECKPOINT);
        }

        boolean hasOwnPostgres() {
            return isPostgres() && jdbcUrl.isEmpty();
        }

        boolean hasOwnNdb() {
            return isNdb() && ndbConnect.isEmpty();
        }
    }

    /**
     * Where blocks are, and what serves them.
     *
     * @param datanodes processes that serve each block store; 0 for none: then files that are not small cannot be written, unless clients write them themselves
     * @param place a directory, or {@code s3://BUCKET/PREFIX}; empty for {@code blocks/} in the cluster's directory
     * @param stores more of them by the names of storage policies, which choose them, each a directory or {@code s3://BUCKET/PREFIX}
     * @param endpoint of the object stores, a URL, where it is not Amazon's; empty otherwise
     * @param encryption what an object store encrypts with; empty for what the bucket says
     * @param direct whether clients write and read object stores themselves, by URLs that instances sign
     * @param cacheMb of the copies of an object store's objects on a datanode's disk; 0 for none
     * @param heapMb of a datanode's process
     * @param reportMinutes after which datanodes compare a bucket of the block store with the metadata again; 0 for never
     */
    public record Blocks(
            int datanodes,
            String place,
            Map<String, String> stores,
            String endpoint,
            String encryption,
            boolean direct,
            int cacheMb,
            int heapMb,
            int reportMinutes) {
        /** In the settings, where the names of block stores are no settings' names. */
        static final String STORES = "blocks.stores";

        private static final String REMOTE = "://";
        private static final String S3 = "s3://";
        private static final String PLACES =
                "a directory, s3://BUCKET[/PREFIX], az://CONTAINER[/PREFIX] or gs://BUCKET[/PREFIX]";
        private static final int MOST_PLACE_CHARS = 128;

        public Blocks {
            stores = Collections.unmodifiableMap(new LinkedHashMap<>(stores));
            int most = Service.MOST_DATANODES / (1 + stores.size());
            check(datanodes >= 0 && datanodes <= most, "blocks.datanodes", "0.." + most, datanodes);
            check(isPlace(place), "blocks.place", PLACES, place);
            stores.forEach((name, each) -> {
                check(
                        StoragePolicies.isName(name) && name.equals(name.toLowerCase(Locale.ROOT)),
                        STORES + "." + name,
                        "named with up to 32 of a-z 0-9 _ -, the first a letter",
                        name);
                check(!each.isEmpty() && isPlace(each), STORES + "." + name, PLACES, each);
            });
            check(
                    endpoint.isEmpty() || endpoint.matches("https?://[^\\s/]+"),
                    "blocks.endpoint",
                    "http://HOST[:PORT] or https://HOST[:PORT], or empty",
                    endpoint);
            check(
                    endpoint.isEmpty()
                            || place.startsWith(S3)
                            || stores.values().stream().anyMatch(each -> each.startsWith(S3)),
                    "blocks.endpoint",
                    "empty for a directory",
                    endpoint);
            check(
                    encryption.matches("|AES256|aws:kms|aws:kms:dsse"),
                    "blocks.encryption",
                    "AES256, aws:kms or aws:kms:dsse, or empty",
                    encryption);
            check(
                    !direct || (isDirect(place) && stores.values().stream().allMatch(Blocks::isDirect)),
                    "blocks.direct",
                    "false unless all blocks are at s3:// or az:// places",
                    direct);
            check(cacheMb >= 0, "blocks.cacheMb", "0 or more", cacheMb);
            check(heapMb >= 64, "blocks.heapMb", "at least 64", heapMb);
            check(reportMinutes >= 0, "blocks.reportMinutes", "0 or more", reportMinutes);
        }

        private static boolean isDirect(String place) {
            return place.startsWith(S3) || place.startsWith("az://");
        }

        private static boolean isPlace(String place) {
            return !place.contains(REMOTE)
                    || (place.matches("(s3|az|gs)://[a-z0-9._-]+(/[A-Za-z0-9._-]+)*")
                            && place.length() <= MOST_PLACE_CHARS);
        }

        /** All block stores, first the one without a name. */
        List<BlockPlace> places() {
            List<BlockPlace> places = new ArrayList<>();
            // A directory may be moved, so its path is not what the metadata call it.
            places.add(new BlockPlace(place.contains(REMOTE) ? place : "local", place));
            stores.forEach((name, each) -> places.add(new BlockPlace(StoragePolicies.store(name), each)));
            return List.copyOf(places);
        }

        /** Where block stores are, by the names that the metadata have for them. */
        Map<String, String> placesByName() {
            return places().stream().collect(Collectors.toMap(BlockPlace::store, BlockPlace::place));
        }

        /**
         * Checks that no block store is within another, where both would have the same objects.
         *
         * @throws FsException {@code INVALID_ARGUMENT}
         */
        void checkApart(ClusterDirectory directory) {
            List<BlockPlace> places = places();
            for (BlockPlace one : places) {
                for (BlockPlace other : places) {
                    check(
                            one.equals(other) || !(other.in(directory) + "/").startsWith(one.in(directory) + "/"),
                            STORES,
                            "places outside one another, and outside " + one.in(directory),
                            other.in(directory));
                }
            }
        }

        /** What a datanode serves. */
        BlockPlace served(Service datanode) {
            return places().get((datanode.number() - 1) / datanodes);
        }
    }

    /**
     * Where blocks are.
     *
     * @param store the name of the block store in the metadata
     * @param place a directory, or {@code s3://BUCKET/PREFIX}; empty for {@code blocks/} in the cluster's directory
     */
    record BlockPlace(String store, String place) {
        /** Whether they are in an object store. */
        boolean isRemote() {
            return place.contains(Blocks.REMOTE);
        }

        String in(ClusterDirectory directory) {
            return place.isEmpty() ? directory.data("blocks").toString() : place;
        }
    }

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
                "on this machine alone, like 127.0.0.1:2181, for the ensemble is sent a password in clear, unless, for a"
                        + " network that is trusted, tls.plainBeyondLoopback is true",
                zookeeper);
        check(inv.matches("direct|relayed"), "inv", "direct or relayed", inv);
        check(transport.matches("netty|kryonet"), "transport", "netty or kryonet", transport);
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

    /**
     * What a cluster gets unless told otherwise: 4 deployments of up to 4 instances of 256 MB and 0.15 of a virtual CPU, or as many
     * as half of the machine's memory holds.
     */
    static ClusterSettings defaults(String user, Machine machine) {
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
                new Encryption(false, "", "", "", false),
                false,
                new Ports(0, 0, 0, 0, 0, 0),
                new Pool(
                        (int) instances * MEMORY_MB,
                        MAX_INSTANCES,
                        8_000,
                        prewarm,
                        Math.max(1, machine.processors() / 2)),
                new Instance(MEMORY_MB, CPU_SHARE, 4, 128, 40 << 20, 64 << 10, 512, 4, 0, 0, "", "action"),
                new Store("embedded", "", "", "", "", 256, 1, "replicated", true, 384, 1),
                new Blocks(1, "", Map.of(), "", "", false, 4_096, 256, 360),
                new Waits(1_000, 1_800),
                "INFO");
    }

    /** The same with another number of deployments. */
    ClusterSettings withDeployments(int number) {
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
                times,
                logLevel);
    }

    /** Whether instances are frozen between the calls that they are asked by. */
    boolean isLambda() {
        return !instance.runtime().equals("action");
    }

    /** Whether some of these calls last, for what is served by TCP meanwhile. */
    boolean holdsInvocations() {
        return instance.runtime().equals("lambda-held");
    }

    /** Whether the pool has no room for an instance of each deployment, so that some must go whenever all are called. */
    boolean mustThrash() {
        return pool.memoryMb() / instance.memoryMb() < deployments;
    }

    /** The services that such a cluster has. */
    List<Service> services() {
        return Service.all().stream()
                .filter(service -> switch (service.kind()) {
                    case ZOOKEEPER -> coordinator.equals("zookeeper") && zookeeper.isEmpty();
                    case POSTGRES -> store.hasOwnPostgres();
                    case NDB -> store.hasOwnNdb();
                    case DATANODE ->
                        service.number() <= blocks.datanodes() * blocks.places().size();
                    case STORE -> service.number() <= store.servers();
                    case GATEWAY -> true;
                })
                .toList();
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost") || host.equals("::1") || host.matches("127(\\.[0-9]{1,3}){3}");
    }

    private static boolean isEnsemble(String text) {
        String server = "([^\\s,:/\\[\\]]+|\\[[0-9a-fA-F:.]+]):[0-9]{1,5}";
        return text.matches(server + "(," + server + ")*");
    }

    /** Whether all servers are, where there are any. */
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

    private static boolean isPort(int port) {
        return port >= 0 && port <= 65_535;
    }

    private static void check(boolean holds, String key, String expected, Object actual) {
        if (!holds) {
            throw new FsException(
                    ErrorCode.INVALID_ARGUMENT, "the setting \"" + key + "\" must be " + expected + ", not " + actual);
        }
    }
}
