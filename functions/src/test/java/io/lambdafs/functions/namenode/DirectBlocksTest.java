package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.functions.housekeeping.ObjectSweeper;
import io.lambdafs.functions.namenode.block.BlockPlaces;
import io.lambdafs.functions.namenode.block.DirectStores;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.DirectAccess;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.model.inode.StoragePolicies;
import io.lambdafs.model.operation.AttributeOperation.SetStoragePolicy;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.objects.ObjectSigner;
import io.lambdafs.rpc.objects.SignedRequest;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.block.Datanode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Blocks in object stores that clients access themselves: leave is signed, no datanode is needed, and an instance deletes what nothing needs. */
class DirectBlocksTest extends BlockFileCase {
    private static final String STORE = "s3://bucket/";
    private static final String COLD = StoragePolicies.store("cold");

    private final Set<String> deleted = new HashSet<>();
    private final DirectStores direct =
            new DirectStores(Map.of(STORE, signer("hot"), COLD, signer("cold")), cluster.scheduler, this::delete);
    private boolean refuses;
    private CompletableFuture<Void> answer = CompletableFuture.completedFuture(null);

    @BeforeEach
    void accessDirectly() {
        cluster.directStores = direct;
        remove(Datanode.key("d1"));
        done(new NamespaceOperation.Mkdirs(PATH.parent(), 0755, true));
    }

    private void remove(Key key) {
        cluster.await(cluster.store.begin(0).commit(List.of(new Mutation.Delete(key)), Long.MAX_VALUE));
    }

    private static ObjectSigner signer(String folder) {
        return (method, key, now, life) -> new SignedRequest(
                method,
                "http://store/" + folder + "/" + key + "?" + method + "=" + (now + life.toMillis()),
                Map.of("h", "v"));
    }

    private CompletionStage<Void> delete(SignedRequest request, String store, String key) {
        if (refuses) {
            return CompletableFuture.failedFuture(FsException.unavailable("busy"));
        }
        assertThat(request.method()).isEqualTo(SignedRequest.Method.DELETE);
        deleted.add(request.url().substring(0, request.url().indexOf('?')));
        return answer;
    }

    private LocatedBlock add(FsPath path, OpenFile file, long generation, int index) {
        Reply added = cluster.call(new BlockOperation.AddBlock(path, file, generation, index, null));
        return ((Reply.BlockAdded) added).block();
    }

    @Test
    void shouldGiveLeaveToWriteAndReadObjectsWithoutADatanode() {
        write(PATH, 100, 40);

        List<LocatedBlock> blocks = read(PATH).blocks();

        assertThat(blocks).hasSize(2).allSatisfy(block -> {
            DirectAccess access = block.direct();
            assertThat(block.store()).isEqualTo(STORE);
            assertThat(block.datanodes()).isEmpty();
            assertThat(block.token()).isEmpty();
            long expiry = cluster.scheduler.currentTimeMillis() + BlockPlaces.TOKEN_LIFE.toMillis();
            assertThat(access.url()).contains("/hot/" + block.key() + "?GET=").endsWith(Long.toString(expiry));
            assertThat(access.headers()).isEqualTo(Map.of("h", "v"));
            assertThat(access.stored()).isEqualTo(block.block());
        });
        done(new BlockOperation.Truncate(PATH, 90));
        LocatedBlock cut = read(PATH).blocks().get(0);
        assertThat(cut.block().length()).isEqualTo(90);
        assertThat(cut.direct().stored()).isEqualTo(blocks.get(0).block());
    }

    /** No datanode has seen the bytes. */
    @Test
    void shouldWantNoReceipt() {
        cluster.tokens = BlockTokens.of(Secret.of("a cluster"), InstantSource.system());
        write(PATH, 100, 40);
        assertThat(stat(PATH).size()).isEqualTo(140);
    }

    @Test
    void shouldGiveEveryAttemptAKeyOfItsOwn() {
        OpenFile file = ((Reply.Status) create(PATH, BLOCK_SIZE)).file();
        LocatedBlock first = add(PATH, file, 0, 0);
        LocatedBlock second = add(PATH, file, 1, 0);

        assertThat(first.direct().url()).contains("/hot/" + first.key() + "?PUT=");
        assertThat(second.key()).isNotEqualTo(first.key());
        assertThat(listed()).isEqualTo(1);
    }

    @Test
    void shouldLetPoliciesChooseAmongDirectStores() {
        done(new SetStoragePolicy(PATH.parent(), "COLD"));
        OpenFile file = ((Reply.Status) create(PATH, BLOCK_SIZE)).file();

        LocatedBlock block = add(PATH, file, 0, 0);

        assertThat(block.store()).isEqualTo(COLD);
        assertThat(block.direct().url()).contains("/cold/" + block.key());
    }

    @Test
    void shouldAskForNoLargerObjectThanOneRequestWrites() {
        OpenFile file = ((Reply.Status) create(PATH, 16L << 30)).file();

        Block block = add(PATH, file, 0, 0).block();

        assertThat(block.length()).isEqualTo(ObjectSigner.MOST_BYTES);
    }

    @Test
    void shouldDeleteWhatIsInvalidOnceNobodyCanUseItAndKeepWhatCannotBeDeleted() {
        String due = ObjectKey.of(1, 1, 1);
        String later = ObjectKey.of(2, 1, 1);
        long now = cluster.scheduler.currentTimeMillis();
        put(new Row(Schema.INVALID_BLOCKS.key(STORE, due), now - 1));
        put(new Row(Schema.INVALID_BLOCKS.key(COLD, due), now - 1));
        put(new Row(Schema.INVALID_BLOCKS.key(STORE, later), now + 1_000_000));
        put(new Row(Schema.INVALID_BLOCKS.key("local", due), now - 1));
        long epoch = cluster.instances.get(0).nameNode.epoch();
        ObjectSweeper sweeper = new ObjectSweeper(cluster.store, cluster.scheduler, () -> epoch, direct);

        refuses = true;
        cluster.await(sweeper.run());
        assertThat(listed()).isEqualTo(4);
        refuses = false;
        cluster.await(sweeper.run());

        assertThat(deleted).containsExactlyInAnyOrder("http://store/hot/" + due, "http://store/cold/" + due);
        assertThat(listed()).isEqualTo(2);
    }

    private ObjectSweeper leader(SimulatedCluster.Instance instance) {
        long epoch = instance.nameNode.epoch();
        return new ObjectSweeper(cluster.store, cluster.scheduler, () -> epoch, direct);
    }

    /** One is at a deletion while the other does all; and one is fenced in the middle. */
    @Test
    void shouldDoNoHarmUnderTwoLeaders() {
        SimulatedCluster.Instance first = cluster.start(1);
        SimulatedCluster.Instance second = cluster.start(2);
        String due = ObjectKey.of(1, 1, 1);
        String later = ObjectKey.of(2, 1, 1);
        long now = cluster.scheduler.currentTimeMillis();
        put(new Row(Schema.INVALID_BLOCKS.key(STORE, due), now - 1));
        put(new Row(Schema.INVALID_BLOCKS.key(STORE, later), now + 1_000_000_000));
        CompletableFuture<Void> slow = new CompletableFuture<>();
        answer = slow;
        CompletableFuture<Void> one = leader(first).run().toCompletableFuture();
        cluster.advance(Duration.ofSeconds(1));
        answer = CompletableFuture.completedFuture(null);
        cluster.await(leader(second).run());
        assertThat(one).isNotDone();
        assertThat(listed()).isEqualTo(1);
        slow.complete(null);
        cluster.await(one);
        assertThat(listed()).isEqualTo(1);

        String again = ObjectKey.of(3, 1, 1);
        put(new Row(Schema.INVALID_BLOCKS.key(STORE, again), now - 1));
        CompletableFuture<Void> fenced = new CompletableFuture<>();
        answer = fenced;
        CompletableFuture<Void> frozen = leader(first).run().toCompletableFuture();
        cluster.advance(Duration.ofSeconds(1));
        answer = CompletableFuture.completedFuture(null);
        cluster.kill(first);
        cluster.advance(Duration.ofMinutes(1));
        assertThat(listed()).as("the next leader has deleted it").isEqualTo(1);
        fenced.complete(null);
        assertThatThrownBy(() -> cluster.await(frozen))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FENCED));

        assertThat(listed()).isEqualTo(1);
        assertThat(deleted).containsExactlyInAnyOrder("http://store/hot/" + due, "http://store/hot/" + again);
        cluster.wholeStore();
    }
}
