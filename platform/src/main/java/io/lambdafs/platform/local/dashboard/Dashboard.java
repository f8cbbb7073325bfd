package io.lambdafs.platform.local.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.Prices;
import io.lambdafs.platform.local.dashboard.Totals.Count;
import io.lambdafs.platform.local.pool.InstanceEvents;
import io.lambdafs.platform.local.pool.InstancePool;
import io.lambdafs.platform.local.pool.UsageView;
import io.lambdafs.rpc.http.HttpStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the cluster's counters once a second, with or without viewers, and sends them to at most {@value
 * #MAX_VIEWERS} viewers. A viewer that is too slow is disconnected and connects anew. Thread-safe.
 */
public final class Dashboard implements AutoCloseable {
    static final int MAX_VIEWERS = 32;
    private static final Logger LOG = LoggerFactory.getLogger(Dashboard.class);
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Seconds with viewers after which all of them get the whole history anew. */
    private static final int WHOLE_EVERY = 60;

    /** Seconds over which a hot partition is looked for. */
    private static final int HOT_SECONDS = 10;

    private static final int SLOWEST_EVERY = 5;
    private static final int MAX_SLOWEST = 20;

    private final InstancePool pool;
    private final Prices prices;
    private final Doors doors;
    private final Scheduler scheduler;
    private final long beganNanos;
    private final long beganMillis;
    private final Set<Viewer> viewers = ConcurrentHashMap.newKeySet();
    private final History history = new History();
    private final List<String> names = new ArrayList<>();
    private volatile boolean closed;
    private long seconds;

    /** A viewer; guarded by the dashboard. */
    private static final class Viewer {
        private final HttpStream stream;
        /** Renews the viewer's token; empty for one that has none. */
        private final Optional<DashboardTokens> tokens;

        private long lastEvent;

        Viewer(HttpStream stream, Optional<DashboardTokens> tokens) {
            this.stream = stream;
            this.tokens = tokens;
        }

        boolean seesPaths() {
            return tokens.isPresent();
        }
    }

    /** @param doors which it closes */
    public Dashboard(InstancePool pool, Prices prices, Doors doors, Scheduler scheduler) {
        this.pool = pool;
        this.prices = prices;
        this.doors = doors;
        this.scheduler = scheduler;
        this.beganNanos = scheduler.nanoTime();
        this.beganMillis = scheduler.currentTimeMillis();
    }

    /** Starts recording. */
    public void start() {
        tick();
    }

    private void tick() {
        try {
            note();
        } catch (RuntimeException e) {
            LOG.warn("the dashboard missed a second", e);
        } finally {
            if (!closed) {
                scheduler.schedule(PERIOD_NANOS, this::tick);
            }
        }
    }

    private synchronized void note() {
        UsageView usage = pool.usage();
        UsageView.Deployment total = usage.total();
        for (String name : usage.deployments().keySet()) {
            if (!names.contains(name) && !name.startsWith("(")) {
                names.add(name);
            }
        }
        double[] usd = {
            prices.usd(total.billedMbMillis(), total.activations()),
            prices.usd(total.provisionedMbMillis(), total.activations())
        };
        double time = (scheduler.nanoTime() - beganNanos) / 1e9;
        Totals now = Totals.of(time, pool.functionMetrics(), usage, usd, names);
        List<Totals> recent = history.recent();
        Totals before = recent.isEmpty() ? now : recent.get(recent.size() - 1);
        history.add(now);
        noticed(before, now);
        if (viewers.isEmpty()) {
            return;
        }
        doors.ask();
        ObjectNode second = second(before, now);
        seconds++;
        for (Viewer each : viewers) {
            if (seconds % WHOLE_EVERY == 0) {
                sendWhole(each);
            }
            send(each, "second", second.set("events", DashboardJson.events(eventsFor(each))));
        }
        if (seconds % SLOWEST_EVERY == 0) {
            askSlowest();
        }
    }

    /** Asks instances for slow operations, only while a viewer may see the answers. */
    private void askSlowest() {
        if (viewers.stream().anyMatch(Viewer::seesPaths)) {
            pool.slowest().thenAccept(told -> {
                ArrayNode slowest = DashboardJson.slowest(told, MAX_SLOWEST);
                viewers.stream().filter(Viewer::seesPaths).forEach(each -> send(each, "slowest", slowest));
            });
        }
    }

    /** Derives events from the counters of instances. */
    private void noticed(Totals before, Totals now) {
        for (int i = 0; i < names.size(); i++) {
            long fenced = Math.round(now.count(Count.FENCED, i) - before.count(Count.FENCED, i));
            if (fenced > 0) {
                pool.events()
                        .add(
                                InstanceEvents.Kind.FENCED,
                                names.get(i),
                                "",
                                fenced == 1
                                        ? "one of its instances ended the epoch of another that had gone or did not answer"
                                        : "its instances ended the epochs of " + fenced
                                                + " others that had gone or did not answer");
            }
            long waited = Math.round(now.count(Count.LONG_ROUNDS, i) - before.count(Count.LONG_ROUNDS, i));
            if (waited > 0) {
                pool.events()
                        .add(
                                InstanceEvents.Kind.WAITED,
                                names.get(i),
                                "",
                                (waited == 1 ? "one round" : waited + " rounds")
                                        + " of its writers waited longer than 131 ms for acknowledgements");
            }
        }
    }

    private ObjectNode second(Totals before, Totals now) {
        ObjectNode second = Json.object();
        second.set("point", DashboardJson.point(before, now));
        second.set("deployments", DashboardJson.deployments(names, before, now));
        second.set("instances", DashboardJson.instances(pool.instances()));
        second.set("doors", doors.json());
        List<Totals> recent = history.recent();
        DashboardJson.hot(names, recent.get(Math.max(0, recent.size() - 1 - HOT_SECONDS)), now)
                .ifPresent(hot -> second.putObject("hot")
                        .put("deployment", hot.deployment())
                        .put("share", hot.share()));
        return second;
    }

    private List<InstanceEvents.Event> eventsFor(Viewer viewer) {
        List<InstanceEvents.Event> events = pool.events().after(viewer.lastEvent);
        if (!events.isEmpty()) {
            viewer.lastEvent = events.get(events.size() - 1).number();
        }
        return events;
    }

    private void sendWhole(Viewer viewer) {
        UsageView usage = pool.usage();
        ObjectNode all = Json.object()
                .put("schema", 1)
                .put("beganMillis", beganMillis)
                .put("stride", history.stride())
                .put("memoryPoolMb", usage.memoryPoolMb())
                .put("maxInstances", pool.maxInstances());
        all.set("whole", DashboardJson.points(history.whole()));
        all.set("recent", DashboardJson.points(history.recent()));
        names.forEach(all.putArray("names")::add);
        viewer.tokens.ifPresent(tokens -> all.put("token", tokens.issue(scheduler.currentTimeMillis())));
        send(viewer, "all", all);
    }

    private void send(Viewer viewer, String event, JsonNode data) {
        byte[] message = ("event: " + event + "\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8);
        if (!viewer.stream.send(message)) {
            viewers.remove(viewer);
            viewer.stream.close();
        }
    }

    /** Returns whether there is room for another viewer. */
    public boolean hasRoom() {
        return viewers.size() < MAX_VIEWERS;
    }

    /**
     * Sends the whole history and from then on every update.
     *
     * @param tokens makes new tokens for a holder, who may see the paths of slow operations; empty for others
     */
    void watch(HttpStream stream, Optional<DashboardTokens> tokens) {
        Viewer viewer = new Viewer(stream, tokens);
        scheduler.execute(() -> {
            synchronized (this) {
                sendWhole(viewer);
                List<Totals> recent = history.recent();
                if (!recent.isEmpty()) {
                    Totals now = recent.get(recent.size() - 1);
                    Totals before = recent.size() > 1 ? recent.get(recent.size() - 2) : now;
                    ObjectNode second = second(before, now);
                    second.remove("point");
                    send(viewer, "second", second.set("events", DashboardJson.events(eventsFor(viewer))));
                }
                viewers.add(viewer);
                askSlowest();
                stream.onClose(() -> viewers.remove(viewer));
            }
        });
    }

    @Override
    public void close() {
        closed = true;
        viewers.forEach(viewer -> viewer.stream.close());
        doors.close();
    }
}
