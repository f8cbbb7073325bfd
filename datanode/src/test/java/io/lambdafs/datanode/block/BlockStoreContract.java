package io.lambdafs.datanode.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.datanode.block.BlockStore.StoredObject;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.objects.ObjectClient;
import io.lambdafs.rpc.objects.ObjectSigner;
import io.lambdafs.rpc.objects.SignedRequest;
import io.lambdafs.rpc.objects.SignedRequest.Method;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Contract of every block store. */
public abstract class BlockStoreContract {
    private static final Duration LIFE = Duration.ofMinutes(10);

    private final SystemScheduler scheduler = new SystemScheduler("signed", 1, 16);

    /** The store under test, empty at first. */
    protected abstract BlockStore store();

    /** Returns the signer of requests; none if only the store's own process can write and read it. */
    protected Optional<ObjectSigner> signer() {
        return Optional.empty();
    }

    protected static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    protected void put(String key, byte[] content) {
        try (BlockStore.Upload upload = store().upload(key)) {
            for (int at = 0; at < content.length; at += 100_000) {
                upload.write(content, at, Math.min(100_000, content.length - at));
            }
            upload.commit();
        }
    }

    protected byte[] get(String key, long offset, int length) {
        byte[] bytes = new byte[length + 2];
        int count = store().read(key, offset, bytes, 1, length);
        assertThat(bytes[0]).isZero();
        assertThat(bytes[length + 1]).isZero();
        return Arrays.copyOfRange(bytes, 1, count + 1);
    }

    protected static void assertFails(ErrorCode code, String named, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(named);
    }

    @Test
    void shouldReadBackWhatWasCommitted() {
        String key = ObjectKey.of(1, 1, 1);
        byte[] content = bytes(300_001, 1);

        put(key, content);

        assertThat(store().length(key)).hasValue(content.length);
        assertThat(get(key, 0, content.length)).isEqualTo(content);
    }

    @Test
    void shouldReadRanges() {
        String key = ObjectKey.of(2, 1, 1);
        byte[] content = bytes(100_000, 2);
        put(key, content);

        assertThat(get(key, 0, 1)).isEqualTo(Arrays.copyOf(content, 1));
        assertThat(get(key, 70_000, 30_000)).isEqualTo(Arrays.copyOfRange(content, 70_000, 100_000));
        assertThat(get(key, 99_999, 1)).isEqualTo(Arrays.copyOfRange(content, 99_999, 100_000));
    }

    @Test
    void shouldReadLessOnlyWhereTheObjectEnds() {
        String key = ObjectKey.of(3, 1, 1);
        put(key, bytes(1_000, 3));

        assertThat(get(key, 900, 200)).hasSize(100);
        assertThat(get(key, 1_000, 10)).isEmpty();
        assertThat(get(key, 5_000, 10)).isEmpty();
    }

    @Test
    void shouldKeepAnEmptyObject() {
        String key = ObjectKey.of(4, 1, 1);

        put(key, new byte[0]);

        assertThat(store().length(key)).hasValue(0);
        assertThat(get(key, 0, 10)).isEmpty();
    }

    @Test
    void shouldShowNothingBeforeTheCommit() {
        String key = ObjectKey.of(5, 1, 1);
        try (BlockStore.Upload upload = store().upload(key)) {
            upload.write(bytes(200_000, 5), 0, 200_000);

            assertThat(store().length(key)).isEmpty();
        }

        assertThat(store().length(key)).isEmpty();
        assertThat(store().list("", "", 10)).isEmpty();
        assertFails(ErrorCode.BLOCK_MISSING, key, () -> get(key, 0, 1));
    }

    @Test
    void shouldNotReplaceAnObject() {
        String key = ObjectKey.of(6, 1, 1);
        put(key, bytes(10, 6));

        assertFails(ErrorCode.ALREADY_EXISTS, key, () -> put(key, bytes(20, 7)));

        assertThat(get(key, 0, 100)).isEqualTo(bytes(10, 6));
    }

    @Test
    void shouldLetOneOfManyWritersOfAKeyWin() throws Exception {
        String key = ObjectKey.of(7, 1, 1);
        int writers = 8;
        ExecutorService pool = Executors.newFixedThreadPool(writers);
        try {
            List<Future<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                int seed = i;
                all.add(pool.submit(() -> wins(key, seed)));
            }
            int winners = 0;
            int winner = -1;
            for (int i = 0; i < writers; i++) {
                if (all.get(i).get()) {
                    winners++;
                    winner = i;
                }
            }
            assertThat(winners).isEqualTo(1);
            assertThat(get(key, 0, 10_000)).isEqualTo(bytes(5_000, winner));
        } finally {
            pool.shutdown();
        }
    }

    private boolean wins(String key, int seed) {
        try {
            put(key, bytes(5_000, seed));
            return true;
        } catch (FsException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_EXISTS);
            return false;
        }
    }

    @Test
    void shouldDeleteAndBearASecondDelete() {
        String key = ObjectKey.of(8, 1, 1);
        put(key, bytes(10, 8));

        assertThat(store().delete(key)).isTrue();
        store().delete(key);

        assertThat(store().length(key)).isEmpty();
        assertFails(ErrorCode.BLOCK_MISSING, key, () -> get(key, 0, 1));
    }

    @Test
    void shouldListByPrefixInPages() {
        for (int i = 0; i < 25; i++) {
            put(String.format("blocks/%02d", i), bytes(i, i));
        }
        put("other", bytes(1, 1));

        List<StoredObject> first = store().list("blocks/", "", 10);
        List<StoredObject> rest = store().list("blocks/", first.get(9).key(), 100);

        assertThat(first).hasSize(10);
        assertThat(first.get(3).key()).isEqualTo("blocks/03");
        assertThat(first.get(3).length()).isEqualTo(3);
        assertThat(first.get(3).modifiedMillis()).isBetween(1_600_000_000_000L, 5_000_000_000_000L);
        assertThat(rest)
                .hasSize(15)
                .extracting(StoredObject::key)
                .startsWith("blocks/10")
                .endsWith("blocks/24");
    }

    /** False where the store has nothing of an object before it is committed, or does not tell. */
    protected boolean listsUploads() {
        return true;
    }

    @Test
    void shouldListUploadsThatHaveNotEndedAndDropThem() {
        Assumptions.assumeTrue(listsUploads(), "the store tells no uploads");
        String dropped = ObjectKey.of(9, 1, 1);
        String committed = ObjectKey.of(10, 1, 1);
        byte[] content = bytes(6 << 20, 9);
        try (BlockStore.Upload lost = store().upload(dropped);
                BlockStore.Upload going = store().upload(committed)) {
            lost.write(content, 0, content.length);
            going.write(content, 0, content.length);

            List<BlockStore.UnfinishedUpload> all = store().unfinished("blocks/", "", 10);
            assertThat(all).extracting(BlockStore.UnfinishedUpload::key).containsExactlyInAnyOrder(dropped, committed);
            assertThat(store().unfinished("blocks/", all.get(0).key(), 10)).hasSize(1);
            for (BlockStore.UnfinishedUpload each : all) {
                if (each.key().equals(dropped)) {
                    store().drop(each);
                    store().drop(each);
                }
            }

            assertThatThrownBy(lost::commit).isInstanceOf(FsException.class);
            going.commit();
        }
        assertThat(store().length(dropped)).isEmpty();
        assertThat(store().length(committed)).hasValue(content.length);
        assertThat(store().unfinished("blocks/", "", 10)).isEmpty();
    }

    @AfterEach
    void stopScheduler() {
        scheduler.close();
    }

    /** A client that has URLs and no credentials. */
    private final class Stranger {
        private final ObjectClient objects = new ObjectClient(scheduler, ObjectClient.SILENCE);
        private final ObjectSigner signer = signer().orElseThrow();
        private final long now = System.currentTimeMillis();

        SignedRequest sign(Method method, String key) {
            return signer.sign(method, key, now, LIFE);
        }

        void put(SignedRequest request, String key, byte[] content, Map<String, String> headers) {
            ObjectClient.Content body =
                    new ObjectClient.Content(content.length, () -> new ByteArrayInputStream(content));
            join(objects.put(request, headers, body, "the store", key));
        }

        byte[] get(SignedRequest request, String key, long from, int length) {
            return join(objects.get(request, from, length, "the store", key));
        }

        /** Returns whether an object has no byte there: some stores say so, and some answer with nothing. */
        boolean endsBefore(SignedRequest request, String key, long position) {
            try {
                return get(request, key, position, 10).length == 0;
            } catch (FsException e) {
                return e.code() == ErrorCode.BLOCK_CORRUPT;
            }
        }

        private static <T> T join(CompletionStage<T> stage) {
            try {
                return stage.toCompletableFuture().join();
            } catch (CompletionException e) {
                throw FsException.of(e);
            }
        }
    }

    private Stranger stranger() {
        Assumptions.assumeTrue(signer().isPresent(), "nobody else writes and reads this store");
        return new Stranger();
    }

    @Test
    void shouldLetWhoeverHasASignedUrlWriteReadAndDelete() {
        Stranger stranger = stranger();
        String key = ObjectKey.of(11, 1, 1);
        byte[] content = bytes(300_001, 11);

        stranger.put(stranger.sign(Method.PUT, key), key, content, Map.of());
        assertThat(get(key, 0, content.length)).isEqualTo(content);
        SignedRequest read = stranger.sign(Method.GET, key);
        assertThat(stranger.get(read, key, 70_000, 65_536)).isEqualTo(Arrays.copyOfRange(content, 70_000, 135_536));
        assertThat(stranger.get(read, key, 300_000, 10)).isEqualTo(Arrays.copyOfRange(content, 300_000, 300_001));
        assertThat(stranger.endsBefore(read, key, 300_001)).isTrue();

        SignedRequest delete = stranger.sign(Method.DELETE, key);
        Stranger.join(stranger.objects.delete(delete, "the store", key));
        Stranger.join(stranger.objects.delete(delete, "the store", key));
        assertThat(store().length(key)).isEmpty();
        assertFails(ErrorCode.BLOCK_MISSING, key, () -> stranger.get(read, key, 0, 10));
    }

    @Test
    void shouldReplaceNoObjectByASignedUrl() {
        Stranger stranger = stranger();
        String key = ObjectKey.of(12, 1, 1);
        SignedRequest request = stranger.sign(Method.PUT, key);
        stranger.put(request, key, bytes(10, 12), Map.of());

        assertFails(refusalToReplace(), key, () -> stranger.put(request, key, bytes(20, 13), Map.of()));

        assertThat(get(key, 0, 100)).isEqualTo(bytes(10, 12));
    }

    @Test
    void shouldTakeNoBytesThatWereChangedOnTheirWay() {
        Stranger stranger = stranger();
        String key = ObjectKey.of(13, 1, 1);
        Map<String, String> otherDigest = Map.of("content-md5", "1B2M2Y8AsgTpgAmY7PhCfg==");

        assertFails(
                ErrorCode.BLOCK_CORRUPT,
                key,
                () -> stranger.put(stranger.sign(Method.PUT, key), key, bytes(10, 13), otherDigest));

        assertThat(store().length(key)).isEmpty();
    }

    @Test
    void shouldRefuseWhatASignedUrlIsNotFor() {
        Assumptions.assumeTrue(checksSignatures(), "signatures are not checked");
        Stranger stranger = stranger();
        String key = ObjectKey.of(14, 1, 1);
        String other = ObjectKey.of(15, 1, 1);
        put(key, bytes(10, 14));
        put(other, bytes(10, 15));
        SignedRequest read = stranger.sign(Method.GET, key);
        SignedRequest elsewhere = new SignedRequest(Method.GET, read.url().replace(key, other), Map.of());
        SignedRequest write = new SignedRequest(
                Method.PUT,
                read.url().replace(key, key + "2"),
                stranger.sign(Method.PUT, key).headers());
        SignedRequest late = stranger.signer.sign(Method.GET, key, stranger.now - 3_600_000, LIFE);

        assertFails(ErrorCode.PERMISSION_DENIED, other, () -> stranger.get(elsewhere, other, 0, 10));
        assertFails(ErrorCode.PERMISSION_DENIED, key, () -> stranger.put(write, key + "2", bytes(9, 1), Map.of()));
        assertFails(refusalOfLate(), key, () -> stranger.get(late, key, 0, 10));
    }

    /** Returns the refusal of a signed write if the object exists. */
    protected ErrorCode refusalToReplace() {
        return ErrorCode.ALREADY_EXISTS;
    }

    /** Returns the refusal of an expired URL. */
    protected ErrorCode refusalOfLate() {
        return ErrorCode.TOKEN_EXPIRED;
    }

    /** False for fakes that do not look at a signature. */
    protected boolean checksSignatures() {
        return true;
    }

    @Test
    void shouldSayWhereItIs() {
        assertThat(store().place()).isNotBlank();
        assertThat(store().space().freeBytes())
                .isLessThanOrEqualTo(store().space().capacityBytes());
    }
}
