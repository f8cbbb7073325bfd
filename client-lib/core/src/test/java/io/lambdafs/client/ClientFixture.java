package io.lambdafs.client;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.client.runtime.ClientRuntime;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.rpc.netty.NettyTransport;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** A client on a real transport, a gateway, and instances that the gateway starts. Closes what it made. */
public final class ClientFixture implements AutoCloseable {
    /** No attempt of a test that is not about time-outs runs into one, however loaded the machine is. */
    public static final Times TIMES = new Times(
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofMillis(10),
            Duration.ofMillis(400),
            Duration.ofMillis(300),
            Duration.ofMillis(400),
            Duration.ofSeconds(20),
            Duration.ofSeconds(50),
            Duration.ofMinutes(10));

    public static final String API_KEY = "user:key";

    public final Secret secret = Secret.generate();
    public final Tokens tokens = Tokens.signed(secret);
    public final TestGateway gateway = new TestGateway();
    public final NettyTransport instanceTransport =
            new NettyTransport(RpcMessages.codec(), 1, "test-instance", TransportLimits.DEFAULT);
    public final NettyTransport clientTransport =
            new NettyTransport(RpcMessages.codec(), 1, "test-client", TransportLimits.DEFAULT);
    public final SystemScheduler scheduler = new SystemScheduler("test-client", 2, 10_000);
    public final ClientRuntime runtime =
            ClientRuntime.of(new ClientRuntime.Context(scheduler, kind -> clientTransport, new SecureRandom()));
    private final List<LambdaFs> clients = new ArrayList<>();
    private final List<OwnProcess> processes = new ArrayList<>();

    /** The parts of a separate client process. */
    public record OwnProcess(NettyTransport transport, SystemScheduler scheduler, ClientRuntime runtime) {
        /** Its sockets are closed, as if it had been killed; nobody is told. */
        public void loseSockets() {
            transport.close();
        }
    }

    public OwnProcess process() {
        return process(TransportLimits.DEFAULT);
    }

    public OwnProcess process(TransportLimits limits) {
        NettyTransport transport = new NettyTransport(RpcMessages.codec(), 1, "test-process", limits);
        SystemScheduler timers = new SystemScheduler("test-process", 2, 10_000);
        ClientRuntime own = ClientRuntime.of(new ClientRuntime.Context(timers, kind -> transport, new SecureRandom()));
        OwnProcess process = new OwnProcess(transport, timers, own);
        processes.add(process);
        return process;
    }

    public ClientConfigBuilder config() {
        return ClientConfig.builder()
                .gateway(gateway.address())
                .apiKey(API_KEY)
                .deployments(1)
                .user("alice")
                .groups(List.of("staff"))
                .secret(secret)
                .times(TIMES)
                .httpProbability(0);
    }

    public LambdaFs open() {
        return open(config());
    }

    public LambdaFs open(ClientConfigBuilder builder) {
        return open(builder, runtime);
    }

    public LambdaFs open(ClientConfigBuilder builder, ClientRuntime on) {
        LambdaFs client = LambdaFs.open(builder.build(), on);
        clients.add(client);
        return client;
    }

    public TestInstance instance(int deployment, long epoch) {
        return new TestInstance(instanceTransport, tokens, deployment, epoch);
    }

    /** Makes the gateway start the instance, which dials back before it answers a call. */
    public void starts(TestInstance instance) {
        gateway.answers(called -> instance.dial(called.tcp().get(0))
                .thenApply(registered -> TestGateway.reply(called, ClientFixture::serve)));
    }

    /** Answers success of the right kind. */
    public static Reply serve(OperationRequest request) {
        return request.operation().replyType() == Reply.Status.class
                ? new Reply.Status(file(request.operation()))
                : request.operation().replyType() == Reply.Page.class
                        ? new Reply.Page(List.of(), false)
                        : request.operation().replyType() == Reply.Opened.class
                                ? new Reply.Opened(file(request.operation()), new byte[] {1})
                                : Reply.Done.YES;
    }

    public static TestInstance.Behaviour serving() {
        return request -> CompletableFuture.completedFuture(serve(request));
    }

    public static Attributes file(Operation<?> operation) {
        return new Attributes(
                operation.path().name(),
                1_000,
                new INode.Traits(INode.Kind.FILE, "alice", "staff", 0644, 1, 1 << 20, INode.Content.INLINE),
                1,
                1,
                1,
                0);
    }

    public static <T> T get(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw FsException.of(e);
        } catch (InterruptedException e) {
            throw new AssertionError("no result", e);
        }
    }

    public static FsException failure(CompletionStage<?> stage) {
        try {
            Object got = get(stage);
            throw new AssertionError("succeeded with " + got);
        } catch (FsException e) {
            return e;
        }
    }

    @Override
    public void close() {
        clients.forEach(LambdaFs::close);
        gateway.close();
        processes.forEach(process -> {
            process.transport().close();
            process.scheduler().close();
        });
        clientTransport.close();
        instanceTransport.close();
        scheduler.close();
    }
}
