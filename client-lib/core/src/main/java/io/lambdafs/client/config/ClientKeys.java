package io.lambdafs.client.config;

import io.lambdafs.client.config.ClientConfig.AntiThrashingUse;
import io.lambdafs.client.config.ClientConfig.HttpUse;
import io.lambdafs.client.config.ClientConfig.SharingUse;
import io.lambdafs.client.config.ClientConfig.StragglerUse;
import io.lambdafs.client.config.ClientConfig.TcpUse;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Nearest;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.transports.TransportKind;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The keys of configuration values given as strings (Hadoop properties prefix them with {@code lambdafs.}). Stateless.
 */
public final class ClientKeys {
    /** The beginning of messages about a value, before its key. */
    public static final String KEY = "configuration ";

    private static final Map<String, BiConsumer<ClientConfigBuilder, String>> SETTERS = setters();

    private ClientKeys() {}

    /** Returns every key known to {@link ClientConfigBuilder#set}. */
    public static Set<String> names() {
        return SETTERS.keySet();
    }

    private static Map<String, BiConsumer<ClientConfigBuilder, String>> setters() {
        Map<String, BiConsumer<ClientConfigBuilder, String>> map = new LinkedHashMap<>();
        map.put("gateway", (b, v) -> b.gateway(URI.create(v)));
        map.put("namespace", ClientConfigBuilder::namespace);
        map.put("api", ClientConfigBuilder::api);
        map.put("function.url", ClientConfigBuilder::functionUrl);
        map.put("api.key.file", (b, v) -> b.apiKey(ClientFile.readKey(Path.of(v))));
        map.put("gateway.proof", (b, v) -> b.gatewayProof(bool(v)));
        map.put("tls.ca", (b, v) -> b.tlsCa(Path.of(v)));
        map.put("action.prefix", ClientConfigBuilder::actionPrefix);
        map.put("deployments", (b, v) -> b.deployments(whole(v)));
        map.put("generation", (b, v) -> b.generation(whole(v)));
        map.put("user", ClientConfigBuilder::user);
        map.put("groups", (b, v) -> b.groups(List.of(v.strip().split("\\s*,\\s*"))));
        map.put("superuser", ClientConfigBuilder::superuser);
        map.put("secret.file", (b, v) -> b.secret(Secret.load(Path.of(v))));
        map.put("token.file", (b, v) -> b.token(ClientFile.readKey(Path.of(v))));
        map.put("insecure", (b, v) -> b.insecure(bool(v)));
        map.put("http.probability", (b, v) -> b.httpProbability(number(v)));
        map.put("http.replacements", (b, v) -> b.http(withReplacements(b.http(), whole(v))));
        map.put("http.in-flight", (b, v) -> b.http(withInFlight(b.http(), whole(v))));
        map.put("transport", (b, v) -> b.transport(TransportKind.of(v)));
        map.put("tcp.enabled", (b, v) -> b.tcpEnabled(bool(v)));
        map.put("tcp.host", (b, v) -> b.tcp(withHost(b.tcp(), v)));
        map.put("tcp.advertised-host", (b, v) -> b.tcp(withAdvertised(b.tcp(), v)));
        map.put("tcp.port", (b, v) -> b.tcp(withPort(b.tcp(), whole(v))));
        map.put("tcp.clients-per-server", (b, v) -> b.maxClientsPerServer(whole(v)));
        map.put("sharing.enabled", (b, v) -> b.sharingEnabled(bool(v)));
        map.put("sharing.dir", (b, v) -> b.sharing(new SharingUse(b.sharing().enabled(), Path.of(v))));
        map.put("stragglers.enabled", (b, v) -> b.stragglersEnabled(bool(v)));
        map.put(
                "stragglers.threshold",
                (b, v) -> b.stragglers(new StragglerUse(
                        b.stragglers().enabled(), number(v), b.stragglers().floor())));
        map.put(
                "stragglers.floor.ms",
                (b, v) -> b.stragglers(new StragglerUse(
                        b.stragglers().enabled(), b.stragglers().threshold(), millis(v))));
        map.put("anti-thrashing.enabled", (b, v) -> b.antiThrashingEnabled(bool(v)));
        map.put("anti-thrashing.threshold", (b, v) -> b.antiThrashing(withThreshold(b.antiThrashing(), number(v))));
        map.put("anti-thrashing.floor.ms", (b, v) -> b.antiThrashing(withFloor(b.antiThrashing(), millis(v))));
        map.put("anti-thrashing.length.ms", (b, v) -> b.antiThrashing(withLength(b.antiThrashing(), millis(v))));
        map.put("attempt.ms", (b, v) -> b.times(b.times().withAttempt(millis(v))));
        map.put("deadline.ms", (b, v) -> b.times(b.times().withDeadline(millis(v))));
        map.put("first-contact.ms", (b, v) -> b.firstContact(millis(v)));
        map.put("in-flight", (b, v) -> b.maxInFlight(whole(v)));
        return Map.copyOf(map);
    }

    private static Duration millis(String value) {
        return Duration.ofMillis(parsed(value, Long::parseLong, "a whole number of milliseconds"));
    }

    private static int whole(String value) {
        return parsed(value, Integer::parseInt, "a whole number");
    }

    private static double number(String value) {
        return parsed(value, Double::parseDouble, "a number");
    }

    private static <T> T parsed(String value, Function<String, T> parser, String expected) {
        try {
            return parser.apply(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("it takes " + expected, e);
        }
    }

    private static AntiThrashingUse withThreshold(AntiThrashingUse use, double threshold) {
        return new AntiThrashingUse(use.enabled(), threshold, use.floor(), use.length());
    }

    private static AntiThrashingUse withFloor(AntiThrashingUse use, Duration floor) {
        return new AntiThrashingUse(use.enabled(), use.threshold(), floor, use.length());
    }

    private static AntiThrashingUse withLength(AntiThrashingUse use, Duration length) {
        return new AntiThrashingUse(use.enabled(), use.threshold(), use.floor(), length);
    }

    private static HttpUse withReplacements(HttpUse use, int perSecond) {
        return new HttpUse(use.probability(), perSecond, use.maxInFlight());
    }

    private static HttpUse withInFlight(HttpUse use, int calls) {
        return new HttpUse(use.probability(), use.maxReplacements(), calls);
    }

    static void set(ClientConfigBuilder builder, String key, String value) {
        BiConsumer<ClientConfigBuilder, String> setter = SETTERS.get(key);
        if (setter == null) {
            throw FsException.invalidArgument(
                    "unknown configuration key " + key + ": did you mean " + nearest(key) + "?");
        }
        try {
            setter.accept(builder, value);
        } catch (IllegalArgumentException e) {
            throw FsException.invalidArgument(KEY + key + " cannot be \"" + value + "\": " + e.getMessage());
        }
    }

    /**
     * Returns the nearest known key.
     *
     * @param others further keys known to the caller
     */
    public static String nearest(String key, String... others) {
        List<String> all = new ArrayList<>(SETTERS.keySet());
        Collections.addAll(all, others);
        Collections.sort(all);
        return Nearest.of(key, all).orElseThrow();
    }

    private static boolean bool(String value) {
        return switch (value.strip()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("true or false");
        };
    }

    private static TcpUse withHost(TcpUse use, String host) {
        // An explicitly advertised host stays; otherwise instances dial the listen address.
        boolean wildcard = host.equals("0.0.0.0") || host.equals("::");
        boolean follows = !wildcard && use.advertisedHost().equals(use.host());
        return new TcpUse(
                use.enabled(),
                host,
                follows ? host : use.advertisedHost(),
                use.port(),
                use.maxClientsPerServer(),
                use.transport());
    }

    private static TcpUse withAdvertised(TcpUse use, String host) {
        return new TcpUse(use.enabled(), use.host(), host, use.port(), use.maxClientsPerServer(), use.transport());
    }

    private static TcpUse withPort(TcpUse use, int port) {
        return new TcpUse(
                use.enabled(), use.host(), use.advertisedHost(), port, use.maxClientsPerServer(), use.transport());
    }
}
