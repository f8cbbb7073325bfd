package io.lambdafs.cluster.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.INode;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.format.Fsck;
import io.lambdafs.store.memory.MemoryStore;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metadata that move from a store that is written all the time to another one. */
class CopyTest {
    private static final long EPOCH = 3;
    private static final int DIRECTORIES = 300;

    @TempDir
    private Path folder;

    private final SystemScheduler scheduler = new SystemScheduler("copy-test", 2, 1_000);
    private final MemoryStore from = new MemoryStore(scheduler);
    private final MemoryStore to = new MemoryStore(scheduler);
    private final Copy copy = new Copy(from, to, (what, rows, all) -> {});

    @BeforeEach
    void fill() {
        Formatter.format(from, 2, "root", 1).toCompletableFuture().join();
        commit(
                from,
                0,
                new Mutation.Put(new Row(Rows.instanceKey(EPOCH), 0L, "instance", 0L)),
                new Mutation.Put(new Row(Rows.epochKey(EPOCH), 0L)));
        for (int i = 0; i < DIRECTORIES; i++) {
            make(i);
        }
    }

    @AfterEach
    void close() {
        from.close();
        to.close();
        scheduler.close();
    }

    private static void commit(MetadataStore store, long epoch, Mutation... changes) {
        store.begin(epoch)
                .commit(List.of(changes), Long.MAX_VALUE)
                .toCompletableFuture()
                .join();
    }

    private void make(int number) {
        INode node = INode.directory(INode.ROOT_ID, "d" + number, 1_000 + number, "root", "users", 0755, 7);
        commit(
                from,
                EPOCH,
                new Mutation.Put(Rows.of(node)),
                new Mutation.Put(Rows.location(node)),
                Rows.childrenChanged(INode.ROOT_ID, 1, 7),
                Rows.totalsChanged(INode.ROOT_ID, new DirectoryTotals(0, 1, 0, 0)));
    }

    private void remove(int number) {
        commit(
                from,
                EPOCH,
                new Mutation.Delete(Rows.inodeKey(INode.ROOT_ID, "d" + number)),
                new Mutation.Delete(Schema.LOCATIONS.key(1_000L + number)),
                Rows.childrenChanged(INode.ROOT_ID, -1, 7),
                Rows.totalsChanged(INode.ROOT_ID, new DirectoryTotals(0, -1, 0, 0)));
    }

    private static List<Row> carried(MemoryStore store) {
        return store.rows().stream()
                .filter(each -> each.key().table().isCarried())
                .toList();
    }

    private static Row level(MetadataStore store) {
        return store.begin(0)
                .readAndEnd(List.of(Read.unlocked(FormatLevel.KEY)), 0)
                .toCompletableFuture()
                .join()
                .get(0);
    }

    @Test
    void shouldMoveEverythingThoughItIsWrittenAllTheTime() {
        make(50_000);
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            for (int i = 0; !ended.get(); i++) {
                remove(i);
                make(DIRECTORIES + i);
            }
        });
        copy.begin(folder.resolve("dump"), 2);
        ended.set(true);
        writer.join();
        remove(50_000);
        make(100_000);
        assertThat(level(to).string(0)).as("refused by every build").startsWith(FormatLevel.LOADING);

        Copy.Pass compared = copy.finish();
        assertThat(level(to).string(0)).as("still refused").startsWith(FormatLevel.LOADING);
        assertThat(Copy.isWhole(to)).isTrue();
        Copy.publish(to);

        assertThat(carried(to)).isEqualTo(carried(from));
        assertThat(compared.changed()).isZero();
        assertThat(compared.inodes())
                .isEqualTo(from.rows().stream()
                        .filter(each -> each.key().table().equals(Schema.INODES))
                        .count());
        assertThat(level(to)).isEqualTo(FormatLevel.NEWEST.row());
        assertThat(Fsck.check(to.rows()).problems()).isEmpty();
        assertThatThrownBy(() -> make(200_000))
                .as("nobody writes to the store before")
                .isInstanceOfSatisfying(
                        CompletionException.class,
                        e -> assertThat(FsException.of(e).code()).isEqualTo(ErrorCode.FENCED));
    }

    @Test
    void shouldFillTheSameStoreAgainWhereItWasInterrupted() {
        copy.begin(folder.resolve("first"), 2);
        remove(0);

        copy.begin(folder.resolve("second"), 2);
        copy.finish();
        Copy.publish(to);

        assertThat(carried(to)).isEqualTo(carried(from));
    }

    @Test
    void shouldFillAStoreAgainThatIsWholeAndNotOneThatServes() {
        copy.begin(folder.resolve("first"), 2);
        assertThat(Copy.isWhole(to)).isFalse();
        Copy.publish(to);
        assertThat(level(to).string(0)).as("not whole").startsWith(FormatLevel.LOADING);
        copy.finish();
        commit(from, 0, new Mutation.Delete(Schema.LOCATIONS.key(1_001L)));

        copy.begin(folder.resolve("second"), 2);
        assertThat(Copy.isWhole(to)).as("while it is filled").isFalse();
        copy.finish();
        Copy.publish(to);
        assertThat(carried(to)).isEqualTo(carried(from));
        assertThat(Copy.isWhole(to)).isFalse();
        assertThatThrownBy(() -> copy.begin(folder.resolve("third"), 1)).hasMessageContaining("empty store only");
    }

    @Test
    void shouldRefuseAStoreThatHasAnything() {
        Formatter.format(to, 2, "root", 1).toCompletableFuture().join();
        assertThatThrownBy(() -> copy.begin(folder.resolve("dump"), 1)).hasMessageContaining("empty store only");
    }

    /** Returns a store that counts its open snapshots, and fails to read them once it is broken. */
    private static MetadataStore counting(MetadataStore store, AtomicInteger open, AtomicBoolean broken) {
        return (MetadataStore) Proxy.newProxyInstance(
                MetadataStore.class.getClassLoader(), new Class<?>[] {MetadataStore.class}, (proxy, method, given) -> {
                    switch (method.getName()) {
                        case "openSnapshot" -> open.incrementAndGet();
                        case "closeSnapshot" -> open.decrementAndGet();
                        case "scanSnapshot" -> {
                            if (broken.get()) {
                                return CompletableFuture.failedFuture(
                                        new FsException(ErrorCode.INVALID_ARGUMENT, "planted"));
                            }
                        }
                        default -> {}
                    }
                    return method.invoke(store, given);
                });
    }

    @Test
    void shouldCloseTheSnapshotsOfBothStoresThoughOneFails() {
        AtomicInteger ofSource = new AtomicInteger();
        AtomicInteger ofTarget = new AtomicInteger();
        AtomicBoolean broken = new AtomicBoolean();
        Copy failing = new Copy(
                counting(from, ofSource, new AtomicBoolean()), counting(to, ofTarget, broken), (what, rows, all) -> {});
        failing.begin(folder.resolve("dump"), 1);
        assertThat(List.of(ofSource.get(), ofTarget.get())).as("open").containsExactly(0, 0);
        broken.set(true);
        assertThatThrownBy(failing::finish).hasMessageContaining("planted");
        assertThat(List.of(ofSource.get(), ofTarget.get())).as("open").containsExactly(0, 0);
    }

    @Test
    void shouldTellHowManyRowsItHasCompared() {
        List<String> told = new ArrayList<>();
        Copy telling = new Copy(from, to, (what, rows, all) -> told.add(what + " " + (rows >> 16)));
        telling.begin(folder.resolve("dump"), 1);
        List<Mutation> many = new ArrayList<>();
        for (long i = 0; i < 1 << 16; i++) {
            many.add(new Mutation.Put(new Row(Schema.XATTRS.key(i), new byte[0])));
        }
        commit(from, 0, many.toArray(Mutation[]::new));
        told.clear();
        telling.finish();
        assertThat(told).containsExactly("comparing 1", "verifying 1");
    }
}
