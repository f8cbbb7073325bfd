package io.lambdafs.cluster.trial;

import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.block.BlockMessages;
import io.lambdafs.rpc.block.BlockToken;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.netty.NettyTransport;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Datanodes under attack: what an attacker needs of them, and how often each kind of attack was tried and refused. Thread-safe. */
final class Attacked implements AutoCloseable {
    static final Codec CODEC = BlockMessages.codec();
    static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long TOKEN_MILLIS = 600_000;
    private static final String USER = "mallory";
    /** Far from those that the cluster gives. */
    private static final long FIRST_BLOCK = 1L << 50;

    /** Kinds of attack. */
    enum Kind {
        READERS_THAT_STOP,
        WRITERS_THAT_HOLD,
        FRAMES_IN_PART,
        SECOND_OPENS,
        LIES_ABOUT_LENGTHS,
        FORGED_TOKENS,
        FOREIGN_TOKENS;

        /** Returns whether the datanode must refuse each one, not only what is too much. */
        boolean isAlwaysRefused() {
            return this != READERS_THAT_STOP && this != WRITERS_THAT_HOLD && this != FRAMES_IN_PART;
        }
    }

    /** How often something was tried, and refused. */
    private record Count(LongAdder made, LongAdder refused) {
        Count() {
            this(new LongAdder(), new LongAdder());
        }
    }

    private final List<InetSocketAddress> datanodes;
    private final BlockTokens tokens;
    private final BlockToken victim;
    private final NettyTransport calling = new NettyTransport(CODEC, 1, "attackers", TransportLimits.DEFAULT);
    private final Map<Kind, Count> counts = new ConcurrentHashMap<>();
    private final Queue<String> accepted = new ConcurrentLinkedQueue<>();
    private final AtomicLong lastBlock = new AtomicLong(FIRST_BLOCK);

    /**
     * @param secret the cluster's, for tokens as it makes them
     * @param goodToken to read a block of some MB
     */
    Attacked(List<InetSocketAddress> datanodes, Secret secret, byte[] goodToken) {
        this.datanodes = datanodes;
        tokens = BlockTokens.of(secret, InstantSource.system());
        victim = tokens.verify(goodToken, BlockToken.Mode.READ);
        for (Kind kind : Kind.values()) {
            counts.put(kind, new Count());
        }
    }

    InetSocketAddress any(Random random) {
        return datanodes.get(random.nextInt(datanodes.size()));
    }

    BlockToken victim() {
        return victim;
    }

    Connection connect(InetSocketAddress datanode) {
        Connection connection = calling.connect(datanode, new ConnectionHandler() {
                    @Override
                    public void request(Connection from, Message message, Consumer<Message> reply) {
                        throw new IllegalStateException("a datanode asks nothing");
                    }
                })
                .toCompletableFuture()
                .join();
        connection.markAuthenticated();
        return connection;
    }

    /** Asks, and counts the answer. */
    Message ask(Kind kind, Connection connection, Message message) {
        Message answer;
        try {
            answer = connection
                    .request(message, ANSWER_NANOS)
                    .toCompletableFuture()
                    .join();
        } catch (CompletionException closed) {
            answer = Failed.of(FsException.of(closed));
        }
        boolean refused = answer instanceof Failed;
        count(kind, refused);
        if (!refused && kind.isAlwaysRefused()) {
            accept(kind + ": " + message + " was answered " + answer);
        }
        return answer;
    }

    void count(Kind kind, boolean refused) {
        Count count = counts.getOrDefault(kind, new Count());
        count.made().increment();
        if (refused) {
            count.refused().increment();
        }
    }

    void askAlone(Kind kind, InetSocketAddress datanode, Message message) {
        Connection connection = connect(datanode);
        ask(kind, connection, message);
        connection.close();
    }

    static long expiry() {
        return System.currentTimeMillis() + TOKEN_MILLIS;
    }

    byte[] toRead() {
        return tokens.mint(new BlockToken(victim.mode(), victim.block(), victim.store(), victim.key(), expiry()));
    }

    byte[] toWrite(BlockTokens by, String store, long length, long expiry) {
        long id = lastBlock.incrementAndGet();
        return by.mint(BlockToken.toWrite(new Block(id, 1, length, 0), USER, store, ObjectKey.of(id, 1, id), expiry));
    }

    byte[] toWrite() {
        return toWrite(tokens, victim.store(), victim.block().length(), expiry());
    }

    BlockTokens tokens() {
        return tokens;
    }

    /** Notes what had to be refused, and was not. */
    void accept(String what) {
        accepted.add(what);
    }

    /** Returns the attacks that had to be refused, and were not. */
    List<String> accepted() {
        return List.copyOf(accepted);
    }

    long made(Kind kind) {
        return counts.getOrDefault(kind, new Count()).made().sum();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Kind kind : Kind.values()) {
            Count count = counts.getOrDefault(kind, new Count());
            text.append(text.isEmpty() ? "" : ", ")
                    .append(kind.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                    .append(' ')
                    .append(count.made())
                    .append(" made, ")
                    .append(count.refused())
                    .append(" refused");
        }
        return text.toString();
    }

    @Override
    public void close() {
        calling.close();
    }
}
