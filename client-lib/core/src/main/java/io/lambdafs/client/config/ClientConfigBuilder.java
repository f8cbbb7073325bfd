package io.lambdafs.client.config;

import io.lambdafs.client.config.ClientConfig.AntiThrashingUse;
import io.lambdafs.client.config.ClientConfig.ApiUse;
import io.lambdafs.client.config.ClientConfig.HttpUse;
import io.lambdafs.client.config.ClientConfig.SharingUse;
import io.lambdafs.client.config.ClientConfig.StragglerUse;
import io.lambdafs.client.config.ClientConfig.TcpUse;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.transports.TransportKind;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds a {@link ClientConfig}; {@link #build} validates it. Not thread-safe. */
public final class ClientConfigBuilder {
    private @Nullable URI gateway;
    private String namespace = "_";
    private String api = ApiUse.DEFAULT.name();
    private String functionUrl = "";
    private Map<String, String> apiOptions = Map.of();
    private @Nullable String apiKey;
    private boolean gatewayProof;
    private @Nullable Path tlsCa;
    private String actionPrefix = "namenode";
    private int deployments = 4;
    private int generation = Placement.FIRST_GENERATION;
    private @Nullable String user;
    private @Nullable List<String> groups;
    private @Nullable String superuser;
    private @Nullable Secret secret;
    private @Nullable String token;
    private boolean insecure;
    private HttpUse http = HttpUse.DEFAULT;
    private TcpUse tcp = TcpUse.DEFAULT;
    private boolean listensTowardsGateway;
    private SharingUse sharing = SharingUse.DEFAULT;
    private StragglerUse stragglers = StragglerUse.DEFAULT;
    private AntiThrashingUse antiThrashing = AntiThrashingUse.DEFAULT;
    private Times times = Times.DEFAULT;
    private Duration firstContact = ClientConfig.DEFAULT_FIRST_CONTACT;
    private int maxInFlight = ClientConfig.DEFAULT_MAX_IN_FLIGHT;
    private Routing routing = Routing.BY_PATH;
    private ClientConfig.Distance distance = ClientConfig.Distance.NONE;

    ClientConfigBuilder() {}

    /** Starts from a cluster's {@code client.json}; see {@link ClientConfig#load}. */
    public static ClientConfigBuilder load(Path clientJson) {
        return ClientFile.read(clientJson);
    }

    /** Starts from the cluster in a directory; see {@link ClientConfig#discover}. */
    public static ClientConfigBuilder discover(@Nullable Path directory) {
        return load(ClientFile.find(directory));
    }

    public ClientConfigBuilder gateway(URI address) {
        this.gateway = address;
        return this;
    }

    /** Sets the gateway's address, with HTTPS if {@link #tlsCa} is set, before or after. */
    public ClientConfigBuilder gatewayAt(String hostAndPort) {
        this.gateway = URI.create("//" + hostAndPort);
        return this;
    }

    public ClientConfigBuilder namespace(String name) {
        this.namespace = name;
        return this;
    }

    /** Sets the API for calling functions. */
    public ClientConfigBuilder api(String name) {
        this.api = name;
        return this;
    }

    /** Sets a function's address, with <code>{function}</code> in place of its name. */
    public ClientConfigBuilder functionUrl(String template) {
        this.functionUrl = template;
        return this;
    }

    /** Sets further settings of the API. */
    public ClientConfigBuilder apiOptions(Map<String, String> options) {
        this.apiOptions = Map.copyOf(options);
        return this;
    }

    /** Sets the platform's {@code user:password}. */
    public ClientConfigBuilder apiKey(@Nullable String userAndPassword) {
        this.apiKey = userAndPassword == null ? null : userAndPassword.strip();
        return this;
    }

    /** Sets whether the gateway must first prove knowledge of the API key. */
    public ClientConfigBuilder gatewayProof(boolean demanded) {
        this.gatewayProof = demanded;
        return this;
    }

    /** Sets the PEM file of the cluster's CA; null for no TLS. */
    public ClientConfigBuilder tlsCa(@Nullable Path file) {
        this.tlsCa = file;
        return this;
    }

    public ClientConfigBuilder actionPrefix(String prefix) {
        this.actionPrefix = prefix;
        return this;
    }

    public ClientConfigBuilder deployments(int n) {
        this.deployments = n;
        return this;
    }

    /** Sets {@link ClientConfig#generation}. */
    public ClientConfigBuilder generation(int number) {
        this.generation = number;
        return this;
    }

    /** Sets the user to act for; by default this process's user. */
    public ClientConfigBuilder user(String name) {
        this.user = name;
        return this;
    }

    /** Sets the user's groups, the primary one first; by default those of the operating system. */
    public ClientConfigBuilder groups(List<String> names) {
        this.groups = List.copyOf(names);
        return this;
    }

    /** Sets the cluster's owner, who is added to {@link Principal#SUPERGROUP}. */
    public ClientConfigBuilder superuser(@Nullable String name) {
        this.superuser = name;
        return this;
    }

    /** Sets the secret from which tokens are minted. */
    public ClientConfigBuilder secret(@Nullable Secret clusterSecret) {
        this.secret = clusterSecret;
        if (clusterSecret != null) {
            this.token = null;
            this.insecure = false;
        }
        return this;
    }

    /** Sets a given token, which determines the user; {@link #user} then only serves for messages. */
    public ClientConfigBuilder token(@Nullable String made) {
        this.token = made;
        if (made != null) {
            this.secret = null;
            this.insecure = false;
        }
        return this;
    }

    /** Uses no secret; only for clusters started insecure. */
    public ClientConfigBuilder insecure(boolean without) {
        this.insecure = without;
        if (without) {
            this.secret = null;
            this.token = null;
        }
        return this;
    }

    public ClientConfigBuilder http(HttpUse use) {
        this.http = use;
        return this;
    }

    /** Sets the probability of the random HTTP replacement, 0–0.01. */
    public ClientConfigBuilder httpProbability(double probability) {
        return http(new HttpUse(probability, http.maxReplacements(), http.maxInFlight()));
    }

    public ClientConfigBuilder tcp(TcpUse use) {
        this.tcp = use;
        return this;
    }

    /** Sets whether to listen on the local address that reaches the gateway if only loopback is set. */
    public ClientConfigBuilder listenTowardsGateway(boolean does) {
        this.listensTowardsGateway = does;
        return this;
    }

    public ClientConfigBuilder tcpEnabled(boolean enabled) {
        return tcp(new TcpUse(
                enabled, tcp.host(), tcp.advertisedHost(), tcp.port(), tcp.maxClientsPerServer(), tcp.transport()));
    }

    public ClientConfigBuilder maxClientsPerServer(int clients) {
        return tcp(new TcpUse(tcp.enabled(), tcp.host(), tcp.advertisedHost(), tcp.port(), clients, tcp.transport()));
    }

    /** Sets the transport of TCP connections. */
    public ClientConfigBuilder transport(TransportKind kind) {
        return tcp(new TcpUse(
                tcp.enabled(), tcp.host(), tcp.advertisedHost(), tcp.port(), tcp.maxClientsPerServer(), kind));
    }

    public ClientConfigBuilder sharing(SharingUse use) {
        this.sharing = use;
        return this;
    }

    public ClientConfigBuilder sharingEnabled(boolean enabled) {
        return sharing(new SharingUse(enabled, sharing.directory()));
    }

    public ClientConfigBuilder stragglers(StragglerUse use) {
        this.stragglers = use;
        return this;
    }

    public ClientConfigBuilder stragglersEnabled(boolean enabled) {
        return stragglers(new StragglerUse(enabled, stragglers.threshold(), stragglers.floor()));
    }

    public ClientConfigBuilder antiThrashing(AntiThrashingUse use) {
        this.antiThrashing = use;
        return this;
    }

    public ClientConfigBuilder antiThrashingEnabled(boolean enabled) {
        AntiThrashingUse use = antiThrashing;
        return antiThrashing(new AntiThrashingUse(enabled, use.threshold(), use.floor(), use.length()));
    }

    public ClientConfigBuilder times(Times protocolTimes) {
        this.times = protocolTimes;
        return this;
    }

    public ClientConfigBuilder firstContact(Duration limit) {
        this.firstContact = limit;
        return this;
    }

    public ClientConfigBuilder maxInFlight(int operations) {
        this.maxInFlight = operations;
        return this;
    }

    /** For services without caches; the default is {@link Routing#BY_PATH}. */
    public ClientConfigBuilder routing(Routing choice) {
        this.routing = choice;
        return this;
    }

    /** Emulates a distance; none by default. */
    public ClientConfigBuilder distance(ClientConfig.Distance emulated) {
        this.distance = emulated;
        return this;
    }

    HttpUse http() {
        return http;
    }

    TcpUse tcp() {
        return tcp;
    }

    SharingUse sharing() {
        return sharing;
    }

    StragglerUse stragglers() {
        return stragglers;
    }

    AntiThrashingUse antiThrashing() {
        return antiThrashing;
    }

    Times times() {
        return times;
    }

    /**
     * Sets one of {@link ClientKeys#names} from a string.
     *
     * @throws FsException {@code INVALID_ARGUMENT} for an unknown key (the nearest one is named) or an invalid value
     */
    public ClientConfigBuilder set(String key, String value) {
        ClientKeys.set(this, key, value);
        return this;
    }

    /**
     * Builds and validates the configuration.
     *
     * @throws FsException {@code INVALID_ARGUMENT} naming the key
     */
    public ClientConfig build() {
        URI address = gateway;
        if (address == null) {
            throw FsException.invalidArgument(
                    "configuration gateway is missing: name the cluster's directory, or the gateway's URL");
        }
        if (address.getScheme() == null) {
            address = URI.create((tlsCa == null ? "http:" : "https:") + address);
        }
        TcpUse listening = tcp;
        if (listensTowardsGateway && tcp.host().equals(TcpUse.DEFAULT.host())) {
            String own = Routes.ownAddressTowards(address);
            listening = new TcpUse(tcp.enabled(), own, own, tcp.port(), tcp.maxClientsPerServer(), tcp.transport());
        }
        return new ClientConfig(
                address,
                namespace,
                new ApiUse(api, functionUrl, apiOptions),
                apiKey,
                gatewayProof,
                tlsCa,
                actionPrefix,
                deployments,
                generation,
                principal(),
                secret,
                token,
                insecure,
                http,
                listening,
                sharing,
                stragglers,
                antiThrashing,
                times,
                firstContact,
                maxInFlight,
                routing,
                distance);
    }

    private Principal principal() {
        String name = user != null ? user : OsUser.name();
        List<String> names = new ArrayList<>(groups != null ? groups : OsUser.groups(name));
        if (name.equals(superuser) && !names.contains(Principal.SUPERGROUP)) {
            names.add(Principal.SUPERGROUP);
        }
        return new Principal(name, names);
    }
}
