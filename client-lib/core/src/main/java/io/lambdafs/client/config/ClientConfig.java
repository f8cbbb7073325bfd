package io.lambdafs.client.config;

import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.transports.TransportKind;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A client's configuration, validated. Immutable; prints no secrets.
 *
 * @param gateway the FaaS platform's gateway, {@code http://host:port}
 * @param namespace the platform's namespace, {@code _} for the one of the API key
 * @param api how functions are called
 * @param apiKey {@code user:password} of the platform; null to call without
 * @param gatewayProof whether the gateway must first prove knowledge of the API key, as λFS's own can and OpenWhisk's
 *     cannot; with HTTPS its certificate proves it
 * @param tlsCa PEM file of the cluster's CA, which must have issued the certificates of gateway, instances and
 *     datanodes; null without TLS
 * @param actionPrefix prefix of deployments' names, before the number
 * @param deployments n, until an instance reports otherwise
 * @param generation of that number; 0 as formatted
 * @param principal the user this client acts for, with groups
 * @param secret the cluster's secret, to mint tokens; null if a token is given, or in insecure mode
 * @param token a given token; null if tokens are minted
 * @param insecure whether to use no secret: the cluster trusts any user name
 * @param http how HTTP is used
 * @param tcp how TCP is used
 * @param sharing whether the user's processes on this machine share connections
 * @param stragglers when an attempt over TCP is given up for another instance
 * @param antiThrashing when and for how long only connections are used
 * @param times of the protocol; the client uses attempt and deadline
 * @param firstContact how long to try a gateway that has never been reached
 * @param maxInFlight maximum operations in flight, 1–65,536; more fail with {@code OVERLOADED}
 * @param routing which deployment a request goes to
 * @param distance emulated, for experiments
 */
public record ClientConfig(
        URI gateway,
        String namespace,
        ApiUse api,
        @Nullable String apiKey,
        boolean gatewayProof,
        @Nullable Path tlsCa,
        String actionPrefix,
        int deployments,
        int generation,
        Principal principal,
        @Nullable Secret secret,
        @Nullable String token,
        boolean insecure,
        HttpUse http,
        TcpUse tcp,
        SharingUse sharing,
        StragglerUse stragglers,
        AntiThrashingUse antiThrashing,
        Times times,
        Duration firstContact,
        int maxInFlight,
        Routing routing,
        Distance distance) {

    /**
     * How functions are called.
     *
     * @param name of the API: {@value #OPENWHISK}, {@value #HTTP}, or one found on the class path
     * @param functionUrl a function's address with <code>{function}</code> in place of its name, if the API has one for
     *     each; empty if derived from the gateway
     * @param options further settings of the API
     */
    public record ApiUse(String name, String functionUrl, Map<String, String> options) {
        /** Apache OpenWhisk's REST API, also supported by λFS's own gateway. */
        public static final String OPENWHISK = "openwhisk";
        /** A plain POST to each function's address, as with Knative and Nuclio. */
        public static final String HTTP = "http";

        private static final String FUNCTION = "{function}";

        public static final ApiUse DEFAULT = new ApiUse(OPENWHISK, "", Map.of());

        public ApiUse {
            options = Map.copyOf(options);
            check(name.matches("[a-z][a-z0-9-]{0,31}"), "api", "the name of an API", name);
            boolean needed = name.equals(HTTP);
            check(
                    needed ? isTemplate(functionUrl) : functionUrl.isEmpty() || isTemplate(functionUrl),
                    "function.url",
                    "a URL with " + FUNCTION + " in it",
                    functionUrl);
        }

        private static boolean isTemplate(String url) {
            return url.contains(FUNCTION) && url.matches("https?://[^/].*");
        }

        /** Returns the address of a function. */
        public URI addressOf(String function) {
            return URI.create(functionUrl.replace(FUNCTION, function));
        }
    }

    /**
     * How HTTP is used.
     *
     * @param probability with which a request goes by HTTP though a TCP connection exists, 0–0.01 (the paper's §3.4)
     * @param maxReplacements of such requests per second, process and deployment, 1–1,000,000: a steady trickle of
     *     calls is enough to make a platform scale, and a call costs as much as hundreds of requests over TCP
     * @param maxInFlight maximum concurrent calls to one deployment, 1–1,024
     */
    public record HttpUse(double probability, int maxReplacements, int maxInFlight) {
        public static final double MAX_PROBABILITY = 0.01;
        public static final HttpUse DEFAULT = new HttpUse(0.005, 10, 64);

        public HttpUse {
            check(probability >= 0 && probability <= MAX_PROBABILITY, "http.probability", "0..0.01", probability);
            check(
                    maxReplacements >= 1 && maxReplacements <= 1_000_000,
                    "http.replacements",
                    "1..1000000",
                    maxReplacements);
            check(maxInFlight >= 1 && maxInFlight <= 1_024, "http.in-flight", "1..1024", maxInFlight);
        }
    }

    /**
     * How TCP is used.
     *
     * @param enabled whether to use TCP; false sends everything by HTTP
     * @param host address to listen on
     * @param advertisedHost host at which instances reach it
     * @param port of the first server; each further server of the process takes the next port unused by them; 0 takes
     *     any free ones
     * @param maxClientsPerServer maximum clients ({@code LambdaFs} objects) per server; 0 for no limit. Beyond 16
     *     servers, the most an instance dials, further clients share these evenly
     * @param transport kind of connections; instances support every kind
     */
    public record TcpUse(
            boolean enabled,
            String host,
            String advertisedHost,
            int port,
            int maxClientsPerServer,
            TransportKind transport) {
        public static final TcpUse DEFAULT =
                new TcpUse(true, Hosts.loopback(), Hosts.loopback(), 0, 0, TransportKind.NETTY);

        public TcpUse {
            check(!host.isBlank(), "tcp.host", "a host", host);
            boolean reachable =
                    !advertisedHost.isBlank() && !advertisedHost.equals("0.0.0.0") && !advertisedHost.equals("::");
            check(reachable, "tcp.advertised-host", "an address that instances can dial", advertisedHost);
            check(port >= 0 && port <= 65_535, "tcp.port", "0..65535", port);
            check(maxClientsPerServer >= 0, "tcp.clients-per-server", "0 or more", maxClientsPerServer);
        }
    }

    /**
     * Sharing of connections between processes of one user on this machine with the same credentials. Off by default:
     * it needs a process that outlives the others, and shared requests take an extra hop.
     *
     * @param enabled whether to share, if TCP is used
     * @param directory where the processes meet; created if missing, accessible to its owner only, and rejected if open
     *     to others
     */
    public record SharingUse(boolean enabled, Path directory) {
        public static final SharingUse DEFAULT = new SharingUse(
                false,
                Path.of(
                        System.getProperty("java.io.tmpdir", "/tmp"),
                        "lambdafs-" + System.getProperty("user.name", "unknown")));
    }

    /**
     * Straggler mitigation, the paper's appendix B.
     *
     * @param enabled whether it is on
     * @param threshold multiple of the average that an attempt may take, 1–1,000
     * @param floor time an attempt may take in any case, 1 ms – 1 min
     */
    public record StragglerUse(boolean enabled, double threshold, Duration floor) {
        public static final StragglerUse DEFAULT = new StragglerUse(true, 10, Duration.ofMillis(50));

        public StragglerUse {
            checkThreshold("stragglers", threshold, floor);
        }
    }

    /**
     * Anti-thrashing mode, the paper's appendix C. Off by default: nothing scales in that mode, and a client cannot
     * tell a platform that is out of capacity from one about to scale out. Meant for platforms with too little memory
     * for one instance of each deployment; a local cluster of that kind enables it in its clients.
     *
     * @param enabled whether it is on
     * @param threshold multiple of the average latency beyond which an operation starts the mode, 1–1,000; 2–3 in the
     *     paper
     * @param floor time an operation may take in any case, 1 ms – 1 min: somewhat less than a cold start, and more than
     *     a pause of a collector or disk
     * @param length of the mode, 1 ms – 10 min: afterwards the platform is called again for deployments without an
     *     instance, which under thrashing costs some cold starts until the mode restarts
     */
    public record AntiThrashingUse(boolean enabled, double threshold, Duration floor, Duration length) {
        public static final AntiThrashingUse DEFAULT =
                new AntiThrashingUse(false, 2.5, Duration.ofMillis(200), Duration.ofSeconds(30));

        public AntiThrashingUse {
            checkThreshold("anti-thrashing", threshold, floor);
            checkTime("anti-thrashing.length.ms", length, 600_000);
        }
    }

    /**
     * Round trips added to what the machine's own links take, to emulate a distance. Zero for none.
     *
     * @param tcp of a request over a connection
     * @param http of a call
     */
    public record Distance(Duration tcp, Duration http) {
        /** Above {@link #NONE}, which needs it. */
        private static final Duration MOST = Duration.ofSeconds(1);

        public static final Distance NONE = new Distance(Duration.ZERO, Duration.ZERO);

        public Distance {
            checkWay("distance.tcpMicros", tcp);
            checkWay("distance.httpMicros", http);
        }

        private static void checkWay(String key, Duration roundTrip) {
            check(
                    !roundTrip.isNegative() && roundTrip.compareTo(MOST) <= 0,
                    key,
                    "0..1000000",
                    roundTrip.toNanos() / 1_000);
        }
    }

    public static final Duration DEFAULT_FIRST_CONTACT = Duration.ofSeconds(5);
    public static final int DEFAULT_MAX_IN_FLIGHT = 8_192;

    public ClientConfig {
        String scheme = gateway.getScheme();
        check(
                ("http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme)) && gateway.getHost() != null,
                "gateway",
                "a URL like http://127.0.0.1:8080",
                gateway);
        check(
                tlsCa == null || "https".equalsIgnoreCase(scheme),
                "gateway",
                "a URL with https where tls.ca is given",
                gateway);
        check(
                tlsCa == null || tcp.transport() == TransportKind.NETTY,
                "transport",
                "netty where tls.ca is given: KryoNet has no TLS",
                tcp.transport().label());
        check(isSegment(namespace), "namespace", "a name", namespace);
        check(isSegment(actionPrefix), "action.prefix", "a name", actionPrefix);
        check(
                deployments >= 1 && deployments <= Placement.MAX_DEPLOYMENTS,
                "deployments",
                "1.." + Placement.MAX_DEPLOYMENTS,
                deployments);
        check(generation >= Placement.FIRST_GENERATION, "generation", "0 or more", generation);
        check(maxInFlight >= 1 && maxInFlight <= 65_536, "in-flight", "1..65536", maxInFlight);
        check(!firstContact.isNegative(), "first-contact.ms", "0 or more", firstContact.toMillis());
        int proofs = (secret != null ? 1 : 0) + (token != null ? 1 : 0) + (insecure ? 1 : 0);
        if (proofs != 1) {
            throw FsException.invalidArgument(
                    "a client needs exactly one of a secret file, a token file, or insecure mode; " + proofs
                            + " are configured");
        }
    }

    private static void checkThreshold(String prefix, double threshold, Duration floor) {
        check(threshold >= 1 && threshold <= 1_000, prefix + ".threshold", "1..1000", threshold);
        checkTime(prefix + ".floor.ms", floor, 60_000);
    }

    private static void checkTime(String key, Duration time, long mostMillis) {
        long millis = time.toMillis();
        check(millis >= 1 && millis <= mostMillis, key, "1.." + mostMillis, millis);
    }

    private static boolean isSegment(String text) {
        return text.matches("[A-Za-z0-9_@.-]{1,128}");
    }

    private static void check(boolean holds, String key, String expected, Object actual) {
        if (!holds) {
            throw FsException.invalidArgument(ClientKeys.KEY + key + " must be " + expected + ", not " + actual);
        }
    }

    public static ClientConfigBuilder builder() {
        return new ClientConfigBuilder();
    }

    /**
     * Loads the configuration from a cluster's directory, for the user running this process.
     *
     * @param clientJson the directory's {@code client.json}
     * @throws FsException {@code UNAVAILABLE} if it cannot be read, {@code INVALID_ARGUMENT} if it is invalid
     */
    public static ClientConfig load(Path clientJson) {
        return ClientConfigBuilder.load(clientJson).build();
    }

    /**
     * Loads the configuration of the cluster in a directory.
     *
     * @param directory as for {@code --dir}; null uses {@code $LAMBDAFS_DIR}, else {@code ~/.lambdafs/default}
     */
    public static ClientConfig discover(@Nullable Path directory) {
        return load(ClientFile.find(directory));
    }

    /** Returns the principal's groups, the primary one first. */
    public List<String> groups() {
        return principal.groups();
    }

    /** Omits secret, token and API key. */
    @Override
    public String toString() {
        return "ClientConfig[gateway=" + gateway + ", api=" + api.name() + ", namespace=" + namespace
                + ", actionPrefix=" + actionPrefix
                + ", deployments=" + deployments + ", user=" + principal.user() + ", http=" + http + ", tcp=" + tcp
                + ", sharing=" + sharing
                + ", stragglers=" + stragglers + ", antiThrashing=" + antiThrashing
                + ", maxInFlight=" + maxInFlight + ", insecure=" + insecure + "]";
    }
}
