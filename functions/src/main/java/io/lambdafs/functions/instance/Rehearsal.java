package io.lambdafs.functions.instance;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.InstanceIdentity;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.memory.MemoryEnsemble;
import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.functions.openwhisk.ActionServer;
import io.lambdafs.functions.openwhisk.ActivationLog;
import io.lambdafs.functions.openwhisk.StartTimes;
import io.lambdafs.functions.serving.FunctionInstance;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.message.Bind;
import io.lambdafs.rpc.message.Bound;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.store.Read;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.memory.MemoryStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warms up an instance before {@code /init}, so that the code of a join and of the first requests is loaded, linked and
 * compiled: two instances on an in-memory file system join, answer a few requests by HTTP and TCP, and leave. Only
 * reads from other processes; where the code is warm already it does no more. Failures only cost time later. Single use;
 * blocks its thread.
 */
final class Rehearsal implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Rehearsal.class);
    /** Enough for C1 to compile the code. */
    private static final int ROUNDS = 20;

    /** The limit of such windows, should their cost never be steady. */
    private static final int MOST_WINDOWS = 40;

    private static final long STEP_LIMIT_MILLIS = 10_000;
    private static final long STEP_LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(STEP_LIMIT_MILLIS);
    private static final InetSocketAddress NOBODY = new InetSocketAddress(Hosts.loopback(), 0);

    /**
     * This process's action server.
     *
     * @param key see {@link ActionEnvironment}
     */
    record OwnServer(int port, @Nullable Secret key) {}

    /** Ends a rehearsal between two steps. */
    private static final class NotWanted extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final FunctionConfig config;
    private final InstanceRuntime.Stage stage;
    private final MemoryStore store;
    private final MemoryEnsemble ensemble;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<FunctionInstance> instances = new ArrayList<>();
    private final BooleanSupplier isWanted;
    /** True if the code was warm before, as that of a process is which is restored from an image. */
    private final boolean isSettled;

    private long sequence;

    /** @param isWanted false once there is real work to do, which the rehearsal must not delay */
    Rehearsal(FunctionConfig config, InstanceRuntime.Stage stage, BooleanSupplier isWanted) {
        this.config = config;
        this.stage = stage;
        this.isWanted = isWanted;
        this.isSettled = stage.steadiness().isSettled();
        store = new MemoryStore(stage.scheduler());
        ensemble = new MemoryEnsemble(stage.control(), config.times().session());
    }

    /**
     * Runs the rehearsal; stops between steps once no longer wanted.
     *
     * @param own null if calls do not arrive by HTTP
     * @return whether every step it came to was done
     */
    boolean run(InstanceRuntime.SharedServices shared, @Nullable OwnServer own) {
        log.debug("Rehearsing with instances in memory");
        try {
            read(shared);
            for (int round = 0; own != null && round < ROUNDS; round++) {
                step();
                callOwnServer(own);
            }
            if (isSettled) {
                return true;
            }
            step();
            await(Formatter.format(
                    store,
                    config.deployments(),
                    config.superuser(),
                    stage.scheduler().currentTimeMillis()));
            FunctionInstance other = join(new InstanceIdentity(config.deployments() - 1, "rehearsal-other"));
            await(other.joined());
            serve();
            await(other.leave());
            return true;
        } catch (NotWanted enough) {
            return true;
        } catch (ExecutionException | TimeoutException | IOException | RuntimeException e) {
            log.debug("The rehearsal was cut short", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    /** Ends the rehearsal if it is no longer wanted. */
    private void step() {
        if (!isWanted.getAsBoolean()) {
            throw new NotWanted();
        }
    }

    /** Reads over the connections that a join will use. */
    private void read(InstanceRuntime.SharedServices shared)
            throws ExecutionException, TimeoutException, InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            step();
            for (var remote : List.of(shared.store(), shared.controlStore())) {
                StoreTransaction transaction = remote.begin(0);
                try {
                    await(transaction.read(List.of(Read.unlocked(FormatLevel.KEY)), 0));
                } finally {
                    transaction.abort();
                }
            }
            await(shared.coordinator().members());
        }
    }

    /** Calls as the platform will, on a separate connection, but for a path that does not exist. */
    private static void callOwnServer(OwnServer own) throws IOException {
        try (Socket socket = new Socket(Hosts.loopback(), own.port())) {
            socket.setSoTimeout((int) STEP_LIMIT_MILLIS);
            OutputStream out = socket.getOutputStream();
            Secret key = own.key();
            String shown = key == null ? "" : "Authorization: " + key.authorization() + "\r\n";
            out.write(("GET /.well-known/lambdafs-proof?nonce=0 HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            + "POST /rehearsal HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            + shown
                            + "Connection: close\r\nContent-Length: 2\r\n\r\n{}")
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            InputStream in = socket.getInputStream();
            in.readAllBytes();
        }
    }

    private FunctionInstance join(InstanceIdentity self) {
        Coordinator coordinator = ensemble.connect(stage.control());
        InstanceRuntime.SharedServices shared = new InstanceRuntime.SharedServices(store, store, coordinator);
        InvalidationChannel channel = stage.channel(self, shared);
        opened.add(channel);
        opened.add(coordinator);
        FunctionInstance instance = stage.assemble(self, shared, channel);
        instances.add(instance);
        return instance;
    }

    private void serve() throws ExecutionException, TimeoutException, InterruptedException {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        ActionServer server = new ActionServer(
                new ActionServer.Context(
                        (deployment, instance) -> join(new InstanceIdentity(deployment, instance)),
                        stage.tokens(),
                        stage.codec(),
                        stage.scheduler(),
                        new ActivationLog(false, nowhere, nowhere),
                        new StartTimes(InstantSource.system()),
                        stage.steadiness()),
                "rehearsal",
                null,
                OptionalInt.empty());
        FsPath folder = FsPath.of("/rehearsal");
        int deployment = new Placement(config.deployments()).ofChildren(folder);
        call(server, "/init", "{\"value\":{\"name\":\"rehearsal" + deployment + "\"}}");
        RehearsedClient client = new RehearsedClient(stage.transport());
        opened.add(client);
        run(server, new NamespaceOperation.Mkdirs(folder, 0700, true), await(client.offer()));
        Connection back = await(client.registered());
        int handle = bind(back);
        Script script = new Script(folder);
        for (int window = 0; window < MOST_WINDOWS; window++) {
            long before = processCpuNanos();
            long first = sequence;
            for (int round = 0; round < ROUNDS; round++) {
                act(server, script, back, handle);
            }
            stage.steadiness().add(sequence - first, processCpuNanos() - before);
            if (stage.steadiness().isSettled()) {
                break;
            }
        }
        await(server.handle(request("GET", "/metrics", "")));
        await(server.leave());
    }

    /** Acts one round of the script: writes by HTTP, reads by HTTP and TCP. */
    private void act(ActionServer server, Script script, Connection back, int handle)
            throws ExecutionException, TimeoutException, InterruptedException {
        for (Operation<?> write : script.makes()) {
            run(server, write, "");
        }
        for (Operation<?> read : script.reads()) {
            run(server, read, "");
            await(back.request(request(handle, read), STEP_LIMIT_NANOS));
        }
        for (Operation<?> write : script.removes()) {
            run(server, write, "");
        }
    }

    private static long processCpuNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }

    private int bind(Connection back) throws ExecutionException, TimeoutException, InterruptedException {
        Message answer = await(back.request(new Bind(stage.token()), STEP_LIMIT_NANOS));
        if (answer instanceof Bound bound) {
            return bound.principal();
        }
        throw new IllegalStateException("a token was answered with " + answer);
    }

    /** @param offer of a TCP server; empty for none */
    private void run(ActionServer server, Operation<?> operation, String offer)
            throws ExecutionException, TimeoutException, InterruptedException {
        WireWriter out = new WireWriter();
        stage.codec().write(out, request(0, operation));
        call(
                server,
                "/run",
                "{\"value\":{\"v\":1,\"request\":\"" + Base64.getEncoder().encodeToString(out.toByteArray())
                        + "\",\"token\":\"" + stage.token() + "\",\"tcp\":[" + offer + "]}}");
    }

    private OperationRequest request(int handle, Operation<?> operation) {
        long deadline = stage.scheduler().currentTimeMillis() + STEP_LIMIT_MILLIS;
        return new OperationRequest(handle, new RequestId(1, 1, 0, ++sequence), 1, deadline, operation);
    }

    private void call(ActionServer server, String path, String body)
            throws ExecutionException, TimeoutException, InterruptedException {
        step();
        HttpReply reply = await(server.handle(request("POST", path, body)));
        if (reply.status() != 200) {
            throw new IllegalStateException(path + " was answered with " + reply.status());
        }
    }

    private static HttpCall request(String method, String path, String body) {
        return new HttpCall(method, path, Map.of(), Map.of(), body.getBytes(StandardCharsets.US_ASCII), NOBODY);
    }

    private static <T> T await(CompletionStage<T> step)
            throws ExecutionException, TimeoutException, InterruptedException {
        return step.toCompletableFuture().get(STEP_LIMIT_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        // An instance left by an interrupted rehearsal would keep trying to join for the life of the process.
        instances.forEach(FunctionInstance::leave);
        opened.forEach(each -> {
            try {
                each.close();
            } catch (Exception e) {
                log.debug("Something of the rehearsal could not be closed", e);
            }
        });
        store.close();
    }
}
