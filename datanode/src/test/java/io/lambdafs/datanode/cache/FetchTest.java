package io.lambdafs.datanode.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.ForwardingBlockStore;
import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.model.FsException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads of an object while it is copied, piece by piece. */
class FetchTest {
    private static final int PIECE = 4 << 20;
    private static final int NEAR = 2 * PIECE;

    @TempDir
    Path folder;

    private final byte[] content = new byte[2 * PIECE + 100];
    private final Semaphore pieces = new Semaphore(0);
    private final AtomicInteger ended = new AtomicInteger();
    private final MemoryBlockStore objects = new MemoryBlockStore();
    private BlockCache cache;
    private boolean breaksOff;
    private Thread fetching;
    private Fetch fetch;

    @BeforeEach
    void fill() {
        new Random(1).nextBytes(content);
    }

    @AfterEach
    void end() throws InterruptedException {
        pieces.release(10);
        fetching.join();
    }

    /** Begins to copy; each piece waits until the test lets it come. */
    private void begin(int length, long room) {
        try (BlockStore.Upload upload = objects.upload("k")) {
            upload.write(content, 0, length);
            upload.commit();
        }
        BlockStore slow = new ForwardingBlockStore(objects) {
            @Override
            public int read(String key, long offset, byte[] into, int at, int size) {
                pieces.acquireUninterruptibly();
                if (breaksOff) {
                    throw FsException.unavailable("the store is gone");
                }
                return super.read(key, offset, into, at, size);
            }
        };
        cache = BlockCache.open(folder.resolve("copies"), room);
        fetch = new Fetch(slow, "k", Objects.requireNonNull(cache.draft("k")), ended::incrementAndGet);
        fetching = new Thread(fetch);
        fetching.start();
        await().until(pieces::hasQueuedThreads);
    }

    private void come() {
        pieces.release();
        await().until(() -> pieces.hasQueuedThreads() || !fetching.isAlive());
    }

    private int read(long offset, byte[] into) {
        return fetch.read(offset, into, 0, into.length);
    }

    private CompletableFuture<byte[]> reader(long offset, int length) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            byte[] into = new byte[length];
            answer.complete(read(offset, into) == length ? into : new byte[0]);
        });
        thread.start();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING || answer.isDone());
        return answer;
    }

    private byte[] range(int from, int length) {
        return Arrays.copyOfRange(content, from, from + length);
    }

    @Test
    void shouldAnswerFromWhatHasComeAndLetThoseNearWait() {
        begin(content.length, content.length);
        assertThat(read(NEAR - 9, new byte[10])).as("too far ahead to wait").isEqualTo(-1);
        CompletableFuture<byte[]> near = reader(NEAR - 10, 10);
        CompletableFuture<byte[]> first = reader(PIECE - 10, 10);
        CompletableFuture<byte[]> second = reader(PIECE - 9, 10);

        come();
        assertThat(first.join()).isEqualTo(range(PIECE - 10, 10));
        byte[] into = new byte[10];
        assertThat(read(0, into)).isEqualTo(10);
        assertThat(into).isEqualTo(range(0, 10));
        CompletableFuture<byte[]> last = reader(NEAR + 90, 10);
        assertThat(near).isNotDone();
        assertThat(second).isNotDone();

        come();
        assertThat(near.join()).isEqualTo(range(NEAR - 10, 10));
        assertThat(second.join()).isEqualTo(range(PIECE - 9, 10));
        come();
        assertThat(last.join()).isIn(range(NEAR + 90, 10), new byte[0]);
        assertThat(ended).hasValue(1);
        assertThat(cache.contains("k")).isTrue();
        assertThat(cache.read("k", NEAR + 90, into, 0, 10)).isEqualTo(10);
        assertThat(into).isEqualTo(range(NEAR + 90, 10));
    }

    @Test
    void shouldCopyAnObjectOfWholePieces() {
        begin(PIECE, PIECE);
        come();
        assertThat(fetching.isAlive())
                .as("whether it has ended shows the next piece")
                .isTrue();
        come();

        assertThat(cache.contains("k")).isTrue();
        assertThat(cache.usedBytes()).isEqualTo(PIECE);
        assertThat(ended).hasValue(1);
    }

    @Test
    void shouldSendWaitingReadersToTheStoreWhereItBreaksOff() {
        begin(content.length, content.length);
        come();
        CompletableFuture<byte[]> waiting = reader(PIECE, 10);
        breaksOff = true;
        come();

        assertThat(waiting.join()).isEmpty();
        assertThat(cache.contains("k")).isFalse();
        assertThat(cache.usedBytes()).isZero();
        assertThat(folder.resolve("copies")).isEmptyDirectory();
        assertThat(ended).hasValue(1);
    }

    @Test
    void shouldEndWhereThereIsNoRoom() {
        begin(content.length, PIECE);
        CompletableFuture<byte[]> waiting = reader(PIECE, 10);
        come();
        come();

        assertThat(waiting.join()).isEmpty();
        assertThat(cache.usedBytes()).isZero();
        assertThat(folder.resolve("copies")).isEmptyDirectory();
        assertThat(ended).hasValue(1);
    }

    @Test
    void shouldNotLetAThreadWaitThatIsToEnd() {
        begin(content.length, content.length);
        Thread.currentThread().interrupt();

        assertThat(read(0, new byte[10])).isEqualTo(-1);

        assertThat(Thread.interrupted()).isTrue();
    }
}
