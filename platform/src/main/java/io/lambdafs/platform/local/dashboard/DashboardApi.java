package io.lambdafs.platform.local.dashboard;

import io.lambdafs.platform.ApiKey;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.StreamedReply;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;

/**
 * Serves {@code /dashboard} and {@code /dashboard/events}. Holders of the token, which is derived from the management
 * key, have access from anywhere; others only from this machine, at a loopback address. Thread-safe.
 */
public final class DashboardApi {
    private static final String PAGE = "/dashboard";
    private static final String EVENTS = "/dashboard/events";

    private final Dashboard dashboard;
    private final ApiKey managementKey;
    private final String token;

    public DashboardApi(Dashboard dashboard, ApiKey managementKey) {
        this.dashboard = dashboard;
        this.managementKey = managementKey;
        this.token = token(managementKey);
    }

    static String token(ApiKey managementKey) {
        return managementKey.secret().derive("dashboard");
    }

    /** Returns the page's address for holders of the management key. */
    public static URI address(URI gateway, ApiKey managementKey) {
        return gateway.resolve(PAGE + "?token=" + token(managementKey));
    }

    /** Returns whether a path is the dashboard's. */
    public static boolean isPath(String path) {
        return path.equals(PAGE) || path.startsWith(PAGE + "/");
    }

    /** Returns whether the caller has access. */
    public boolean allows(HttpCall head) {
        return allows(token, head);
    }

    static boolean allows(String token, HttpCall head) {
        return hasToken(token, head)
                || (head.remote().getAddress().isLoopbackAddress()
                        && isLoopback(head.header("host").orElse("")));
    }

    private static boolean hasToken(String token, HttpCall head) {
        return MessageDigest.isEqual(
                token.getBytes(StandardCharsets.UTF_8),
                head.query().getOrDefault("token", "").getBytes(StandardCharsets.UTF_8));
    }

    /** Returns whether a host is a loopback address; a name that a foreign page resolves to this machine is not. */
    private static boolean isLoopback(String hostHeader) {
        String host = Hosts.bare(hostHeader.replaceFirst(":\\d*$", ""));
        return host.equals("localhost") || host.equals("::1") || host.matches("127(\\.\\d{1,3}){3}");
    }

    /** Answers requests other than for the stream. */
    public HttpReply page(HttpCall call) {
        if (call.path().equals(PAGE)) {
            return DashboardPage.reply();
        }
        return call.path().equals(EVENTS)
                ? HttpReply.text(503, "too many viewers: close another one\n")
                : HttpReply.text(404, "there is no such page\n");
    }

    /** Returns the stream of events, if there is room for another viewer. */
    public Optional<StreamedReply> events(HttpCall call) {
        boolean seesPaths = hasToken(token, call)
                || managementKey.matches(call.header("authorization").orElse(""));
        return call.path().equals(EVENTS) && dashboard.hasRoom()
                ? Optional.of(new StreamedReply(
                        "text/event-stream",
                        Map.of("Cache-Control", "no-store"),
                        stream -> dashboard.watch(stream, seesPaths)))
                : Optional.empty();
    }
}
