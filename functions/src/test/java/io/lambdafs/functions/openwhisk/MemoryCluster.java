package io.lambdafs.functions.openwhisk;

import io.lambdafs.coordinator.InstanceIdentity;
import io.lambdafs.coordinator.memory.MemoryCoordinator;
import io.lambdafs.coordinator.memory.MemoryEnsemble;
import io.lambdafs.coordinator.memory.MemoryNetwork;
import io.lambdafs.coordinator.session.SessionContext;
import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.NameNodeAssembly;
import io.lambdafs.functions.instance.ActionEnvironment;
import io.lambdafs.functions.instance.ActionMain;
import io.lambdafs.functions.instance.InstanceConfiguration;
import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.functions.serving.FunctionInstance;
import io.lambdafs.functions.serving.Steadiness;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Role;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.rpc.transports.Transports;
import io.lambdafs.store.memory.MemoryStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A file system in memory, on which instances with real servers, transports and NameNodes are started. */
final class MemoryCluster implements AutoCloseable {
    static final int DEPLOYMENTS = 2;
    static final int WORKERS = 4;
    static final Principal ADMIN = new Principal("admin", List.of(Principal.SUPERGROUP));

    final SystemScheduler scheduler = new SystemScheduler("memory", WORKERS, 10_000);
    final Codec codec = RpcMessages.codec();
    final Transports transports = new Transports(kind -> kind.create(codec, 1, "memory-loop", TransportLimits.DEFAULT));
    final Tokens tokens = Tokens.signed(Secret.generate());
    final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private final MemoryStore store = new MemoryStore(scheduler);
    private final MemoryEnsemble ensemble = new MemoryEnsemble(scheduler, Times.DEFAULT.session());
    private volatile @Nullable MemoryCoordinator newest;
    private final MemoryNetwork network = new MemoryNetwork(scheduler);
    private final FunctionConfig config = new FunctionConfig(
            "test",
            DEPLOYMENTS,
            "admin",
            new FunctionConfig.Endpoints("none", 1, "127.0.0.1", "127.0.0.1", true),
            FunctionConfig.Coordination.BY_STORE,
            null,
            true,
            FunctionConfig.Limits.DEFAULT,
            Times.DEFAULT,
            "INFO");

    MemoryCluster() {
        Formatter.format(store, DEPLOYMENTS, "admin", scheduler.currentTimeMillis())
                .toCompletableFuture()
                .join();
    }

    String token(Duration lifetime) {
        return tokens.mint(ADMIN, Role.CLIENT, lifetime);
    }

    /** Cuts the newest instance off the coordinator, or lets it through again. */
    void cut(boolean off) {
        MemoryCoordinator link = Objects.requireNonNull(newest);
        if (off) {
            link.partition();
        } else {
            link.heal();
        }
    }

    private FunctionInstance start(int deployment, String instance) {
        MemoryCoordinator link = ensemble.connect(scheduler);
        newest = link;
        return NameNodeAssembly.start(
                config,
                new InstanceIdentity(deployment, instance),
                new NameNodeAssembly.Context(
                        store,
                        new SessionContext(link, network.channel(scheduler), store, scheduler, config.times()),
                        transports::of,
                        tokens,
                        BlockTokens.of(null, InstantSource.system()),
                        scheduler,
                        () -> 0));
    }

    /** An instance's process, but for the process. */
    ActionMain action(Path portFile) throws IOException {
        return action(portFile, null, OptionalInt.empty());
    }

    /**
     * @param key which its platform gave it
     * @param deployment what it begins as by itself
     */
    ActionMain action(Path portFile, @Nullable Secret key, OptionalInt deployment) throws IOException {
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        ActionServer.Context context = new ActionServer.Context(
                this::start,
                tokens,
                codec,
                scheduler,
                new ActivationLog(true, out, out),
                new StartTimes(InstantSource.system()),
                new Steadiness());
        ActionEnvironment environment = new ActionEnvironment(
                0,
                key,
                portFile,
                InstanceConfiguration.of(Map.of()),
                "127.0.0.1",
                deployment,
                OptionalLong.empty(),
                0,
                "made-up",
                true);
        AwaitingServer.Opened opened =
                new AwaitingServer.Opened(new ActionServer(context, environment.instance(), key, deployment), () -> {});
        return ActionMain.start(
                environment,
                new ActionMain.Listening("127.0.0.1", Optional.empty()),
                new AwaitingServer(opened),
                context.times());
    }

    @Override
    public void close() {
        transports.close();
        scheduler.close();
        store.close();
    }
}
