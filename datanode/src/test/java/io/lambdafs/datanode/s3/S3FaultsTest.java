package io.lambdafs.datanode.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.datanode.FaultyProxy;
import io.lambdafs.datanode.block.BlockSink;
import io.lambdafs.datanode.block.BlockSource;
import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.rpc.block.Seal;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;

/** Blocks in an object store that answers badly, slowly or not at all, or that has lost or changed something. */
class S3FaultsTest {
    private static final String KEY = ObjectKey.of(1, 1, 1);
    /** Attempts of the SDK for a request. */
    private static final int ATTEMPTS = 3;

    @TempDir
    Path spool;

    private final byte[] content = new byte[300_000];
    private S3Endpoint endpoint;
    private FaultyProxy proxy;
    private S3BlockStore store;
    private Block block;

    @BeforeEach
    void start() throws Exception {
        new Random(1).nextBytes(content);
        endpoint = S3Endpoint.start();
        endpoint.makeBucket("bucket");
        proxy = FaultyProxy.to(endpoint.address().getPort());
        store = S3BlockStore.open(S3Endpoint.settings(
                "s3://bucket", spool, URI.create("http://127.0.0.1:" + proxy.port()), S3Endpoint.password()));
    }

    @AfterEach
    void stop() throws Exception {
        store.close();
        proxy.close();
        endpoint.close();
    }

    private void write() {
        try (BlockSink sink = new BlockSink(new Block(1, 1, 1 << 20, 0), store.upload(KEY))) {
            sink.add(content);
            block = sink.finish(content.length, Seal.crc(content, 0, content.length));
        }
    }

    private byte[] read() {
        return new BlockSource(store).read(KEY, block, 0, content.length);
    }

    private void replace(byte[] object) {
        store.client().putObject(put -> put.bucket("bucket").key(KEY), RequestBody.fromBytes(object));
    }

    private byte[] object() {
        return store.client()
                .getObjectAsBytes(get -> get.bucket("bucket").key(KEY))
                .asByteArray();
    }

    private static void assertFails(ErrorCode code, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(KEY);
    }

    @Test
    void shouldTryAgainWhereTheStoreIsBusy() {
        proxy.refuse(2);
        write();
        proxy.refuse(2);

        assertThat(read()).isEqualTo(content);
        assertThat(proxy.faults()).isBetween(2, 4);
    }

    @Test
    void shouldSendAgainWhatCollidedWithAnotherRequest() {
        proxy.conflict(2);
        write();

        assertThat(proxy.faults()).isEqualTo(2);
        assertThat(read()).isEqualTo(content);
    }

    @Test
    void shouldSayThatEveryRequestCollides() {
        proxy.conflict(1_000);

        assertFails(ErrorCode.STORE_CONFLICT, this::write);
    }

    /** With a part to be sent yet, and with all of them sent. */
    @ParameterizedTest
    @ValueSource(ints = {(5 << 20) + 1, 5 << 20})
    void shouldEndAnUploadInPartsThatCollidedWithAnotherRequest(int length) throws Exception {
        try (BlockStore.Upload upload = store.upload(KEY)) {
            upload.write(new byte[length], 0, length);
            proxy.endKept();
            proxy.conflict(1);
            upload.commit();
        }

        assertThat(proxy.faults()).isEqualTo(1);
        assertThat(store.length(KEY)).hasValue(length);
    }

    /** The writer may write the block again, under another key. */
    @Test
    void shouldSayThatAnUploadInPartsWasDropped() {
        try (BlockStore.Upload upload = store.upload(KEY)) {
            upload.write(new byte[5 << 20], 0, 5 << 20);
            store.unfinished("", "", 10).forEach(store::drop);

            assertFails(ErrorCode.UNAVAILABLE, upload::commit);
        }
    }

    @Test
    void shouldSayWhatFailedWhereTheStoreStaysBusy() {
        proxy.refuse(1_000);

        assertFails(ErrorCode.UNAVAILABLE, this::write);
    }

    @Test
    void shouldLookForTheObjectWhereTheStoreHangsUp() throws Exception {
        proxy.hangUp(ATTEMPTS);
        assertFails(ErrorCode.UNAVAILABLE, this::write);
        assertThat(store.length(KEY)).isEmpty();

        write();
        byte[] first = object();
        reconnect();
        proxy.hangUp(ATTEMPTS);
        assertFails(ErrorCode.ALREADY_EXISTS, this::write);

        assertThat(proxy.faults()).isEqualTo(ATTEMPTS);
        assertThat(object()).isEqualTo(first);
    }

    @Test
    void shouldAskAgainWhereAnAnswerDoesNotCome() throws Exception {
        write();
        reconnect();
        proxy.silence(1);

        assertThat(read()).isEqualTo(content);
        assertThat(proxy.faults()).isEqualTo(1);
    }

    @Test
    void shouldAskAgainWhereAnAnswerBreaksOff() throws Exception {
        write();
        reconnect();
        proxy.cut(1);

        byte[] bytes = new byte[200_000];
        assertThat(store.read(KEY, 0, bytes, 0, bytes.length)).isEqualTo(bytes.length);
        assertThat(bytes).isEqualTo(Arrays.copyOf(content, bytes.length));
        assertThat(proxy.faults()).isEqualTo(1);
    }

    /** So that no connection of before is used again. */
    private void reconnect() throws Exception {
        proxy.close();
        store.close();
        proxy = FaultyProxy.to(endpoint.address().getPort());
        store = S3BlockStore.open(S3Endpoint.settings(
                "s3://bucket", spool, URI.create("http://127.0.0.1:" + proxy.port()), S3Endpoint.password()));
    }

    @Test
    void shouldNoticeAnObjectThatIsCutChangedOrGone() {
        write();
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
    void shouldFailWhereTheStoreHasGone() throws Exception {
        write();
        BlockStore.Upload upload = store.upload(KEY);
        upload.write(content, 0, content.length);
        proxy.close();

        assertFails(ErrorCode.UNAVAILABLE, this::read);
        assertFails(ErrorCode.UNAVAILABLE, upload::commit);
        upload.close();
        assertThat(spool).isEmptyDirectory();
    }
}
