package io.lambdafs.benchmarks;

import io.lambdafs.coordinator.InstanceIdentity;
import io.lambdafs.coordinator.memory.MemoryEnsemble;
import io.lambdafs.coordinator.memory.MemoryNetwork;
import io.lambdafs.coordinator.session.SessionContext;
import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.NameNodeAssembly;
import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.functions.serving.ClientConnections;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.store.memory.MemoryStore;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The only instance of a file system with one file, both in this process's memory. Thread-safe. */
final class StatInstance implements AutoCloseable {
    private static final Principal ROOT = new Principal("root", List.of(Principal.SUPERGROUP));
    private static final FsPath FILE = FsPath.of("/spotify0/playlist/country1/day00042/hour0017/part0099");

    private final SystemScheduler scheduler = new SystemScheduler("stat", 2, 1_024);
    private final MemoryStore store = new MemoryStore(scheduler);
    private final NameNodeAssembly instance;

    StatInstance() {
        Formatter.format(store, 1, ROOT.user(), scheduler.currentTimeMillis())
                .toCompletableFuture()
                .join();
        SessionContext session = new SessionContext(
                new MemoryEnsemble(scheduler, Times.DEFAULT.session()).connect(scheduler),
                new MemoryNetwork(scheduler).channel(scheduler),
                store,
                scheduler,
                Times.DEFAULT);
        NameNodeAssembly.Context context = new NameNodeAssembly.Context(
                store,
                session,
                kind -> {
                    throw new IllegalStateException("nobody is dialled");
                },
                Tokens.insecure(),
                BlockTokens.of(null, InstantSource.system()),
                scheduler,
                () -> 0);
        instance = NameNodeAssembly.start(config(), new InstanceIdentity(0, "stat"), context);
        instance.joined().toCompletableFuture().join();
        CompletableFuture<OperationReply> made = new CompletableFuture<>();
        Operation<?> create = new FileOperation.Create(FILE, 0644, false, true, 3, 128L << 20, new byte[0], null);
        answer(ROOT, request(0, create), made::complete);
        if (made.join().reply() instanceof Reply.Failure failure) {
            throw failure.toException();
        }
    }

    private static FunctionConfig config() {
        return new FunctionConfig(
                "benchmark",
                1,
                ROOT.user(),
                new FunctionConfig.Endpoints("none", 1, "127.0.0.1", "127.0.0.1", true),
                FunctionConfig.Coordination.BY_STORE,
                null,
                true,
                FunctionConfig.Limits.DEFAULT,
                Times.DEFAULT,
                "INFO");
    }

    private OperationRequest request(int handle, Operation<?> operation) {
        long deadline = scheduler.currentTimeMillis() + TimeUnit.HOURS.toMillis(1);
        return new OperationRequest(handle, new RequestId(1, 2, 0, 1), 1, deadline, operation);
    }

    /** Returns a request for the attributes of the file, five directories deep. */
    OperationRequest stat(int handle) {
        return request(handle, new ReadOperation.Stat(FILE));
    }

    /** Answers as to a request from a connection. */
    void answer(Principal caller, OperationRequest request, Consumer<OperationReply> reply) {
        instance.gate().serveTcp(caller, request, reply);
    }

    ClientConnections clients() {
        return instance.clients();
    }

    @Override
    public void close() {
        instance.leave().toCompletableFuture().join();
        store.close();
        scheduler.close();
    }
}
