package io.lambdafs.coordinator.direct;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scheduler;
import io.lambdafs.rpc.Message;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.auth.ServiceProof;
import io.lambdafs.rpc.auth.Tokens;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Instance to instance, over one connection for each other instance (the paper's §3.5, its INV/ACK messages). A connection is opened
 * when it is first needed and closed when the member is gone; messages to one instance are pipelined, and the transport flushes those
 * of one burst together, ACKs too. Both ends prove that they are of the cluster ({@link ServiceProof}), the
 * one that was called also which instance it is. At most
 * {@value #MAX_PEERS} instances are spoken to. An instance of the same machine that refuses connections has gone, and needs no lease to
 * run out. Thread-safe; ACKs are given on the event loops of the transport by which it speaks.
 */
public final class DirectChannel implements InvalidationChannel {
    public static final int MAX_PEERS = 4_096;

    private final Transport hearing;
    private final Transport speaking;
    private final ServiceProof proof;
    private final Scheduler scheduler;
    private final DirectSettings settings;
    private final Map<Peer.Address, Peer> peers = new ConcurrentHashMap<>();
    private volatile Transport.@Nullable Listener listening;
    private volatile boolean closed;

    /**
     * A channel; it does not own the transports. Their codec knows {@link CoordinatorMessages} and {@link io.lambdafs.rpc.RpcMessages}.
     *
     * @param hearing by which others' messages come; what has long work to do beside keeps them waiting
     * @param speaking by which own ones go
     */
    public DirectChannel(
            Transport hearing, Transport speaking, Tokens tokens, Scheduler scheduler, DirectSettings settings) {
        this.hearing = hearing;
        this.speaking = speaking;
        this.proof = new ServiceProof(tokens);
        this.scheduler = scheduler;
        this.settings = settings;
    }

    @Override
    public CompletionStage<Endpoint> open(Receiver receiver) {
        String self = Peer.service(settings.instance());
        return hearing.listen(
                        new InetSocketAddress(settings.listen(), settings.port()),
                        proof.door(() -> self, new DirectReceiver(receiver)))
                .thenApply(listener -> {
                    listening = listener;
                    return new Endpoint(
                            settings.advertised(), listener.address().getPort());
                });
    }

    @Override
    public CompletionStage<Acknowledgement> invalidate(Member target, Invalidation invalidation, long timeoutNanos) {
        return send(target, invalidation, timeoutNanos);
    }

    @Override
    public CompletionStage<Acknowledgement> greet(Member target, Greeting greeting, long timeoutNanos) {
        return send(target, greeting, timeoutNanos);
    }

    private CompletionStage<Acknowledgement> send(Member target, Message message, long timeoutNanos) {
        Peer.Address address = new Peer.Address(target.host(), target.port(), target.instance());
        Peer peer = peers.get(address);
        if (peer == null) {
            if (closed || peers.size() >= MAX_PEERS) {
                return CompletableFuture.failedFuture(new FsException(
                        ErrorCode.UNAVAILABLE,
                        closed
                                ? "this instance has shut down its invalidation channel"
                                : "more than " + MAX_PEERS + " instances to speak to; run fewer"));
            }
            peer = peers.computeIfAbsent(
                    address, key -> new Peer(key, settings.sameMachine(), speaking, scheduler, proof));
        }
        return peer.send(message, timeoutNanos);
    }

    @Override
    public void retain(View view) {
        Set<Peer.Address> known = new HashSet<>();
        for (Member member : view.members().values()) {
            known.add(new Peer.Address(member.host(), member.port(), member.instance()));
        }
        for (Peer.Address address : List.copyOf(peers.keySet())) {
            Peer gone = known.contains(address) ? null : peers.remove(address);
            if (gone != null) {
                gone.close();
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        Transport.Listener listener = listening;
        if (listener != null) {
            listener.close();
        }
        retain(View.EMPTY);
    }
}
