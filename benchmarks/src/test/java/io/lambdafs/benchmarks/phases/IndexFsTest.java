package io.lambdafs.benchmarks.phases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class IndexFsTest {
    private static final FsPath DIRECTORY = FsPath.of("/a/b/c");
    private static final FsPath FILE = DIRECTORY.child("file");

    private final SystemScheduler scheduler = new SystemScheduler("test-indexfs", 1, 64);
    private final List<Counted> servers = Stream.generate(() -> new Counted(new MemoryStore(scheduler)))
            .limit(3)
            .toList();
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final IndexFs fs = new IndexFs(servers, nanos::get);

    /** How often a server has been asked. */
    private static final class Counted implements MetadataStore {
        private final MemoryStore store;
        private final AtomicLong asked = new AtomicLong();

        Counted(MemoryStore store) {
            this.store = store;
        }

        @Override
        public StoreTransaction begin(long epoch) {
            asked.incrementAndGet();
            return store.begin(epoch);
        }

        @Override
        public CompletionStage<Void> fence(long epoch) {
            return store.fence(epoch);
        }

        @Override
        public void close() {
            store.close();
        }
    }

    @AfterEach
    void close() {
        servers.forEach(Counted::close);
        scheduler.close();
    }

    private long asked() {
        return servers.stream().mapToLong(each -> each.asked.get()).sum();
    }

    private static FileOperation.Create create(FsPath file) {
        return new FileOperation.Create(file, 0644, false, false, 1, 1 << 20, new byte[0], null);
    }

    @Test
    void shouldFindWhatWasMadeAndNothingElse() throws Exception {
        assertThat(fs.call(new NamespaceOperation.Mkdirs(DIRECTORY, 0755, true)))
                .isTrue();
        assertThat(fs.call(new NamespaceOperation.Mkdirs(DIRECTORY, 0755, true)))
                .isTrue();
        assertThat(fs.call(create(FILE))).isTrue();
        assertThat(fs.call(new ReadOperation.Stat(FILE))).isTrue();
        assertThat(fs.call(new ReadOperation.Stat(DIRECTORY.child("other")))).isFalse();
        // Another client sees the same.
        IndexFs other = new IndexFs(servers, nanos::get);
        assertThat(other.call(new ReadOperation.Stat(FILE))).isTrue();
        assertThatThrownBy(() -> other.call(create(FILE)))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("exists");
        assertThatThrownBy(() -> fs.call(new ReadOperation.Stat(FsPath.of("/nowhere/file"))))
                .hasMessageContaining("/nowhere does not exist");
        assertThatThrownBy(() -> fs.call(new ReadOperation.Stat(FILE.child("below"))))
                .hasMessageContaining("is a file");
        assertThatThrownBy(() -> fs.call(new NamespaceOperation.Delete(FILE, false)))
                .hasMessageContaining("do not delete");
    }

    @Test
    void shouldAskForADirectoryAgainOnlyWhenItsLeaseIsOver() throws Exception {
        fs.call(new NamespaceOperation.Mkdirs(DIRECTORY, 0755, true));
        fs.call(create(FILE));
        long before = asked();
        for (int i = 0; i < 10; i++) {
            fs.call(new ReadOperation.Stat(FILE));
        }
        assertThat(asked() - before).as("the leases hold").isEqualTo(10);

        nanos.addAndGet(IndexFs.LEASE.toNanos());
        before = asked();
        fs.call(new ReadOperation.Stat(FILE));
        fs.call(new ReadOperation.Stat(FILE));
        assertThat(asked() - before).as("/a, /a/b, /a/b/c, and the file twice").isEqualTo(5);
    }

    @Test
    void shouldSpreadDirectoriesOverTheServersAndKeepEachOnOne() throws Exception {
        for (int i = 0; i < 60; i++) {
            FsPath directory = FsPath.of("/d" + i);
            fs.call(new NamespaceOperation.Mkdirs(directory, 0755, true));
            List<Integer> rows = rows();
            fs.call(create(directory.child("one")));
            fs.call(create(directory.child("two")));
            List<Integer> now = rows();
            // Both files, and their directory's count of them.
            assertThat(Stream.of(0, 1, 2).map(at -> now.get(at) - rows.get(at))).containsExactlyInAnyOrder(0, 0, 3);
        }
        assertThat(rows()).allSatisfy(count -> assertThat(count).isGreaterThan(3 * 5));
    }

    private List<Integer> rows() {
        return servers.stream().map(each -> each.store.rows().size()).toList();
    }
}
