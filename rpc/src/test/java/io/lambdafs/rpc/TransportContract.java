package io.lambdafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.block.BlockMessages;
import io.lambdafs.rpc.block.BlockPieces;
import io.lambdafs.rpc.block.ReadPieces;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.Ping;
import io.lambdafs.rpc.message.RpcMessages;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contract of every {@link Transport}. Each implementation extends it, and {@link TransportFaultsContract}. */
public abstract class TransportContract extends TransportFixture {
    private static final TransportLimits LIMITS = TransportLimits.DEFAULT;

    private final RecordingHandler handler = new RecordingHandler();

    @TempDir
    Path folder;

    @Test
    void shouldEchoARequest() {
        Transport transport = transport(LIMITS);
        Connection connection = connect(transport, listen(transport, handler));

        Ping reply = (Ping) get(connection.request(new Ping(7, new byte[] {1, 2, 3}), PATIENCE));

        assertThat(reply.number()).isEqualTo(7);
        assertThat(reply.payload()).containsExactly(1, 2, 3);
        assertThat(connection.inFlight()).isZero();
    }

    @Test
    void shouldAnswerTenThousandPipelinedRequestsOfEightThreads() throws InterruptedException {
        int perThread = 1_250;
        Transport server = transport(LIMITS.withMaxInFlightPerConnection(10_000));
        Transport client = transport(LIMITS.withMaxInFlightPerConnection(10_000));
        Connection connection = connect(client, listen(server, handler));
        Queue<CompletionStage<Message>> wrong = new ConcurrentLinkedQueue<>();
        Queue<CompletionStage<Message>> all = new ConcurrentLinkedQueue<>();
        List<Thread> threads = IntStream.range(0, 8)
                .mapToObj(t -> new Thread(() -> {
                    for (int i = 0; i < perThread; i++) {
                        int number = t * perThread + i;
                        CompletionStage<Message> reply = connection.request(Ping.of(number), PATIENCE);
                        all.add(reply);
                        reply.thenAccept(message -> {
                            if (((Ping) message).number() != number) {
                                wrong.add(reply);
                            }
                        });
                    }
                }))
                .toList();

        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        all.forEach(TransportFixture::get);

        assertThat(all).hasSize(8 * perThread);
        assertThat(wrong).isEmpty();
        assertThat(connection.inFlight()).isZero();
    }

    @Test
    void shouldCarryRequestsOfBothEndsOverOneConnection() {
        Transport server = transport(LIMITS);
        Transport client = transport(LIMITS);
        RecordingHandler dialler = new RecordingHandler();
        dialler.answer = (connection, message, reply) -> reply.accept(Ping.of(-((Ping) message).number()));
        Connection dialled = get(client.connect(listen(server, handler).address(), dialler));
        await().until(() -> !handler.opened.isEmpty());
        Connection accepted = handler.opened.get(0);

        List<CompletionStage<Message>> asked = new ArrayList<>();
        List<CompletionStage<Message>> askedBack = new ArrayList<>();
        for (int i = 1; i <= 1_000; i++) {
            asked.add(dialled.request(Ping.of(i), PATIENCE));
            askedBack.add(accepted.request(Ping.of(i), PATIENCE));
        }

        for (int i = 1; i <= 1_000; i++) {
            assertThat(((Ping) get(asked.get(i - 1))).number()).isEqualTo(i);
            assertThat(((Ping) get(askedBack.get(i - 1))).number()).isEqualTo(-i);
        }
    }

    @Test
    void shouldLetAHandlerAskBackBeforeItAnswers() {
        Transport server = transport(LIMITS);
        Transport client = transport(LIMITS);
        handler.answer = (connection, message, reply) ->
                connection.request(message, PATIENCE).thenAccept(reply);
        RecordingHandler dialler = new RecordingHandler();
        dialler.answer = (connection, message, reply) -> reply.accept(Ping.of(2 * ((Ping) message).number()));
        Connection connection = get(client.connect(listen(server, handler).address(), dialler));

        assertThat(((Ping) get(connection.request(Ping.of(21), PATIENCE))).number())
                .isEqualTo(42);
    }

    @Test
    void shouldTakeRepliesFromOtherThreadsInAnyOrder() throws InterruptedException {
        Transport transport = transport(LIMITS);
        Queue<Runnable> answers = new ConcurrentLinkedQueue<>();
        handler.answer = (connection, message, reply) -> answers.add(() -> reply.accept(message));
        Connection connection = connect(transport, listen(transport, handler));

        List<CompletionStage<Message>> replies = IntStream.range(0, 100)
                .mapToObj(i -> connection.request(Ping.of(i), PATIENCE))
                .toList();
        await().until(() -> answers.size() == 100);
        List<Runnable> reversed = new ArrayList<>(answers);
        Collections.reverse(reversed);
        Thread other = new Thread(() -> reversed.forEach(Runnable::run));
        other.start();
        other.join();

        for (int i = 0; i < 100; i++) {
            assertThat(((Ping) get(replies.get(i))).number()).isEqualTo(i);
        }
    }

    @Test
    void shouldTimeOutAnUnansweredRequestAndIgnoreItsLateReply() {
        Transport transport = transport(LIMITS);
        AtomicReference<Consumer<Message>> late = new AtomicReference<>();
        handler.answer = (connection, message, reply) -> late.set(reply);
        Connection connection = connect(transport, listen(transport, handler));

        assertFails(connection.request(Ping.of(1), SECOND / 20), ErrorCode.TIMED_OUT);
        assertThat(connection.inFlight()).isZero();
        late.get().accept(Ping.of(1));
        handler.answer = (c, message, reply) -> reply.accept(message);

        assertEchoes(connection);
    }

    @Test
    void shouldTakeOnlyTheFirstReply() {
        Transport transport = transport(LIMITS);
        handler.answer = (connection, message, reply) -> {
            reply.accept(message);
            reply.accept(Ping.of(5));
        };
        Connection connection = connect(transport, listen(transport, handler));

        for (int i = 0; i < 100; i++) {
            assertThat(((Ping) get(connection.request(Ping.of(i), PATIENCE))).number())
                    .isEqualTo(i);
        }
    }

    @Test
    void shouldFailPendingRequestsWhenThePeerCloses() {
        Transport transport = transport(LIMITS);
        AtomicReference<Connection> accepted = new AtomicReference<>();
        handler.answer = (connection, message, reply) -> accepted.set(connection);
        Connection connection = connect(transport, listen(transport, handler));
        CompletionStage<Message> pending = connection.request(Ping.of(1), PATIENCE);
        await().until(() -> accepted.get() != null);

        accepted.get().close();

        assertFails(pending, ErrorCode.CONNECTION_LOST);
        get(connection.closed());
        assertThat(connection.isOpen()).isFalse();
        assertFails(connection.request(Ping.of(2), PATIENCE), ErrorCode.CONNECTION_LOST);
    }

    @Test
    void shouldFailPendingRequestsWhenClosedAndIgnoreRepliesAfterwards() {
        Transport transport = transport(LIMITS);
        AtomicReference<Consumer<Message>> late = new AtomicReference<>();
        handler.answer = (connection, message, reply) -> late.set(reply);
        Connection connection = connect(transport, listen(transport, handler));
        CompletionStage<Message> pending = connection.request(Ping.of(1), PATIENCE);
        await().until(() -> late.get() != null);

        connection.close();

        assertThat(connection.isOpen()).isFalse();
        assertFails(pending, ErrorCode.CONNECTION_LOST);
        await().until(() -> handler.closed.size() == 1);
        late.get().accept(Ping.of(1));
        assertFails(connection.request(Ping.of(2), PATIENCE), ErrorCode.CONNECTION_LOST);
    }

    @Test
    void shouldFailPendingRequestsWhenTheTransportCloses() {
        Transport server = transport(LIMITS);
        Transport client = transport(LIMITS);
        handler.answer = (connection, message, reply) -> {};
        Connection connection = connect(client, listen(server, handler));
        CompletionStage<Message> pending = connection.request(Ping.of(1), PATIENCE);

        client.close();

        assertFails(pending, ErrorCode.CONNECTION_LOST);
        assertFails(connection.request(Ping.of(2), PATIENCE), ErrorCode.CONNECTION_LOST);
        assertFails(client.connect(anyPort(), handler), ErrorCode.UNAVAILABLE);
        assertFails(client.listen(anyPort(), handler), ErrorCode.UNAVAILABLE);
    }

    @Test
    void shouldTellTheHandlerOfOpeningAndClosingOnce() {
        Transport server = transport(LIMITS);
        Transport client = transport(LIMITS);
        Connection connection = connect(client, listen(server, handler));
        await().until(() -> handler.opened.size() == 1);
        handler.opened.get(0).attach("state");

        connection.close();
        connection.close();

        await().until(() -> handler.closed.size() == 1);
        assertThat(handler.closed.get(0)).isSameAs(handler.opened.get(0));
        assertThat(handler.closed.get(0).attachment()).isEqualTo("state");
    }

    /** Bytes that came behind an answer. */
    private static final class Tail implements TailSink {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int announced;

        @Override
        public void begin(Tailed answer, int length) {
            announced = length;
        }

        @Override
        public void take(ByteBuffer more) {
            byte[] part = new byte[more.remaining()];
            more.get(part);
            bytes.writeBytes(part);
        }
    }

    /** A server that answers with parts of a file, and echoes what does not ask for one. */
    private Connection toAFile(byte[] content) throws IOException {
        Path file = Files.write(folder.resolve("file"), content);
        handler.answer = (connection, message, reply) -> {
            if (!(message instanceof ReadPieces read)) {
                reply.accept(message);
                return;
            }
            try {
                FileSlice slice = FileSlice.open(file, read.offset(), read.length());
                reply.accept(new BlockPieces(read.offset(), new int[] {(int) read.offset()}, slice));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        Codec codec = Ping.register(BlockMessages.register(RpcMessages.register(Codec.builder())))
                .build();
        Connection connection = connect(transport(codec, LIMITS), listen(transport(codec, LIMITS), handler));
        connection.markAuthenticated();
        return connection;
    }

    private static Message asking(int offset, int length) {
        return new ReadPieces(new byte[1], offset, length);
    }

    @Test
    void shouldSendPartsOfAFileBehindAnswers() throws IOException {
        byte[] content = new byte[3 << 20];
        new Random(3).nextBytes(content);
        Connection connection = toAFile(content);
        List<CompletionStage<Message>> answers = new ArrayList<>();
        List<Tail> tails = new ArrayList<>();
        int[][] ranges = {{0, 1}, {7, 100_000}, {0, 1 << 20}, {(3 << 20) - 5, 5}, {1 << 20, 1 << 20}};
        for (int[] range : ranges) {
            Tail tail = new Tail();
            tails.add(tail);
            answers.add(connection.request(asking(range[0], range[1]), tail, PATIENCE));
            answers.add(connection.request(Ping.of(5), PATIENCE));
        }

        for (int i = 0; i < ranges.length; i++) {
            BlockPieces answer = (BlockPieces) get(answers.get(2 * i));
            assertThat(answer.checksums()).containsExactly(ranges[i][0]);
            assertThat(tails.get(i).announced).isEqualTo(ranges[i][1]);
            assertThat(tails.get(i).bytes.toByteArray())
                    .isEqualTo(Arrays.copyOfRange(content, ranges[i][0], ranges[i][0] + ranges[i][1]));
            assertThat(((Ping) get(answers.get(2 * i + 1))).number()).isEqualTo(5);
        }
    }

    /** Has a place for what comes behind an answer, and offers up to a number of bytes of it at once. */
    private static final class PlacedTail implements TailSink {
        final ByteBuffer place;
        private final int room;
        int placed;
        private int at;

        PlacedTail(int length, int room) {
            place = ByteBuffer.allocateDirect(length);
            this.room = room;
        }

        @Override
        public void begin(Tailed answer, int length) {}

        @Override
        public void take(ByteBuffer bytes) {
            int count = bytes.remaining();
            place.put(at, bytes, bytes.position(), count);
            at += count;
        }

        @Override
        public ByteBuffer room() {
            return place.slice(at, Math.min(room, place.capacity() - at));
        }

        @Override
        public void came(int count) {
            at += count;
            placed += count;
        }
    }

    @Test
    void shouldPutWhatFollowsAnAnswerWhereItBelongs() throws IOException {
        byte[] content = new byte[3 << 20];
        new Random(4).nextBytes(content);
        Connection connection = toAFile(content);
        int placed = 0;
        // In turns, as the answers that wait are limited.
        for (int first = 0; first < 24; first += 3) {
            placed += placed(connection, content, first, first + 3);
        }
        if (putsInPlace()) {
            assertThat(placed).isGreaterThan(1 << 20);
        } else {
            assertThat(placed).isZero();
        }
    }

    private static int placed(Connection connection, byte[] content, int from, int to) throws IOException {
        List<CompletionStage<Message>> answers = new ArrayList<>();
        List<PlacedTail> tails = new ArrayList<>();
        int large = 1 << 20;
        for (int i = from; i < to; i++) {
            int length = i % 3 == 2 ? 1 + i : large;
            // What is no answer's must not be put behind its bytes, even where there is space.
            PlacedTail tail = new PlacedTail(i % 2 == 0 ? length : 2 * large, i % 5 == 0 ? 2 * large : 100_000);
            tails.add(tail);
            answers.add(connection.request(asking(i, length), tail, PATIENCE));
            answers.add(connection.request(Ping.of(i), PATIENCE));
        }

        int placed = 0;
        for (int i = from; i < to; i++) {
            assertThat(get(answers.get(2 * (i - from)))).isInstanceOf(BlockPieces.class);
            assertThat(((Ping) get(answers.get(2 * (i - from) + 1))).number()).isEqualTo(i);
            PlacedTail tail = tails.get(i - from);
            byte[] got = new byte[tail.at];
            tail.place.get(0, got);
            assertThat(got).isEqualTo(Arrays.copyOfRange(content, i, i + (i % 3 == 2 ? 1 + i : large)));
            placed += tail.placed;
        }
        return placed;
    }

    /** Returns whether the system puts what follows an answer where it belongs. */
    protected boolean putsInPlace() {
        return false;
    }

    @Test
    void shouldSkipWhatFollowsAnAnswerThatNobodyTakes() throws IOException {
        Connection connection = toAFile(new byte[1 << 20]);
        TailSink refusing = new TailSink() {
            @Override
            public void begin(Tailed answer, int bytes) {
                throw new FsException(ErrorCode.INTERNAL, "not this");
            }

            @Override
            public void take(ByteBuffer bytes) {
                throw new AssertionError("nobody asked for that");
            }
        };

        assertFails(connection.request(asking(1, 1_000_000), PATIENCE), ErrorCode.BAD_FRAME);
        assertFails(connection.request(asking(1, 1_000_000), refusing, PATIENCE), ErrorCode.INTERNAL);
        assertThat(((Ping) get(connection.request(Ping.of(5), PATIENCE))).number())
                .isEqualTo(5);
    }

    @Test
    void shouldFailARequestWhoseFileIsCutWhileItIsSent() throws IOException {
        Connection connection = toAFile(new byte[1 << 20]);
        Path file = folder.resolve("file");
        RecordingHandler.Answer sends = handler.answer;
        handler.answer = (asked, message, reply) -> sends.request(asked, message, answer -> {
            try (FileChannel cut = FileChannel.open(file, StandardOpenOption.WRITE)) {
                cut.truncate(10);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            reply.accept(answer);
        });

        assertFails(connection.request(asking(0, 1 << 20), new Tail(), PATIENCE), ErrorCode.CONNECTION_LOST);
    }
}
