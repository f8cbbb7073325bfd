package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.engine.CommitObserver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A commit thread that is told of commits before they come, or of some that never do. */
class ExpectedCommitTest {
    private static final int COMMITS = 500;
    private static final int WRITERS = 3;

    @TempDir
    private Path folder;

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final AtomicInteger counted = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final CommitObserver counting = new CommitObserver() {
        @Override
        public void group(int commits, long bytes, long nanos) {
            counted.addAndGet(commits);
        }

        @Override
        public void failed(int commits) {
            failed.addAndGet(commits);
        }
    };

    @AfterEach
    void close() {
        scheduler.close();
    }

    private static Key key(int writer, int i) {
        return Schema.SEQUENCES.key(writer + "-" + i);
    }

    private void write(RocksRows rows, int writer) {
        Random random = new Random(writer);
        for (int i = 0; i < COMMITS; i++) {
            for (int told = random.nextInt(3); told > 0; told--) {
                rows.expectChanges();
            }
            pause(random.nextInt(400_000));
            rows.apply(List.of(new Mutation.Put(new Row(key(writer, i), (long) i))), Long.MAX_VALUE)
                    .toCompletableFuture()
                    .join();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck")
    private static void pause(int nanos) {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < nanos) {
            Thread.yield();
        }
    }

    @Test
    void shouldCommitEachOnceWhateverWasExpected() {
        RocksSettings settings = RocksSettings.of(folder).withFsync(false);
        RocksRows rows = new RocksRows(scheduler, settings, counting);
        try {
            List<CompletableFuture<Void>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                int number = writer;
                writers.add(CompletableFuture.runAsync(() -> write(rows, number), task -> new Thread(task).start()));
            }
            writers.forEach(CompletableFuture::join);
            for (int writer = 0; writer < WRITERS; writer++) {
                for (int i = 0; i < COMMITS; i++) {
                    Row row = rows.read(List.of(key(writer, i)))
                            .toCompletableFuture()
                            .join()
                            .get(0);
                    assertThat(row).as("row %s of writer %s", i, writer).isNotNull();
                }
            }
            assertThat(counted).hasValue(WRITERS * COMMITS);
            assertThat(failed).hasValue(0);
            rows.expectChanges();
        } finally {
            rows.close();
        }
        rows.expectChanges();
    }
}
