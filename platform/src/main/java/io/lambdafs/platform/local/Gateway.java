package io.lambdafs.platform.local;

import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.local.dashboard.Dashboard;
import io.lambdafs.platform.local.dashboard.DashboardApi;
import io.lambdafs.platform.local.dashboard.Doors;
import io.lambdafs.platform.local.instance.InstanceLauncher;
import io.lambdafs.platform.local.pool.Envelopes;
import io.lambdafs.platform.local.pool.InstancePool;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpHandler;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpServer;
import io.lambdafs.rpc.http.StreamedReply;
import io.lambdafs.rpc.tls.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The embedded function gateway: OpenWhisk's REST API under {@code /api/v1/}, Lambda's Invoke, the management API under {@code /lambdafs/v1/},
 * {@code /healthz}, {@code /metrics} and {@code /dashboard}. Thread-safe.
 */
public final class Gateway implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
    private static final int MAX_ACTIVATIONS = 10_000;
    /** Connections and requests in addition to those of invocations: management, metrics, health. */
    private static final int SPARE_REQUESTS = 256;

    private final GatewayConfig config;
    private final InstancePool pool;
    private final GatewayMetrics metrics;
    private final Dashboard dashboard;
    private final HttpServer server;

    private Gateway(
            GatewayConfig config, InstancePool pool, GatewayMetrics metrics, Dashboard dashboard, HttpServer server) {
        this.config = config;
        this.pool = pool;
        this.metrics = metrics;
        this.dashboard = dashboard;
        this.server = server;
    }

    /**
     * Starts a gateway.
     *
     * @param tls identity for HTTPS
     * @param launcher starts its instances; the caller closes it after the gateway
     * @param scheduler time, execution and randomness; the caller closes it after the gateway
     * @throws io.lambdafs.rpc.http.AddressUnavailableException if it cannot listen
     */
    public static Gateway start(GatewayConfig config, Optional<Tls> tls, InstanceLauncher launcher, Scheduler scheduler)
            throws IOException {
        return start(config, tls, launcher, scheduler, KnownActions.of(List.of()));
    }

    /**
     * Starts a gateway with registered actions.
     *
     * @param known registered before it listens
     * @throws IllegalArgumentException if a given one exceeds a limit
     */
    static Gateway start(
            GatewayConfig config, Optional<Tls> tls, InstanceLauncher launcher, Scheduler scheduler, KnownActions known)
            throws IOException {
        AtomicReference<String> url = new AtomicReference<>("");
        Supplier<String> ids = () -> hex(scheduler, 16);
        ActivationRing activations = new ActivationRing(MAX_ACTIVATIONS);
        GatewayMetrics metrics = new GatewayMetrics();
        InstancePool pool = new InstancePool(
                config.pool(),
                launcher,
                scheduler,
                new Envelopes(config.namespace(), url::get),
                () -> "i-" + hex(scheduler, 6),
                activation -> {
                    activations.add(activation);
                    metrics.ended(activation);
                });
        metrics.watch(pool);
        ErrorReplies errors = new ErrorReplies(ids);
        OpenWhiskJson json = new OpenWhiskJson(config.namespace());
        ActionRegistry actions = new ActionRegistry(pool, config.pool().memoryMb(), launcher.kinds(), known);
        known.registerAt(actions, scheduler.currentTimeMillis());
        Throttle throttle = new Throttle(config.throttle(), scheduler::nanoTime);
        Dashboard dashboard = new Dashboard(pool, config.prices(), new Doors(config.doors(), scheduler), scheduler);
        Routes routes = new Routes(
                config,
                new OpenWhiskApi(actions, pool, throttle, scheduler, ids, json),
                new ActivationsApi(activations, json, errors, scheduler),
                new ManagementApi(pool, metrics, config.prices(), errors),
                new LimitsApi(config),
                new LambdaApi(actions, pool, scheduler, ids, config.apiKey()),
                new DashboardApi(dashboard, config.managementKey(), scheduler),
                metrics,
                pool,
                errors,
                scheduler);
        int requests = config.throttle().inFlight() + SPARE_REQUESTS;
        HttpLimits limits = HttpLimits.defaults()
                .withMaxConnections(requests)
                .withMaxInFlight(requests)
                .withIdleTimeout(Duration.ofMinutes(5));
        HttpServer server;
        try {
            server = HttpServer.start(config.listen(), routes, limits, tls);
        } catch (IOException | RuntimeException e) {
            metrics.close();
            throw e;
        }
        Gateway gateway = new Gateway(config, pool, metrics, dashboard, server);
        url.set(gateway.url().toString());
        pool.start();
        dashboard.start();
        LOG.info("Gateway listens on {}, namespace {}", gateway.url(), config.namespace());
        return gateway;
    }

    private static String hex(Scheduler scheduler, int bytes) {
        byte[] random = new byte[bytes];
        scheduler.random().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    public int port() {
        return server.port();
    }

    public InetSocketAddress address() {
        return server.address();
    }

    /** Returns its address on this host. */
    public URI url() {
        InetAddress listen = config.listen().getAddress();
        String host = listen == null || listen.isAnyLocalAddress() ? Hosts.loopback() : listen.getHostAddress();
        String scheme = config.tls().isPresent() ? "https://" : "http://";
        return URI.create(scheme + Hosts.withPort(host, port()));
    }

    /** Returns its instance pool, for embedding programs. */
    public InstancePool pool() {
        return pool;
    }

    /**
     * Fails waiting calls, stops every instance in order, then stops listening. Takes the stop grace and a few seconds
     * at most.
     */
    @Override
    public void close() {
        dashboard.close();
        pool.close();
        server.close();
        metrics.close();
        LOG.info("Gateway has stopped");
    }

    /** The handler of each path. */
    private record Routes(
            GatewayConfig config,
            OpenWhiskApi openWhisk,
            ActivationsApi activations,
            ManagementApi management,
            LimitsApi limits,
            LambdaApi lambda,
            DashboardApi dashboard,
            GatewayMetrics metrics,
            InstancePool pool,
            ErrorReplies errors,
            Scheduler scheduler)
            implements HttpHandler {
        private static final String NAMESPACES = "/api/v1/namespaces";
        private static final String OPENWHISK = NAMESPACES + "/";
        private static final String MANAGEMENT = "/lambdafs/v1/";

        @Override
        public List<Secret> keys() {
            return List.of(config.apiKey().secret(), config.managementKey().secret());
        }

        @Override
        public Optional<HttpReply> refuse(HttpCall head) {
            String path = head.path();
            boolean local = head.remote().getAddress().isLoopbackAddress();
            boolean forAll = path.equals("/healthz")
                    || path.equals("/")
                    || (local && path.equals("/metrics"))
                    || DashboardApi.isPath(path);
            if (forAll) {
                return head.method().equals("GET") ? dashboard.refuse(head) : Optional.of(errors.methodNotAllowed());
            }
            if (path.startsWith(LambdaApi.PREFIX)) {
                return LambdaApi.refuse(head);
            }
            String shown = head.header("authorization").orElse("");
            if (config.managementKey().matches(shown)) {
                return Optional.empty();
            }
            if (!config.apiKey().matches(shown)) {
                return Optional.of(errors.of(401, "The supplied authentication is invalid.")
                        .withHeader("WWW-Authenticate", "Basic realm=\"lambdafs\""));
            }
            boolean isCall = head.method().equals("POST") && path.startsWith(NAMESPACES);
            return isCall || isList(head) ? Optional.empty() : Optional.of(notYours());
        }

        private static boolean isList(HttpCall head) {
            return head.method().equals("GET") && head.path().matches(NAMESPACES + "/?");
        }

        private HttpReply notYours() {
            return errors.of(403, "The supplied authentication is not authorized to access this resource.");
        }

        @Override
        public Optional<StreamedReply> stream(HttpCall call) {
            return dashboard.events(call);
        }

        @Override
        public CompletionStage<HttpReply> handle(HttpCall call) {
            String path = call.path();
            if (DashboardApi.isPath(path)) {
                return done(dashboard.page(call));
            }
            if (path.equals("/healthz")) {
                return health();
            }
            if (path.equals("/")) {
                return done(limits.frontPage());
            }
            if (path.equals("/metrics")) {
                return done(HttpReply.text(
                        200, metrics.page(pool.usage()) + pool.functionMetrics().text()));
            }
            if (path.matches(NAMESPACES + "/?")) {
                return done(
                        isList(call)
                                ? ErrorReplies.json(
                                        200, Json.mapper().createArrayNode().add(config.namespace()))
                                : errors.methodNotAllowed());
            }
            if (path.startsWith(LambdaApi.PREFIX)) {
                return lambda.handle(call);
            }
            if (path.startsWith(MANAGEMENT)) {
                return done(management.handle(call, path.substring(MANAGEMENT.length())));
            }
            return path.startsWith(OPENWHISK)
                    ? openWhisk(call, path.substring(OPENWHISK.length()).split("/", -1))
                    : done(errors.notFound());
        }

        /** Answers from a worker thread, so that a gateway without a free one does not count as healthy. */
        private CompletionStage<HttpReply> health() {
            CompletableFuture<HttpReply> reply = new CompletableFuture<>();
            try {
                scheduler.execute(() ->
                        reply.complete(ErrorReplies.json(200, Json.object().put("status", "ok"))));
            } catch (FsException busy) {
                reply.complete(ErrorReplies.json(
                        503, Json.object().put("status", "busy").put("error", busy.getMessage())));
            }
            return reply;
        }

        /** @param parts namespace, collection, and the rest of the path */
        private CompletionStage<HttpReply> openWhisk(HttpCall call, String[] parts) {
            if (!parts[0].equals("_") && !parts[0].equals(config.namespace())) {
                return done(notYours());
            }
            String collection = parts.length > 1 ? parts[1] : "";
            boolean whole = parts.length == 2 || (parts.length == 3 && parts[2].isEmpty());
            if (collection.equals("actions")) {
                if (whole) {
                    return openWhisk.list(call);
                }
                return parts.length == 3 ? invokeOrDeploy(call, parts[2]) : done(errors.notFound());
            }
            if (whole && LimitsApi.EMPTY_COLLECTIONS.contains(collection)) {
                return done(call.method().equals("GET") ? LimitsApi.nothing() : errors.methodNotAllowed());
            }
            if (whole && collection.equals("limits")) {
                return done(call.method().equals("GET") ? limits.namespace() : errors.methodNotAllowed());
            }
            if (collection.equals("activations") && !call.method().equals("GET")) {
                return done(errors.methodNotAllowed());
            }
            if (collection.equals("activations")) {
                if (whole) {
                    return done(activations.list(call));
                }
                return parts.length <= 4
                        ? activations.get(parts[2], parts.length == 4 ? parts[3] : "")
                        : done(errors.notFound());
            }
            return done(errors.notFound());
        }

        private CompletionStage<HttpReply> invokeOrDeploy(HttpCall call, String name) {
            return openWhisk.action(call, name).thenApply(reply -> {
                if (call.method().equals("POST") && !reply.headers().containsKey(OpenWhiskApi.ACTIVATION_HEADER)) {
                    metrics.refused(reply.status());
                }
                return reply;
            });
        }

        @Override
        public HttpReply refusal(int status, String message) {
            return errors.of(status, message);
        }

        private static CompletionStage<HttpReply> done(HttpReply reply) {
            return CompletableFuture.completedFuture(reply);
        }
    }
}
