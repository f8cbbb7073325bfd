package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.inode.INode;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Rows;
import io.lambdafs.store.engine.StoreLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cost of a start does not grow with the namespace: it reads the log since the last flush, and no rows. */
class StartTest {
    private static final int DIRECTORIES = 2_000;
    private static final int BATCH = 1_000;
    private static final int FEW = 20_000;
    private static final int MANY = 20 * FEW;
    private static final int STARTS = 7;
    private static final long MEMTABLE_BYTES = 1 << 20;
    /** Far less than what is written of many INodes: the log is of what has not been flushed yet. */
    private static final long MOST_LOG_BYTES = 12 * MEMTABLE_BYTES;
    /** More under way at once would make groups, and so the log, larger than tables in memory. */
    private static final int UNDER_WAY = 4;

    @TempDir
    private Path folder;

    private RocksSettings settings(String name) {
        RocksSettings base = RocksSettings.of(folder.resolve(name));
        return new RocksSettings(
                base.directory(), false, base.cacheBytes(), MEMTABLE_BYTES, base.minFreeBytes(), base.readThreads());
    }

    private static void fill(RocksStore store, int inodes) {
        Deque<CompletionStage<Void>> commits = new ArrayDeque<>();
        for (int i = 0; i < inodes; i += BATCH) {
            List<Mutation> puts = new ArrayList<>();
            for (int j = i; j < i + BATCH; j++) {
                INode node = INode.directory(j % DIRECTORIES, "entry-" + j, 10_000L + j, "root", "users", 0755, j);
                puts.add(new Mutation.Put(Rows.of(node)));
            }
            if (commits.size() == UNDER_WAY) {
                commits.remove().toCompletableFuture().join();
            }
            commits.add(store.begin(0).commit(puts, Long.MAX_VALUE));
        }
        commits.forEach(each -> each.toCompletableFuture().join());
    }

    private static long logBytes(RocksSettings settings) throws IOException {
        try (Stream<Path> files = Files.list(settings.directory())) {
            long bytes = 0;
            for (Path each :
                    files.filter(file -> file.toString().endsWith(".log")).toList()) {
                bytes += Files.size(each);
            }
            return bytes;
        }
    }

    /** The quickest of some starts: others are the machine's affair. */
    private long startNanos(SystemScheduler scheduler, RocksSettings settings) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < STARTS; i++) {
            long began = System.nanoTime();
            RocksStore store = RocksStore.open(scheduler, StoreLimits.defaults(), settings);
            best = Math.min(best, System.nanoTime() - began);
            store.close();
        }
        return best;
    }

    @Test
    void shouldStartAsFastWithManyINodesAsWithFew() throws IOException {
        try (SystemScheduler scheduler = new SystemScheduler("start-test", 1, 1_000)) {
            long[] nanos = new long[2];
            for (int inodes : new int[] {FEW, MANY}) {
                RocksSettings settings = settings("store-" + inodes);
                try (RocksStore store = RocksStore.open(scheduler, StoreLimits.defaults(), settings)) {
                    fill(store, inodes);
                }
                assertThat(logBytes(settings)).as("log of %d INodes", inodes).isLessThan(MOST_LOG_BYTES);
                nanos[inodes == FEW ? 0 : 1] = startNanos(scheduler, settings);
            }
            // Twenty times as many: a start that read them would take many times as long.
            assertThat(nanos[1]).as("start with few: %d ns", nanos[0]).isLessThan(3 * nanos[0] + 50_000_000);
        }
    }
}
