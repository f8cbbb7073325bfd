package io.lambdafs.functions.instance;

import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.openwhisk.ActionServer;
import io.lambdafs.functions.openwhisk.ActivationLog;
import io.lambdafs.functions.openwhisk.AwaitingServer;
import io.lambdafs.functions.openwhisk.StartTimes;
import io.lambdafs.functions.serving.Steadiness;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.DeathWatch;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpServer;
import io.lambdafs.rpc.tls.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Main class of an instance process: serves the action protocol, leaves in order on SIGTERM or some time after its
 * parent ends, and exits within 4 s. Exit codes: 0 after an orderly end by itself, 64 for an invalid environment or
 * configuration, 69 if an address is taken or unreachable; after a signal, the JVM's. Thread-safe.
 */
public final class ActionMain implements AutoCloseable {
    private static final long LEAVE_LIMIT_MILLIS = 3_000;

    private static final long EXIT_LIMIT_MILLIS = 3_800;
    /** OpenWhisk's limit on a call, 1 MiB, plus room for its envelope. */
    private static final int MAX_BODY_BYTES = (1 << 20) + (64 << 10);

    private static final long MAX_BODIES_BYTES = 16L << 20;

    private static final int EXIT_USAGE = 64;
    private static final int EXIT_UNAVAILABLE = 69;
    private static final long PARENT_CHECK_MILLIS = 1_000;
    private static final long REHEARSAL_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final HttpServer http;
    private final AwaitingServer server;

    private ActionMain(HttpServer http, AwaitingServer server) {
        this.http = http;
        this.server = server;
    }

    public static void main(String[] args) {
        StartTimes times = new StartTimes(InstantSource.system());
        times.reached(StartTimes.Step.MAIN);
        serve(new Birth(System.getenv(), null, new Steadiness(), times));
    }

    /**
     * The beginning of an instance.
     *
     * @param variables environment set by the platform
     * @param parent ends when the parent does; null if that is seen by its process id
     * @param steadiness of this process's code so far
     */
    record Birth(
            Map<String, String> variables, @Nullable InputStream parent, Steadiness steadiness, StartTimes times) {}

    /** Serves until the process receives a signal to end, and exits. */
    static void serve(Birth birth) {
        try {
            ActionEnvironment environment = ActionEnvironment.of(birth.variables());
            if (environment.configuration().isGiven()) {
                FunctionConfig config = environment.configuration().read();
                // Before the first logger exists: the logging configuration refers to it.
                System.setProperty("lambdafs.log.level", config.logLevel());
                DeathWatch.endProcess();
                run(environment, config, birth);
            } else {
                DeathWatch.endProcess();
                runOnceTold(environment, birth);
            }
            System.exit(0);
        } catch (FsException wrong) {
            System.err.println("lambdafs: " + wrong.getMessage());
            System.exit(
                    wrong.code().disposition() == io.lambdafs.model.Disposition.FINAL ? EXIT_USAGE : EXIT_UNAVAILABLE);
        } catch (IOException unavailable) {
            System.err.println("lambdafs: " + unavailable.getMessage());
            System.exit(EXIT_UNAVAILABLE);
        } catch (InterruptedException stopped) {
            System.exit(0);
        }
    }

    private static void run(ActionEnvironment environment, FunctionConfig config, Birth birth)
            throws IOException, InterruptedException {
        InstanceRuntime remote = new InstanceRuntime(config, birth.variables(), birth.steadiness());
        AwaitingServer.Opened opened = open(environment, remote, birth.times());
        ActionMain main = start(environment, remote.listening(), new AwaitingServer(opened), birth.times());
        Runtime.getRuntime().addShutdownHook(new Thread(main::leaveAndClose, "leave"));
        if (environment.deployment().isPresent()) {
            opened.server().begin();
        } else {
            // Only for prewarmed instances: one started for a call learns its deployment at once.
            remote.scheduler().schedule(REHEARSAL_DELAY_NANOS, () -> {
                if (opened.server().isPrewarmed()) {
                    remote.rehearse(
                            new Rehearsal.OwnServer(main.port(), environment.key()), opened.server()::isPrewarmed);
                }
            });
        }
        awaitParentsEnd(environment, birth.parent());
    }

    /** Listens without a configuration, which arrives with {@code /init}. */
    private static void runOnceTold(ActionEnvironment environment, Birth birth)
            throws IOException, InterruptedException {
        AwaitingServer server = new AwaitingServer(
                told -> open(
                        environment,
                        new InstanceRuntime(
                                InstanceConfiguration.of(told).read(), birth.variables(), birth.steadiness()),
                        birth.times()),
                task -> new Thread(task, "configure").start());
        ActionMain main =
                start(environment, new Listening(environment.listenHost(), Optional.empty()), server, birth.times());
        Runtime.getRuntime().addShutdownHook(new Thread(main::leaveAndClose, "leave"));
        awaitParentsEnd(environment, birth.parent());
    }

    static AwaitingServer.Opened open(ActionEnvironment environment, InstanceRuntime remote, StartTimes times) {
        ActionServer.Context context = new ActionServer.Context(
                remote::start,
                remote.tokens(),
                remote.codec(),
                remote.scheduler(),
                new ActivationLog(environment.logMarkers(), System.out, System.err),
                times,
                remote.steadiness());
        return new AwaitingServer.Opened(
                new ActionServer(context, environment.instance(), environment.key(), environment.deployment()), remote);
    }

    /** The listen address and the TLS settings for HTTPS. */
    public record Listening(String host, Optional<Tls> tls) {}

    /** Starts listening, then publishes the port. */
    public static ActionMain start(
            ActionEnvironment environment, Listening listening, AwaitingServer server, StartTimes times)
            throws IOException {
        HttpServer http = HttpServer.start(
                new InetSocketAddress(listening.host(), environment.port()),
                server,
                HttpLimits.defaults().withMaxBodyBytes(MAX_BODY_BYTES).withMaxBodiesBytes(MAX_BODIES_BYTES),
                listening.tls());
        times.reached(StartTimes.Step.LISTENING);
        try {
            if (environment.portFile() != null) {
                writePort(environment.portFile(), http.port());
            }
        } catch (IOException unwritable) {
            http.close();
            throw unwritable;
        }
        LoggerFactory.getLogger(ActionMain.class).info("Instance listens on {}", http.address());
        return new ActionMain(http, server);
    }

    /** Writes the port atomically. */
    private static void writePort(Path file, int port) throws IOException {
        Path draft = Files.createTempFile(file.toAbsolutePath().getParent(), ".port", "");
        try {
            Files.writeString(draft, port + "\n", StandardCharsets.US_ASCII);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /**
     * Blocks until some time after the parent has ended; forever if there is none. Until then connected clients are
     * still served; a restarted gateway ends the instances left by its predecessor.
     */
    private static void awaitParentsEnd(ActionEnvironment environment, @Nullable InputStream input)
            throws IOException, InterruptedException {
        OptionalLong parent = environment.parentPid();
        if (input != null) {
            while (input.read() >= 0) {
                // Nothing more is said: only the end counts.
            }
        } else {
            while (parent.isEmpty() || isAlive(parent.getAsLong())) {
                TimeUnit.MILLISECONDS.sleep(PARENT_CHECK_MILLIS);
            }
        }
        LoggerFactory.getLogger(ActionMain.class)
                .info("The parent process has ended: leaving in {} ms", environment.parentGraceMillis());
        TimeUnit.MILLISECONDS.sleep(environment.parentGraceMillis());
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    public int port() {
        return http.port();
    }

    /** Leaves and closes. Whatever hangs, the process exits in time, and others fence its epoch if needed. */
    private void leaveAndClose() {
        Thread limit = new Thread(
                () -> {
                    try {
                        TimeUnit.MILLISECONDS.sleep(EXIT_LIMIT_MILLIS);
                    } catch (InterruptedException e) {
                        return;
                    }
                    Runtime.getRuntime().halt(EXIT_UNAVAILABLE);
                },
                "exit-limit");
        limit.setDaemon(true);
        limit.start();
        close();
    }

    /** Leaves in order, within the limit. */
    @Override
    public void close() {
        Logger log = LoggerFactory.getLogger(ActionMain.class);
        @Nullable Exception trouble = null;
        try {
            server.leave().toCompletableFuture().get(LEAVE_LIMIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            trouble = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (trouble != null) {
            log.warn("The instance could not leave in order, and will be fenced: {}", trouble.toString());
        } else {
            log.info("The instance has left");
        }
        http.close();
        try {
            server.end();
        } catch (Exception e) {
            log.warn("What the instance worked with could not be closed: {}", e.toString());
        }
    }
}
