package io.lambdafs.datanode.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.client.block.BlockCopy;
import io.lambdafs.client.block.BlockReader;
import io.lambdafs.client.block.BlockTransfer;
import io.lambdafs.client.block.BlockWriter;
import io.lambdafs.client.block.direct.DirectTransfer;
import io.lambdafs.datanode.FaultyProxy;
import io.lambdafs.datanode.block.BlockSink;
import io.lambdafs.datanode.block.BlockSource;
import io.lambdafs.datanode.block.BlockStoreCheck;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.DirectAccess;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.model.testkit.Waits;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.block.Seal;
import io.lambdafs.rpc.objects.ObjectClient;
import io.lambdafs.rpc.objects.S3Signer;
import io.lambdafs.rpc.objects.SignedRequest;
import io.lambdafs.rpc.objects.SignedRequest.Method;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks that clients write and read in an object store themselves, and what they notice of its faults. */
@Tag("once")
class DirectTransferTest {
    private static final String KEY = ObjectKey.of(1, 1, 1);
    private static final Block TARGET = new Block(1, 1, 1 << 20, 0);
    private static final String STORE = "s3://bucket/";
    private static final Duration LIFE = Duration.ofMinutes(10);

    private static final AtomicInteger BUCKETS = new AtomicInteger();

    private static S3Endpoint endpoint;

    @TempDir
    Path spool;

    private final byte[] content = new byte[300_001];
    private final SystemScheduler scheduler = new SystemScheduler("client", 1, 100);
    private String bucket;
    private FaultyProxy proxy;
    private S3BlockStore store;
    private S3Signer signer;
    private BlockTransfer transfer;

    @BeforeAll
    static void startEndpoint() throws Exception {
        endpoint = S3Endpoint.start();
    }

    @AfterAll
    static void stopEndpoint() {
        endpoint.close();
    }

    @BeforeEach
    void start() throws Exception {
        new Random(1).nextBytes(content);
        bucket = "bucket-" + BUCKETS.incrementAndGet();
        endpoint.makeBucket(bucket);
        store = S3BlockStore.open(endpoint.settings("s3://" + bucket, spool));
        connect();
    }

    /** So that no connection of before is used again. */
    private void connect() throws Exception {
        proxy = FaultyProxy.to(endpoint.address().getPort());
        signer = S3Endpoint.signer("s3://" + bucket, URI.create("http://127.0.0.1:" + proxy.port()));
        transfer = new DirectTransfer(new ObjectClient(scheduler, ObjectClient.SILENCE), null);
    }

    @AfterEach
    void stop() throws Exception {
        store.close();
        proxy.close();
        scheduler.close();
    }

    private LocatedBlock located(Method method, Block shown, Block stored, long now) {
        SignedRequest request = signer.sign(method, KEY, now, LIFE);
        return new LocatedBlock(shown, 0, STORE, KEY, new DirectAccess(request.url(), request.headers(), stored));
    }

    private LocatedBlock target() {
        return located(Method.PUT, TARGET, TARGET, System.currentTimeMillis());
    }

    private Block block() {
        return new Block(1, 1, content.length, Seal.crc(content, 0, content.length));
    }

    private LocatedBlock source() {
        return located(Method.GET, block(), block(), System.currentTimeMillis());
    }

    /** A client's copy of a block. */
    private static final class Copy implements BlockCopy {
        private final byte[] bytes;
        private final boolean isWhole;

        Copy(byte[] bytes, boolean isWhole) {
            this.bytes = bytes;
            this.isWhole = isWhole;
        }

        @Override
        public boolean isWhole() {
            return isWhole;
        }

        @Override
        public void read(long from, ByteBuffer into) {
            into.put(bytes, (int) from, into.remaining());
        }
    }

    private static <T> T done(CompletionStage<T> stage) {
        return Waits.join(stage);
    }

    private Block write(LocatedBlock target) {
        BlockWriter writer = transfer.write(target, new Copy(content, true));
        for (int at = 0; at < content.length; at += 100_000) {
            done(writer.write(ByteBuffer.wrap(content, at, Math.min(100_000, content.length - at))));
        }
        return done(writer.finish()).block();
    }

    private byte[] read(LocatedBlock source, long offset, int length) {
        try (BlockReader reader = transfer.read(source)) {
            ByteBuffer read = done(reader.read(offset, length));
            byte[] bytes = new byte[read.remaining()];
            read.get(bytes);
            return bytes;
        }
    }

    private byte[] read() {
        return read(source(), 0, content.length);
    }

    private static void assertFails(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call).satisfies(thrown -> {
            FsException why = FsException.of(thrown);
            assertThat(why.code()).isEqualTo(code);
            assertThat(why).hasMessageContaining(KEY).hasMessageContaining(STORE);
        });
    }

    private byte[] object() {
        byte[] object = new byte[(int) store.length(KEY).orElseThrow()];
        assertThat(store.read(KEY, 0, object, 0, object.length)).isEqualTo(object.length);
        return object;
    }

    private void replace(byte[] object) {
        store.delete(KEY);
        try (var upload = store.upload(KEY)) {
            upload.write(object, 0, object.length);
            upload.commit();
        }
    }

    @Test
    void shouldWriteWhatDatanodesRead() {
        assertThat(write(target())).isEqualTo(block());

        assertThat(new BlockSource(store).read(KEY, block(), 0, content.length)).isEqualTo(content);
    }

    @Test
    void shouldReadWhatDatanodesWrite() {
        try (BlockSink sink = new BlockSink(TARGET, store.upload(KEY))) {
            sink.add(content);
            sink.finish(content.length, block().crc32c());
        }

        assertThat(read()).isEqualTo(content);
        assertThat(read(source(), 65_530, 10)).isEqualTo(Arrays.copyOfRange(content, 65_530, 65_540));
        assertThat(read(source(), 300_000, 1)).isEqualTo(Arrays.copyOfRange(content, 300_000, 300_001));
        Block shown = new Block(1, 1, 100_000, 0);
        LocatedBlock cut = located(Method.GET, shown, block(), System.currentTimeMillis());
        assertThat(read(cut, 99_000, 1_000)).isEqualTo(Arrays.copyOfRange(content, 99_000, 100_000));
        assertThatThrownBy(() -> read(cut, 99_000, 1_001))
                .satisfies(thrown -> assertThat(FsException.of(thrown).code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    }

    @Test
    void shouldReplaceNoObject() {
        write(target());
        byte[] first = object();
        content[0] ^= 1;

        // Of a client that does not know what became of its request, which has another key next time.
        assertFails(ErrorCode.ALREADY_EXISTS, () -> write(target()));

        assertThat(object()).isEqualTo(first);
    }

    @Test
    void shouldWriteNothingWithoutACopyOrWithTooManyBytesOrNone() {
        BlockWriter full = transfer.write(target(), new Copy(content, false));
        BlockWriter small = transfer.write(
                located(Method.PUT, new Block(1, 1, 9, 0), TARGET, System.currentTimeMillis()),
                new Copy(content, true));

        assertThatThrownBy(() -> done(full.write(ByteBuffer.wrap(content))))
                .hasMessageContaining("java.io.tmpdir")
                .satisfies(thrown -> assertThat(FsException.of(thrown).code()).isEqualTo(ErrorCode.STORE_FULL));
        assertThatThrownBy(() -> done(small.write(ByteBuffer.wrap(content, 0, 10))))
                .satisfies(thrown -> assertThat(FsException.of(thrown).code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
        assertThatThrownBy(() ->
                        done(transfer.write(target(), new Copy(content, true)).finish()))
                .satisfies(thrown -> assertThat(FsException.of(thrown).code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
        assertThat(store.length(KEY)).isEmpty();
    }

    @Test
    void shouldNoticeBytesThatAreChangedOnTheirWayToTheStore() {
        proxy.flipRequest(100_000, true);

        assertFails(ErrorCode.BLOCK_CORRUPT, () -> write(target()));

        assertThat(store.length(KEY)).isEmpty();
    }

    @Test
    void shouldReadAgainWhatWasChangedOnItsWayBack() throws Exception {
        write(target());
        proxy.close();
        connect();
        proxy.flipAnswer(100_000, false);

        assertThat(read()).isEqualTo(content);
        assertThat(proxy.faults()).isEqualTo(1);
    }

    @Test
    void shouldNoticeAnObjectThatIsCutChangedOrGone() {
        write(target());
        byte[] whole = object();

        replace(Arrays.copyOf(whole, whole.length - 1));
        assertFails(ErrorCode.BLOCK_CORRUPT, this::read);
        replace(Arrays.copyOf(whole, 100));
        assertFails(ErrorCode.BLOCK_CORRUPT, this::read);
        byte[] changed = whole.clone();
        changed[123_456] ^= 1;
        replace(changed);
        assertFails(ErrorCode.BLOCK_CORRUPT, this::read);
        replace(whole);
        assertThat(read()).isEqualTo(content);
        store.delete(KEY);
        assertFails(ErrorCode.BLOCK_MISSING, this::read);
    }

    @Test
    void shouldSayThatTheStoreIsBusySilentOrGone() throws Exception {
        write(target());
        proxy.close();
        connect();
        proxy.refuse(1_000);
        assertFails(ErrorCode.UNAVAILABLE, this::read);
        assertFails(ErrorCode.UNAVAILABLE, () -> write(target()));
        proxy.close();
        connect();
        proxy.silence(1_000);
        transfer = new DirectTransfer(new ObjectClient(scheduler, Duration.ofMillis(300)), null);
        assertFails(ErrorCode.TIMED_OUT, this::read);
        assertFails(ErrorCode.TIMED_OUT, () -> write(target()));
        proxy.close();
        assertFails(ErrorCode.UNAVAILABLE, this::read);
    }

    @Test
    void shouldSayThatAnotherRequestWasUnderWay() {
        proxy.conflict(1);
        assertFails(ErrorCode.STORE_CONFLICT, () -> write(target()));

        proxy.conflict(1);
        BlockStoreCheck.checkDirect(
                STORE, signer, new ObjectClient(scheduler, ObjectClient.SILENCE), System.currentTimeMillis());
    }

    @Test
    void shouldSayThatLeaveIsRefusedOrOver() {
        write(target());
        LocatedBlock late = located(Method.GET, block(), block(), System.currentTimeMillis() - 3_600_000);
        DirectAccess access = source().direct();
        LocatedBlock forged = new LocatedBlock(
                block(), 0, STORE, KEY, new DirectAccess(access.url() + "0", access.headers(), block()));

        assertFails(ErrorCode.TOKEN_EXPIRED, () -> read(late, 0, 10));
        assertFails(ErrorCode.PERMISSION_DENIED, () -> read(forged, 0, 10));
    }
}
