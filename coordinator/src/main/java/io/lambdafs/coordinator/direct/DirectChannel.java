package io.lambdafs.coordinator.direct;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.auth.ServiceProof;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.message.Message;
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
 * Sends INVs directly from instance to instance, over one connection per peer (the paper's §3.5, its INV/ACK messages).
 * A connection is opened on first use and closed when the member is gone; messages to one instance are pipelined, and
 * the transport flushes bursts together, ACKs included. Both ends prove that they belong to the cluster ({@link
 * ServiceProof}), the called one also which instance it is. At most {@value #MAX_PEERS} peers. An instance on the same
 * machine that refuses connections is gone, and its lease need not run out. Thread-safe; ACKs complete on the event
 * loops of the sending transport.
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
     * Creates a channel; does not own the transports, whose codec knows {@link CoordinatorMessages} and {@link
     * io.lambdafs.rpc.message.RpcMessages}.
     *
     * @param hearing transport for incoming messages; long work on its loops delays them
     * @param speaking transport for outgoing messages
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
                return CompletableFuture.failedFuture(FsException.unavailable(
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
