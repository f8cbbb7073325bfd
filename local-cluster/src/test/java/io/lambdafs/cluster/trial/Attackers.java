package io.lambdafs.cluster.trial;

import io.lambdafs.cluster.trial.Attacked.Kind;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.block.FinishWrite;
import io.lambdafs.rpc.block.OpenWrite;
import io.lambdafs.rpc.block.ReadBlock;
import io.lambdafs.rpc.block.ReadPieces;
import io.lambdafs.rpc.block.Seal;
import io.lambdafs.rpc.block.WriteChunk;
import io.lambdafs.rpc.block.WriteOpened;
import io.lambdafs.rpc.message.DeafPeer;
import io.lambdafs.rpc.message.Message;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Attack datanodes, each kind on a thread of its own, until stopped. Thread-safe. */
final class Attackers {
    private static final Logger LOG = LoggerFactory.getLogger(Attackers.class);
    private static final int CROWD = 20;
    private static final int ASKED_EACH = 250;
    private static final int CONNECTIONS = 16;
    private static final int WRITES_EACH = 64;
    private static final int HOLD_SECONDS = 10;
    private static final long PAUSE_MILLIS = 50;

    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final Attacked target;
    private volatile boolean over;

    Attackers(Attacked target) {
        this.target = target;
    }

    void start() {
        for (Kind kind : Kind.values()) {
            Thread thread = new Thread(() -> attack(kind), "attack-" + kind);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void attack(Kind kind) {
        Random random = new Random(kind.name().hashCode());
        while (!over) {
            try {
                InetSocketAddress datanode = target.any(random);
                switch (kind) {
                    case READERS_THAT_STOP -> stopReading(datanode);
                    case WRITERS_THAT_HOLD -> holdWrites(datanode);
                    case FRAMES_IN_PART -> sendParts(datanode);
                    case SECOND_OPENS -> openTwice(datanode);
                    case LIES_ABOUT_LENGTHS -> lie(datanode);
                    case FORGED_TOKENS -> forge(datanode, random);
                    case FOREIGN_TOKENS -> bringForeign(datanode);
                }
                pause(PAUSE_MILLIS);
            } catch (IOException | RuntimeException e) {
                LOG.info("{} was cut off", kind, e);
            } catch (InterruptedException end) {
                return;
            }
        }
    }

    private static void pause(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }

    private void stopReading(InetSocketAddress datanode) throws IOException, InterruptedException {
        crowd(Kind.READERS_THAT_STOP, datanode, peer -> {
            for (int i = 0; i < ASKED_EACH; i++) {
                // Half of them from files.
                Message read = i % 2 == 0
                        ? new ReadBlock(target.toRead(), 1, WriteChunk.MAX_BYTES)
                        : new ReadPieces(target.toRead(), 0, WriteChunk.MAX_BYTES);
                if (!peer.ask(read)) {
                    return;
                }
            }
        });
    }

    private void sendParts(InetSocketAddress datanode) throws IOException, InterruptedException {
        byte[] chunk = new byte[WriteChunk.MAX_BYTES];
        byte[] frame = DeafPeer.frame(Attacked.CODEC, 2, new WriteChunk(1, 0, chunk, Seal.crc(chunk, 0, chunk.length)));
        byte[] part = Arrays.copyOf(frame, frame.length - 1);
        crowd(Kind.FRAMES_IN_PART, datanode, peer -> {
            if (peer.ask(new ReadBlock(target.toRead(), 0, 1))) {
                peer.send(part);
            }
        });
    }

    /** A step of one attacker of a crowd. */
    private interface Step {
        void run(DeafPeer peer) throws IOException;
    }

    /** Many do the same and hold their connections; refused are those who are closed. */
    private void crowd(Kind kind, InetSocketAddress datanode, Step step) throws IOException, InterruptedException {
        List<DeafPeer> crowd = new ArrayList<>();
        try {
            for (int i = 0; i < CROWD; i++) {
                DeafPeer peer = new DeafPeer(datanode, Attacked.CODEC);
                crowd.add(peer);
                step.run(peer);
            }
            pause(TimeUnit.SECONDS.toMillis(HOLD_SECONDS));
            for (DeafPeer each : crowd) {
                // The first write after the other end has gone is still taken.
                each.ask(new ReadBlock(target.toRead(), 0, 1));
                pause(1);
                target.count(kind, !each.ask(new ReadBlock(target.toRead(), 0, 1)));
            }
        } finally {
            for (DeafPeer each : crowd) {
                each.close();
            }
        }
    }

    private void holdWrites(InetSocketAddress datanode) throws InterruptedException {
        List<Connection> connections = new ArrayList<>();
        Map<Long, Connection> open = new HashMap<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                Connection connection = target.connect(datanode);
                connections.add(connection);
                for (int j = 0; j < WRITES_EACH; j++) {
                    Message answer = target.ask(Kind.WRITERS_THAT_HOLD, connection, new OpenWrite(target.toWrite()));
                    if (answer instanceof WriteOpened opened) {
                        open.put(opened.stream(), connection);
                    }
                }
            }
            byte[] one = new byte[1];
            for (int second = 0; second < HOLD_SECONDS && !over; second++) {
                long at = second;
                List<CompletableFuture<Message>> answers = new ArrayList<>();
                open.forEach((stream, connection) -> answers.add(connection
                        .request(new WriteChunk(stream, at, one, Seal.crc(one, 0, 1)), Attacked.ANSWER_NANOS)
                        .toCompletableFuture()));
                CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                        .exceptionally(cut -> null)
                        .join();
                pause(1_000);
            }
        } finally {
            connections.forEach(Connection::close);
        }
    }

    private void openTwice(InetSocketAddress datanode) {
        OpenWrite opening = new OpenWrite(target.toWrite());
        Connection first = target.connect(datanode);
        Message opened = first.request(opening, Attacked.ANSWER_NANOS)
                .toCompletableFuture()
                .join();
        if (opened instanceof WriteOpened) {
            target.ask(Kind.SECOND_OPENS, first, opening);
            target.askAlone(Kind.SECOND_OPENS, datanode, opening);
        }
        first.close();
    }

    private void lie(InetSocketAddress datanode) throws IOException {
        Kind kind = Kind.LIES_ABOUT_LENGTHS;
        for (int length : new int[] {Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 0, 1 << 24}) {
            try (DeafPeer peer = new DeafPeer(datanode, Attacked.CODEC)) {
                peer.ask(new ReadBlock(target.toRead(), 0, 1));
                peer.send(ByteBuffer.allocate(64).putInt(length).array());
                boolean closed = isClosed(peer);
                target.count(kind, closed);
                if (!closed) {
                    target.accept(kind + ": a frame of " + length + " bytes");
                }
            }
        }
        long length = target.victim().block().length();
        Connection connection = target.connect(datanode);
        for (long[] range : new long[][] {
            {length, 1}, {length - 1, 2}, {-1, 1}, {0, 0}, {0, -1}, {0, WriteChunk.MAX_BYTES + 1}, {Long.MAX_VALUE, 8}
        }) {
            target.ask(kind, connection, new ReadBlock(target.toRead(), range[0], (int) range[1]));
            target.ask(kind, connection, new ReadPieces(target.toRead(), range[0], (int) range[1]));
        }
        byte[] bytes = new byte[100];
        int crc = Seal.crc(bytes, 0, bytes.length);
        for (long declared : new long[] {1L << 61, length}) {
            for (long finished : new long[] {bytes.length + 1, bytes.length - 1, 1L << 61, -1}) {
                Message opened = connection
                        .request(
                                new OpenWrite(target.toWrite(
                                        target.tokens(), target.victim().store(), declared, Attacked.expiry())),
                                Attacked.ANSWER_NANOS)
                        .toCompletableFuture()
                        .join();
                if (opened instanceof WriteOpened write) {
                    connection.request(new WriteChunk(write.stream(), 0, bytes, crc), Attacked.ANSWER_NANOS);
                    target.ask(kind, connection, new FinishWrite(write.stream(), finished, crc));
                    target.ask(kind, connection, new WriteChunk(write.stream(), 0, bytes, crc));
                }
            }
        }
        connection.close();
    }

    private static boolean isClosed(DeafPeer peer) throws IOException {
        try {
            return !peer.read(1 << 10);
        } catch (SocketTimeoutException open) {
            return false;
        }
    }

    private void forge(InetSocketAddress datanode, Random random) {
        byte[] changed = target.toRead();
        changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
        target.askAlone(Kind.FORGED_TOKENS, datanode, new ReadBlock(changed, 0, 1));
        byte[] written = target.toWrite();
        written[random.nextInt(written.length)] ^= (byte) (1 << random.nextInt(8));
        target.askAlone(Kind.FORGED_TOKENS, datanode, new OpenWrite(written));
        byte[] any = new byte[random.nextInt(BlockTokens.MAX_BYTES)];
        random.nextBytes(any);
        target.askAlone(Kind.FORGED_TOKENS, datanode, new ReadPieces(any, 0, 1));
        // On a connection that has brought a good one.
        Connection connection = target.connect(datanode);
        connection
                .request(new ReadBlock(target.toRead(), 0, 1), Attacked.ANSWER_NANOS)
                .toCompletableFuture()
                .join();
        target.ask(Kind.FORGED_TOKENS, connection, new OpenWrite(any));
        connection.close();
    }

    private void bringForeign(InetSocketAddress datanode) {
        Kind kind = Kind.FOREIGN_TOKENS;
        BlockTokens others = BlockTokens.of(Secret.generate(), InstantSource.system());
        String store = target.victim().store();
        target.askAlone(kind, datanode, new ReadBlock(others.mint(target.victim()), 0, 1));
        target.askAlone(kind, datanode, new OpenWrite(target.toWrite(others, store, 1, Attacked.expiry())));
        target.askAlone(
                kind, datanode, new OpenWrite(target.toWrite(target.tokens(), store + "x", 1, Attacked.expiry())));
        target.askAlone(
                kind,
                datanode,
                new OpenWrite(target.toWrite(target.tokens(), store, 1, System.currentTimeMillis() - 1)));
        target.askAlone(kind, datanode, new OpenWrite(target.toRead()));
        target.askAlone(kind, datanode, new ReadBlock(target.toWrite(), 0, 1));
    }

    void stop() {
        over = true;
        threads.forEach(Thread::interrupt);
    }
}
