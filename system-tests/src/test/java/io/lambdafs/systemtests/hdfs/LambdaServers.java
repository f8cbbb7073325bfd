package io.lambdafs.systemtests.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.coordinator.InstanceIdentity;
import io.lambdafs.coordinator.memory.MemoryChannel;
import io.lambdafs.coordinator.memory.MemoryCoordinator;
import io.lambdafs.coordinator.memory.MemoryEnsemble;
import io.lambdafs.coordinator.memory.MemoryNetwork;
import io.lambdafs.coordinator.session.SessionContext;
import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.NameNodeAssembly;
import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.functions.namenode.block.DirectStores;
import io.lambdafs.functions.serving.Steadiness;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpServer;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.rpc.objects.ObjectSigner;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.memory.MemoryStore;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * λFS within this JVM, behind an HTTP server on loopback: an instance of each deployment over a store in memory, or another one. Used by one
 * thread, but for what it serves.
 */
final class LambdaServers implements Closeable {
    /** Caches of the instances. */
    enum Caching {
        /** Whatever earlier operations have left there. */
        WARM,
        /** Nothing yet: new instances before every operation. */
        COLD,
        /** Nothing ever. */
        NONE
    }

    /** An instance, and what it does not end itself: its session with the coordinator, and its channel. */
    private record Instance(NameNodeAssembly function, MemoryCoordinator coordinator, MemoryChannel channel) {}

    private static final int DEPLOYMENTS = 2;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Codec CODEC = RpcMessages.codec();

    private final Caching caching;
    private final FunctionConfig config;
    private final Tokens tokens;
    private final DirectStores direct;
    private final SystemScheduler scheduler = new SystemScheduler("instances", 4, 10_000);
    /** The store: in memory, unless another was given. */
    private final MetadataStore store;

    private final MemoryStore inMemory = new MemoryStore(scheduler);
    private final MemoryEnsemble ensemble = new MemoryEnsemble(scheduler, Times.DEFAULT.session());
    private final MemoryNetwork network = new MemoryNetwork(scheduler);
    private final HttpServer server;
    private volatile List<Instance> instances = List.of();
    private int started;

    /** @param directory that is empty, where its clients find it */
    LambdaServers(Caching caching, Path directory) throws IOException {
        this(caching, directory, FunctionConfig.Limits.DEFAULT.smallFileLimitBytes());
    }

    /** @param keptBytes the longest content that is kept with the metadata */
    LambdaServers(Caching caching, Path directory, int keptBytes) throws IOException {
        this(caching, directory, keptBytes, Map.of(), null);
    }

    /** @param given a store that is empty, and closed by whoever has it */
    LambdaServers(Caching caching, Path directory, MetadataStore given) throws IOException {
        this(caching, directory, FunctionConfig.Limits.DEFAULT.smallFileLimitBytes(), Map.of(), given);
    }

    /** @param signers of the block stores that clients access themselves */
    LambdaServers(Caching caching, Path directory, int keptBytes, Map<String, ObjectSigner> signers)
            throws IOException {
        this(caching, directory, keptBytes, signers, null);
    }

    private LambdaServers(
            Caching caching,
            Path directory,
            int keptBytes,
            Map<String, ObjectSigner> signers,
            @Nullable MetadataStore given)
            throws IOException {
        this.store = given == null ? inMemory : given;
        this.caching = caching;
        this.direct = new DirectStores(signers, scheduler);
        this.config = config(caching, keptBytes);
        this.tokens = Tokens.signed(Secret.loadOrCreate(directory.resolve("secret")));
        Formatter.format(store, DEPLOYMENTS, User.ROOT.id(), scheduler.currentTimeMillis())
                .toCompletableFuture()
                .join();
        startInstances();
        server = HttpServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                this::handle,
                HttpLimits.defaults().withMaxBodyBytes(2 << 20));
        Files.writeString(
                directory.resolve("client.json"),
                "{\"schema\":1,\"gateway\":\"http://127.0.0.1:%d\",\"deployments\":%d,\"secretFile\":\"secret\"}"
                        .formatted(server.port(), DEPLOYMENTS));
    }

    /** Where its clients find it. */
    String address() {
        return "lambdafs://127.0.0.1:" + server.port();
    }

    /** A file system of its own, which is closed by whoever has it; it asks by HTTP alone. */
    FileSystem fileSystem(Path directory) throws IOException {
        Configuration conf = new Configuration(false);
        conf.set("lambdafs.dir", directory.toString());
        conf.set("lambdafs.tcp.enabled", "false");
        return FileSystem.newInstance(URI.create(address()), conf);
    }

    /** Returns the instances' common store, unless they were given another one. */
    MemoryStore store() {
        return inMemory;
    }

    private static FunctionConfig config(Caching caching, int keptBytes) {
        FunctionConfig.Limits limits = FunctionConfig.Limits.DEFAULT;
        return new FunctionConfig(
                "beside-hdfs",
                DEPLOYMENTS,
                User.ROOT.id(),
                new FunctionConfig.Endpoints("none", 1, "127.0.0.1", "127.0.0.1", true),
                FunctionConfig.Coordination.BY_STORE,
                null,
                true,
                new FunctionConfig.Limits(
                        limits.cpuShare(),
                        caching == Caching.NONE ? 0 : limits.cacheBytes(),
                        keptBytes,
                        limits.maxInFlight(),
                        limits.eventLoops(),
                        limits.workers(),
                        limits.reclaimBatch(),
                        limits.reclaimParallel(),
                        limits.changeLogEntries(),
                        limits.trashMinutes(),
                        limits.boostMillis()),
                Times.DEFAULT,
                "INFO");
    }

    /** Before an operation: sees to what its caching means. */
    void prepare() {
        if (caching == Caching.COLD) {
            List<Instance> old = instances;
            startInstances();
            leave(old);
        }
    }

    private void startInstances() {
        List<Instance> fresh = new ArrayList<>();
        for (int deployment = 0; deployment < DEPLOYMENTS; deployment++) {
            fresh.add(start(deployment));
        }
        instances = IntStream.range(0, DEPLOYMENTS)
                .mapToObj(deployment -> joined(deployment, fresh.get(deployment)))
                .toList();
    }

    /** Begins with another one where a busy machine let the lease run out before the instance had joined. */
    private Instance joined(int deployment, Instance fresh) {
        try {
            fresh.function().joined().toCompletableFuture().join();
            return fresh;
        } catch (CompletionException failed) {
            if (FsException.of(failed).code() != ErrorCode.FENCED) {
                throw failed;
            }
            leave(List.of(fresh));
            return joined(deployment, start(deployment));
        }
    }

    private Instance start(int deployment) {
        MemoryCoordinator coordinator = ensemble.connect(scheduler);
        MemoryChannel channel = network.channel(scheduler);
        SessionContext session = new SessionContext(coordinator, channel, store, scheduler, config.times());
        NameNodeAssembly.Context context = new NameNodeAssembly.Context(
                store,
                session,
                kind -> {
                    throw new IllegalStateException("clients speak HTTP alone here");
                },
                tokens,
                BlockTokens.of(null, InstantSource.system()),
                scheduler,
                () -> 0,
                direct,
                new Steadiness());
        InstanceIdentity identity = new InstanceIdentity(deployment, "i" + started++);
        return new Instance(NameNodeAssembly.start(config, identity, context), coordinator, channel);
    }

    private static void leave(List<Instance> leaving) {
        leaving.stream()
                .map(each -> each.function().leave())
                .toList()
                .forEach(each -> each.toCompletableFuture().join());
        leaving.forEach(each -> {
            each.coordinator().close();
            each.channel().close();
        });
    }

    private CompletionStage<HttpReply> handle(HttpCall call) {
        try {
            JsonNode body = JSON.readTree(call.body());
            Principal caller = tokens.verify(body.path("token").asText()).principal();
            OperationRequest request = (OperationRequest) CODEC.read(new WireReader(
                    Base64.getDecoder().decode(body.path("request").asText())));
            int deployment = call.path().charAt(call.path().length() - 1) - '0';
            CompletableFuture<HttpReply> reply = new CompletableFuture<>();
            instances
                    .get(deployment)
                    .function()
                    .gate()
                    .serveHttp(caller, request, answer -> reply.complete(HttpReply.json(200, encoded(answer))));
            return reply;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String encoded(OperationReply reply) {
        WireWriter out = new WireWriter();
        CODEC.write(out, reply);
        return "{\"v\":1,\"reply\":\"" + Base64.getEncoder().encodeToString(out.toByteArray()) + "\"}";
    }

    @Override
    public void close() {
        server.close();
        leave(instances);
        inMemory.close();
        scheduler.close();
    }
}
