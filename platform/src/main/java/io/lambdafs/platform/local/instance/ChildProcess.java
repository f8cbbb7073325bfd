package io.lambdafs.platform.local.instance;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scheduler;
import io.lambdafs.platform.MetricsPage;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.http.HttpRequest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** A child process that speaks the action protocol on a loopback port. Thread-safe. */
final class ChildProcess implements RunningInstance {
    private static final long SCRAPE_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Longer than any action may take: the pool watches over that. */
    private static final long UNLIMITED_NANOS = TimeUnit.DAYS.toNanos(1);
    /** OpenWhisk's bound on a result, and room for what surrounds it. */
    private static final int MAX_REPLY_BYTES = (1 << 20) + (64 << 10);

    private static final int MAX_METRICS_BYTES = 4 << 20;

    private final String id;
    private final Process process;
    private final CappedLog log;
    private final Scheduler scheduler;
    private final Line line;
    private final CompletableFuture<Integer> exit;
    private volatile int port;

    /**
     * How it is called.
     *
     * @param key what it must prove to hold where it speaks no HTTPS, and is shown
     */
    record Line(HttpClient http, boolean https, Secret key) {}

    ChildProcess(String id, Process process, CappedLog log, Scheduler scheduler, Line line) {
        this.id = id;
        this.process = process;
        this.log = log;
        this.scheduler = scheduler;
        this.line = line;
        this.exit = process.onExit().thenApply(Process::exitValue);
    }

    String id() {
        return id;
    }

    Process process() {
        return process;
    }

    CappedLog cappedLog() {
        return log;
    }

    void listensOn(int number) {
        port = number;
    }

    @Override
    public CompletionStage<ActionReply> init(byte[] json) {
        return post("/init", json);
    }

    @Override
    public CompletionStage<ActionReply> run(byte[] json) {
        return post("/run", json);
    }

    private CompletionStage<ActionReply> post(String path, byte[] json) {
        Map<String, String> headers = Map.of(
                "Content-Type", "application/json", "Authorization", line.key().authorization());
        HttpRequest request = new HttpRequest("POST", uri(path), headers, json, MAX_REPLY_BYTES, UNLIMITED_NANOS)
                .demanding(line.key());
        return line.http().send(request).handle((reply, failure) -> {
            if (failure == null) {
                return new ActionReply(reply.status(), reply.body());
            }
            throw new CompletionException(
                    FsException.of(failure).code() == ErrorCode.BAD_FRAME
                            ? new ReplyTooLargeException(MAX_REPLY_BYTES)
                            : failure);
        });
    }

    private URI uri(String path) {
        return URI.create(endpoint() + path);
    }

    @Override
    public void stop(Duration grace) {
        process.destroy();
        Scheduler.Timer force = scheduler.schedule(grace.toNanos(), this::kill);
        exit.thenRun(force::cancel);
    }

    @Override
    public void kill() {
        process.destroyForcibly();
    }

    @Override
    public CompletionStage<Integer> onExit() {
        return exit;
    }

    @Override
    public OptionalLong pid() {
        return OptionalLong.of(process.pid());
    }

    @Override
    public String endpoint() {
        return (line.https() ? "https" : "http") + "://" + Hosts.withPort(Hosts.loopback(), port);
    }

    @Override
    public CompletionStage<MetricsPage> metrics() {
        return line.http()
                .send(HttpRequest.get(uri("/metrics"), MAX_METRICS_BYTES, SCRAPE_LIMIT_NANOS)
                        .demanding(line.key()))
                .thenApply(page -> page.status() == 200
                        ? MetricsPage.parse(new String(page.body(), StandardCharsets.UTF_8))
                        : MetricsPage.EMPTY)
                .exceptionally(unreachable -> MetricsPage.EMPTY);
    }

    @Override
    public InstanceLog log() {
        return log;
    }
}
