package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.cache.Listing;
import io.lambdafs.functions.metrics.Telemetry.Listed;
import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Schema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests that a cached listing stays complete but for the names that other instances change. */
class RepairedListingTest {
    private static final int FILES = 40;

    private final SimulatedCluster cluster = new SimulatedCluster(31, 2);
    /** The first directory below the root whose children the instances of deployment 0 cache, and the same of 1. */
    private final FsPath here = directoryOf(0);

    private final FsPath elsewhere = directoryOf(1);
    private final Instance reader = cluster.start(0);
    private final Instance writer = cluster.start(0);
    private final Instance stranger = cluster.start(1);

    private FsPath directoryOf(int deployment) {
        int i = 0;
        while (cluster.placement.ofChildren(FsPath.of("/d" + i)) != deployment) {
            i++;
        }
        return FsPath.of("/d" + i);
    }

    private static FileOperation.Create create(FsPath path) {
        return new FileOperation.Create(path, 0644, false, true, 1, 1 << 20, new byte[0], null);
    }

    private static NamespaceOperation.Rename move(FsPath from, FsPath to) {
        return new NamespaceOperation.Rename(from, to, RenameMode.STRICT);
    }

    private static NamespaceOperation.Delete delete(FsPath path) {
        return new NamespaceOperation.Delete(path, true);
    }

    private static ReadOperation.ListPage list(FsPath directory) {
        return new ReadOperation.ListPage(directory, "", 1_000);
    }

    private static List<String> names(Reply reply) {
        return ((Reply.Page) reply).entries().stream().map(Attributes::name).toList();
    }

    private static int mode(Reply reply, String name) {
        return ((Reply.Page) reply)
                .entries().stream()
                        .filter(entry -> entry.name().equals(name))
                        .findFirst()
                        .orElseThrow()
                        .mode();
    }

    private void cachedByAll() {
        for (int i = 0; i < FILES; i++) {
            writer.call(create(here.child("f" + (10 + i))));
        }
        stranger.call(create(elsewhere.child("s")));
        reader.call(list(here));
        writer.call(list(here));
        assertThat(reader.hits(list(here))).isTrue();
    }

    /** Lists the directory at the reader, which may not scan it. */
    private Reply listed() {
        long before = cluster.store.scanned;
        Reply reply = reader.call(list(here));
        assertThat(cluster.store.scanned).as("rows of scans").isEqualTo(before);
        return reply;
    }

    private CompletableFuture<OperationReply> send(Instance instance, Operation<?> operation) {
        return instance.send(SimulatedCluster.ROOT, cluster.nextId(), operation);
    }

    private List<String> unknown() {
        Listing listing = reader.trie.walk(here).listingButForNames();
        return listing == null ? List.of("nothing is known") : listing.unknown();
    }

    private static boolean writesInode(List<Mutation> mutations) {
        return mutations.stream().anyMatch(m -> m.key().table().equals(Schema.INODES));
    }

    @Test
    void shouldReadAloneTheNamesThatAnotherInstanceChanged() {
        cachedByAll();
        writer.call(create(here.child("new")));
        writer.call(delete(here.child("f11")));
        writer.call(new AttributeOperation.SetPermission(here.child("f12"), 0600));
        writer.call(move(here.child("f13"), here.child("moved")));
        assertThat(reader.hits(list(here))).isFalse();

        Reply reply = listed();
        assertThat(names(reply)).contains("new", "moved", "f12").doesNotContain("f11", "f13");
        assertThat(names(reply)).hasSize(FILES);
        assertThat(mode(reply, "f12")).isEqualTo(0600);
        assertThat(reader.hits(list(here))).as("it knows them again").isTrue();
        assertThat(names(reader.call(list(here)))).isEqualTo(names(reply));
        assertThat(reader.listed).containsSubsequence(Listed.FILLED, Listed.REPAIRED);
        assertThat(reader.hits(new ReadOperation.Stat(here.child("f11"))))
                .as("known to be absent")
                .isTrue();
    }

    @Test
    void shouldReadAloneTheNamesOfDirectoriesAndOfMoves() {
        cachedByAll();
        FsPath sub = here.child("sub");
        stranger.call(move(here.child("f10"), elsewhere.child("f10")));
        stranger.call(move(elsewhere.child("s"), here.child("s")));
        writer.call(new NamespaceOperation.Mkdirs(sub.child("deep"), 0755, true));
        writer.call(create(here.child("made").child("file")));
        assertThat(names(listed())).contains("s", "sub", "made").doesNotContain("f10");
        stranger.call(new AttributeOperation.SetPermission(sub, 0700));
        assertThat(mode(listed(), "sub")).isEqualTo(0700);
        stranger.call(move(sub, elsewhere.child("sub")));
        stranger.call(move(elsewhere.child("sub"), here.child("back")));
        writer.call(delete(here.child("made")));
        assertThat(names(listed())).contains("back").doesNotContain("sub", "made");
        assertThat(names(stranger.call(list(elsewhere)))).containsExactly("f10");
    }

    @Test
    void shouldReadTheNameOfAWriteThatNeverCommits() {
        cachedByAll();
        cluster.store.holdNextCommit(RepairedListingTest::writesInode);
        send(writer, delete(here.child("f11")));
        cluster.advance(Duration.ofMillis(20));
        assertThat(unknown()).as("the INV has been obeyed").containsExactly("f11");
        cluster.kill(writer);
        cluster.advance(Duration.ofSeconds(10));
        assertThat(names(listed())).contains("f11").hasSize(FILES);
        assertThat(unknown()).isEmpty();
    }

    @Test
    void shouldNotKnowANameBetweenTheInvalidationAndTheCommit() {
        cachedByAll();
        CompletableFuture<Void> gate = cluster.store.holdNextCommit(RepairedListingTest::writesInode);
        CompletableFuture<OperationReply> deletion = send(writer, delete(here.child("f11")));
        cluster.advance(Duration.ofMillis(20));
        assertThat(names(listed())).as("it is still there").contains("f11");
        assertThat(unknown()).containsExactly("f11");
        gate.complete(null);
        assertThat(cluster.await(deletion).reply()).isEqualTo(Reply.Done.YES);
        assertThat(names(listed())).doesNotContain("f11").hasSize(FILES - 1);
        assertThat(unknown()).isEmpty();
    }

    @Test
    void shouldNotKnowNamesThatChangeWhileTheyAreRead() {
        cachedByAll();
        writer.call(delete(here.child("f11")));
        CompletableFuture<Void> gate = cluster.store.holdNextRead(
                reads -> reads.size() == 1 && reads.get(0).key().table().equals(Schema.INODES));
        CompletableFuture<OperationReply> listing = send(reader, list(here));
        assertThat(cluster.store.holdsRead()).isTrue();
        writer.call(delete(here.child("f12")));
        writer.call(create(here.child("f11")));
        gate.complete(null);
        assertThat(names(cluster.await(listing).reply()))
                .as("both were there at no moment")
                .contains("f11")
                .doesNotContain("f12");
        assertThat(unknown()).isEmpty();
        assertThat(names(listed())).hasSize(FILES - 1);
    }

    @Test
    void shouldKeepTheWritersListingCompleteAcrossChangesAtOnce() {
        cachedByAll();
        cluster.setLatency(Duration.ofMillis(2));
        List<CompletableFuture<OperationReply>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(send(writer, create(here.child("new" + i))));
            all.add(send(reader, delete(here.child("f" + (20 + i)))));
        }
        all.forEach(cluster::await);
        cluster.setLatency(Duration.ZERO);
        assertThat(names(listed())).hasSize(FILES).contains("new0", "new7").doesNotContain("f20", "f27");
        assertThat(names(writer.call(list(here)))).isEqualTo(names(reader.call(list(here))));
    }

    @Test
    void shouldFillADirectoryOnceForAllWhoAsk() {
        cachedByAll();
        Instance newcomer = cluster.start(0);
        cluster.setLatency(Duration.ofMillis(2));
        long before = cluster.store.scanned;
        List<CompletableFuture<OperationReply>> all = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            all.add(send(newcomer, new ReadOperation.ListPage(here, "", i)));
        }
        for (int i = 0; i < all.size(); i++) {
            assertThat(names(cluster.await(all.get(i)).reply())).hasSize(i + 1);
        }
        assertThat(cluster.store.scanned - before).isEqualTo(FILES);
        assertThat(newcomer.listed).filteredOn(Listed.FILLED::equals).hasSize(1);
    }

    @Test
    void shouldFillADirectoryThatIsBeingWritten() {
        cachedByAll();
        Instance newcomer = cluster.start(0);
        cluster.setLatency(Duration.ofMillis(1));
        List<CompletableFuture<OperationReply>> writes = new ArrayList<>();
        CompletableFuture<OperationReply> listing = null;
        for (int i = 0; i < 40; i++) {
            writes.add(send(writer, create(here.child("w" + (100 + i)))));
            if (i == 20) {
                listing = send(newcomer, list(here));
            }
            cluster.advance(Duration.ofNanos(300_000));
        }
        writes.forEach(cluster::await);
        assertThat(names(cluster.await(listing).reply())).contains("w100");
        assertThat(newcomer.trie.walk(here).listingButForNames()).isNotNull();
        assertThat(newcomer.listed).doesNotContain(Listed.PAGE);
        assertThat(names(newcomer.call(list(here)))).hasSize(FILES + 40);
    }
}
