package io.lambdafs.hammer.coldstart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.gateway.GatewayClient;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.load.HotPool;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.platform.local.instance.ProcessLauncher;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A cluster of one deployment, which has no instance between two calls. Confined to one thread. */
final class Testbed implements Bed {
    private static final String FUNCTION = LocalCluster.ACTION_PREFIX + "0";
    private static final long KEEP_ALIVE_MILLIS = 3_600_000;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 20;
    /** Time after which no work of the previous start remains. */
    private static final long PAUSE_MILLIS = 1_500;

    private static final int WARM_UP_CALLS = 1_000;
    private static final long REHEARSAL_SECONDS = 120;
    private static final Duration IMAGE_LIMIT = Duration.ofMinutes(3);
    private static final FsPath FOLDER = FsPath.of("/newcomers");
    private static final FsPath FILE = FOLDER.child("file");
    private static final int KINDS = 3;

    private final Setup setup;
    private final Kind kind;
    private final Console console;
    private final TemporaryCluster cluster;
    private final GatewayClient gateway;
    private final BlockingLambdaFs client;

    Testbed(Setup setup, Kind kind, Console console) {
        this.setup = setup;
        this.kind = kind;
        this.console = console;
        cluster = TemporaryCluster.start(startOptions(setup, kind), console);
        try {
            gateway = cluster.cluster().gateway().client();
            client = BlockingLambdaFs.open(
                    ClientConfig.load(cluster.cluster().directory().client()));
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static LocalCluster.StartOptions startOptions(Setup setup, Kind kind) {
        ObjectNode keys = JsonNodeFactory.instance.objectNode();
        keys.put("deployments", 1);
        keys.putObject("pool")
                .put("maxInstances", 1)
                .put("prewarm", kind.prewarm())
                .put("keepAliveMillis", KEEP_ALIVE_MILLIS);
        keys.putObject("instance")
                .put("jdk", setup.jdk().home().toAbsolutePath().toString())
                .put("archive", kind.archive())
                .put("snapshots", kind.snapshots());
        keys.putObject("store").put("heapMb", 128);
        return new LocalCluster.StartOptions(setup.conf(), keys);
    }

    @Override
    public Setup setup() {
        return setup;
    }

    /** Calls an instance by HTTP many times, so that gateway and client are as warm as after long use. */
    @Override
    public void warmUp() throws InterruptedException {
        ClientConfig byHttp = ClientConfigBuilder.load(
                        cluster.cluster().directory().client())
                .tcpEnabled(false)
                .build();
        try (BlockingLambdaFs calling = BlockingLambdaFs.open(byHttp)) {
            calling.execute(new NamespaceOperation.Mkdirs(FOLDER, 0700, true));
            calling.execute(new FileOperation.Create(FILE, 0600, true, false, 1, 1 << 20, new byte[64], null));
            for (int call = 0; call < WARM_UP_CALLS; call++) {
                calling.stat(FsPath.of("/"));
            }
        }
        end(serving(gateway.instances()));
        if (kind.snapshots()) {
            awaitImage();
        }
    }

    /** Starts instances until one is restored. */
    private void awaitImage() throws InterruptedException {
        Path log = cluster.cluster().directory().log("gateway");
        long deadline = System.nanoTime() + IMAGE_LIMIT.toNanos();
        while (!restores(log)) {
            client.stat(FsPath.of("/"));
            end(serving(gateway.instances()));
            if (System.nanoTime() - deadline > 0) {
                throw new FsException(ErrorCode.TIMED_OUT, "no image of an instance was made: see " + log);
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    private static boolean restores(Path log) {
        try {
            return Files.readString(log).contains(ProcessLauncher.RESTORES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts an instance by a call, and stops it. */
    @Override
    public Start start(boolean counts) throws InterruptedException {
        awaitInstances(
                instances -> count(instances, "prewarmed") == kind.prewarm() && instances.size() == kind.prewarm());
        if (HotPool.await(gateway, kind.prewarm(), REHEARSAL_SECONDS, console) < kind.prewarm()) {
            throw new FsException(ErrorCode.TIMED_OUT, "a process did not rehearse within " + REHEARSAL_SECONDS + " s");
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        long called = micros();
        client.stat(FsPath.of("/"));
        long replied = micros();
        JsonNode instance = serving(gateway.instances());
        Start start = Start.of(called, health(instance.path("endpoint").asText()), replied);
        if (start.isPrewarmed() != (kind.prewarm() > 0)) {
            throw new IllegalStateException("another start than a " + kind.label() + " one, which was due: " + start);
        }
        Warmth warmth = counts ? Warmth.of(instance.path("pid").asLong(), this::operate) : Warmth.NONE;
        end(instance);
        return start.with(warmth);
    }

    /** Does the n-th operation after a start. */
    private void operate(int number) {
        try {
            switch (number % KINDS) {
                case 0 -> client.stat(FILE);
                case 1 -> client.execute(new ReadOperation.Open(FILE));
                default -> client.execute(new ReadOperation.ListPage(FOLDER, "", 100));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FsException(ErrorCode.INTERRUPTED, "interrupted while a newcomer was measured", e);
        }
    }

    private void end(JsonNode instance) throws InterruptedException {
        ProcessHandle.of(instance.path("pid").asLong()).ifPresent(ProcessHandle::destroy);
        awaitInstances(instances -> count(instances, "ready") == 0);
    }

    private static long micros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }

    private static int count(JsonNode instances, String state) {
        int count = 0;
        for (JsonNode each : instances) {
            count += each.path("state").asText().equals(state) ? 1 : 0;
        }
        return count;
    }

    private static JsonNode serving(JsonNode instances) {
        for (JsonNode each : instances) {
            if (each.path("deployment").asText().equals(FUNCTION)) {
                return each;
            }
        }
        throw FsException.unavailable("the instance that answered is not there any more");
    }

    private static JsonNode health(String endpoint) {
        try (InputStream page = URI.create(endpoint).resolve("/healthz").toURL().openStream()) {
            return new ObjectMapper().readTree(page);
        } catch (IOException e) {
            throw FsException.unavailable("the instance at " + endpoint + " does not answer: " + e, e);
        }
    }

    private void awaitInstances(Predicate<JsonNode> wanted) throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!wanted.test(gateway.instances())) {
            if (System.nanoTime() - deadline > 0) {
                throw new FsException(
                        ErrorCode.TIMED_OUT, "the instances are not those that are due: " + gateway.instances());
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    @Override
    public void close() {
        client.close();
        cluster.close();
    }
}
