package io.lambdafs.platform.local.dashboard;

import io.lambdafs.model.time.Scheduler;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.StreamedReply;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * Serves {@code /dashboard}, a page without data, and {@code /dashboard/events}, its data. Holders of the management key
 * or of a token that was made with it get events from anywhere, and the paths of slow operations; others get events
 * only from this machine, at a loopback address, and without paths. Thread-safe.
 */
public final class DashboardApi {
    private static final String PAGE = "/dashboard";
    private static final String EVENTS = "/dashboard/events";
    private static final String BEARER = "Bearer ";

    private final Dashboard dashboard;
    private final ApiKey managementKey;
    private final Scheduler clock;

    public DashboardApi(Dashboard dashboard, ApiKey managementKey, Scheduler clock) {
        this.dashboard = dashboard;
        this.managementKey = managementKey;
        this.clock = clock;
    }

    /**
     * Returns the page's address for holders of the management key, with a new token. The token is in the fragment, which
     * browsers do not send: no proxy writes it into a log.
     */
    public static URI address(URI gateway, ApiKey managementKey, long nowMillis) {
        return gateway.resolve(PAGE + "#token=" + new DashboardTokens(managementKey).issue(nowMillis));
    }

    /** Returns whether a path is the dashboard's. */
    public static boolean isPath(String path) {
        return path.equals(PAGE) || path.startsWith(PAGE + "/");
    }

    /** Returns the refusal of a caller without access; empty for others. */
    public Optional<HttpReply> refuse(HttpCall head) {
        return !head.path().equals(EVENTS) || allows(managementKey, clock.currentTimeMillis(), head)
                ? Optional.empty()
                : Optional.of(HttpReply.text(401, "open the address that \"lambdafs dashboard\" prints\n")
                        .withHeader("WWW-Authenticate", "Bearer"));
    }

    static boolean allows(ApiKey managementKey, long nowMillis, HttpCall head) {
        return isHolder(managementKey, nowMillis, head)
                || (head.remote().getAddress().isLoopbackAddress()
                        && isLoopback(head.header("host").orElse("")));
    }

    private static boolean isHolder(ApiKey managementKey, long nowMillis, HttpCall head) {
        String shown = head.header("authorization").orElse("");
        return shown.startsWith(BEARER)
                ? new DashboardTokens(managementKey).isValid(shown.substring(BEARER.length()), nowMillis)
                : managementKey.matches(shown);
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
        Optional<DashboardTokens> holder = isHolder(managementKey, clock.currentTimeMillis(), call)
                ? Optional.of(new DashboardTokens(managementKey))
                : Optional.empty();
        return call.path().equals(EVENTS) && dashboard.hasRoom()
                ? Optional.of(new StreamedReply(
                        "text/event-stream",
                        Map.of("Cache-Control", "no-store", "X-Accel-Buffering", "no"),
                        stream -> dashboard.watch(stream, holder)))
                : Optional.empty();
    }
}
