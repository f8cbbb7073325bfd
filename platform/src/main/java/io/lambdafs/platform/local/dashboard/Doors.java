package io.lambdafs.platform.local.dashboard;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.MetricsPage;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.ServiceMain;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpRequest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The doors of this machine's cluster, as their own pages tell. Thread-safe. */
public final class Doors implements AutoCloseable {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int MOST_PAGE_BYTES = 1 << 20;

    private final Map<String, Place> places;
    private final Scheduler scheduler;
    private final Map<String, Told> told = new HashMap<>();
    private final Set<String> asked = new HashSet<>();
    private @Nullable HttpClient http;
    private boolean closed;

    /**
     * The files that tell where a door is.
     *
     * @param note there while the door is meant to run
     * @param port of its calls
     * @param pages the port of its numbers, at loopback
     */
    public record Place(Path note, Path port, Path pages) {}

    /** Two moments of a door; {@code now} is null if it does not answer. */
    private record Told(Numbers before, @Nullable Numbers now) {}

    private record Numbers(long nanos, MetricsPage page) {
        static final Numbers NONE = new Numbers(0, MetricsPage.EMPTY);
    }

    /** @param places by the doors' names */
    public Doors(Map<String, Place> places, Scheduler scheduler) {
        this.places = new TreeMap<>(places);
        this.scheduler = scheduler;
    }

    /** Asks each door for its numbers, without waiting for them. */
    synchronized void ask() {
        places.forEach((name, place) -> {
            if (!Files.exists(place.note())) {
                told.remove(name);
            } else if (!closed && asked.add(name)) {
                ask(name, ServiceMain.readPort(place.pages()));
            }
        });
    }

    private void ask(String name, OptionalInt port) {
        if (port.isEmpty()) {
            answered(name, null);
            return;
        }
        if (http == null) {
            http = new HttpClient(scheduler);
        }
        URI page = URI.create("http://" + Hosts.withPort(Hosts.loopback(), port.getAsInt()) + "/metrics");
        http.send(HttpRequest.get(page, MOST_PAGE_BYTES, LIMIT_NANOS))
                .whenComplete((reply, failure) -> answered(name, failure == null ? reply : null));
    }

    private synchronized void answered(String name, @Nullable HttpReply reply) {
        asked.remove(name);
        Told last = told.get(name);
        Numbers before = last == null || last.now() == null ? Numbers.NONE : last.now();
        told.put(
                name,
                new Told(
                        before,
                        reply == null || reply.status() != 200
                                ? null
                                : new Numbers(
                                        scheduler.nanoTime(),
                                        MetricsPage.parse(new String(reply.body(), StandardCharsets.UTF_8)))));
    }

    /** Returns a row for each door that is meant to run. */
    synchronized ArrayNode json() {
        ArrayNode rows = Json.mapper().createArrayNode();
        places.forEach((name, place) -> {
            Told each = told.get(name);
            if (each == null) {
                return;
            }
            ObjectNode row = rows.addObject().put("name", name);
            OptionalInt port = ServiceMain.readPort(place.port());
            row.put(
                    "address",
                    port.isEmpty()
                            ? ""
                            : name.replaceFirst("-\\d+$", "") + "://"
                                    + Hosts.withPort(Hosts.loopback(), port.getAsInt()));
            Numbers now = each.now();
            row.put("state", now == null ? "silent" : "answers");
            if (now != null) {
                write(row, each.before(), now);
            }
        });
        return rows;
    }

    private static void write(ObjectNode row, Numbers before, Numbers now) {
        double calls = rate("lambdafs_door_calls_seconds_count", before, now);
        double busy = rate("lambdafs_door_calls_seconds_sum", before, now);
        row.put("calls", calls)
                .put("micros", calls > 0 ? Math.round(busy / calls * 1e6) : 0)
                .put("failures", rate("lambdafs_door_failures_total", before, now))
                .put("readBytes", rate("lambdafs_door_read_bytes_total", before, now))
                .put("writtenBytes", rate("lambdafs_door_written_bytes_total", before, now))
                .put("streams", now.page().sum("lambdafs_door_streams"))
                .put("files", now.page().sum("lambdafs_door_files"));
        if (now.page().has("lambdafs_door_connections")) {
            row.put("connections", now.page().sum("lambdafs_door_connections"));
        }
    }

    /** Returns the rate per second; 0 for a door that was not heard before, or has started again. */
    private static double rate(String counter, Numbers before, Numbers now) {
        double done = now.page().sum(counter) - before.page().sum(counter);
        return before.equals(Numbers.NONE) || done < 0
                ? 0
                : done / Math.max(1e-3, (now.nanos() - before.nanos()) / 1e9);
    }

    @Override
    public void close() {
        HttpClient open;
        synchronized (this) {
            closed = true;
            open = http;
        }
        // Without the lock, for what is under way fails now.
        if (open != null) {
            open.close();
        }
    }
}
