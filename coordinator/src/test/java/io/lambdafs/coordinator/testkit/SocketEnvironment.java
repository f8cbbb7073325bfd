package io.lambdafs.coordinator.testkit;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.direct.CoordinatorMessages;
import io.lambdafs.coordinator.direct.DirectChannel;
import io.lambdafs.coordinator.direct.DirectSettings;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.rpc.netty.NettyTransport;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;

/** Instances that reach each other by real sockets, in real time. Thread-safe. */
public abstract class SocketEnvironment implements Environment {
    private final SystemScheduler clock = new SystemScheduler("test", 4, 10_000);
    private final Secret secret = Secret.generate();
    private final Tokens tokens = Tokens.signed(secret);
    private final NettyTransport transport;
    private final Channels channels;
    private final Map<String, CuttableChannel> direct = new ConcurrentHashMap<>();

    /** @param messages of this environment, beside those of instances */
    protected SocketEnvironment(Channels channels, UnaryOperator<Codec.Builder> messages) {
        this.channels = channels;
        this.transport = new NettyTransport(
                messages.apply(CoordinatorMessages.register(RpcMessages.register(Codec.builder())))
                        .build(),
                2,
                "test-io",
                TransportLimits.DEFAULT);
    }

    protected Secret secret() {
        return secret;
    }

    protected Tokens tokens() {
        return tokens;
    }

    protected NettyTransport transport() {
        return transport;
    }

    @Override
    public Scheduler clock() {
        return clock;
    }

    @Override
    public Times times() {
        return Times.DEFAULT;
    }

    @Override
    public InvalidationChannel channel(ProcessScheduler process, String instance, Coordinator connection) {
        CuttableChannel own = new CuttableChannel(
                new DirectChannel(transport, transport, tokens, process, DirectSettings.loopback(instance)), process);
        direct.put(instance, own);
        return new FreezableChannel(channels.over(own, connection, instance, process), process);
    }

    @Override
    public void cutDirectWay(String instance) {
        Objects.requireNonNull(direct.get(instance)).cut();
    }

    @Override
    public void await(String what, BooleanSupplier condition) {
        Awaitility.await(what).pollInterval(Duration.ofMillis(2)).until(condition::getAsBoolean);
    }

    /** Closes the servers and stores, whose connections are open still. */
    protected abstract void closeServers();

    @Override
    public void close() {
        closeServers();
        transport.close();
        clock.close();
    }
}
