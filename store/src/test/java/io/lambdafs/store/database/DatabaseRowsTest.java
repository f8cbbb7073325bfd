package io.lambdafs.store.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scheduler;
import io.lambdafs.store.CommitObserver;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreLimits;
import io.lambdafs.store.ThreadScheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reads, snapshots and the lease of a database that is lost and comes back. */
class DatabaseRowsTest {
    private static final Row ROW = new Row(Schema.SEQUENCES.key("n"), 1L);
    private static final Scan SCAN = new Scan(Schema.SUBTREE_OPERATIONS, 0L, null, 10);
    private static final int READERS = 1;
    private static final int ATTEMPTS = READERS + 2;

    private final LateScheduler scheduler = new LateScheduler();
    private final TestDatabase database = new TestDatabase(scheduler);
    private final DatabaseRows rows = new DatabaseRows(scheduler, database, READERS, CommitObserver.NONE);

    /** Real time, to which a test may add. */
    private static final class LateScheduler implements Scheduler, AutoCloseable {
        private final ThreadScheduler real = new ThreadScheduler();
        private volatile long later;

        @Override
        public long nanoTime() {
            return real.nanoTime() + later;
        }

        @Override
        public long currentTimeMillis() {
            return real.currentTimeMillis();
        }

        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            return real.schedule(delayNanos, task);
        }

        @Override
        public RandomGenerator random() {
            return real.random();
        }

        @Override
        public void execute(Runnable command) {
            real.execute(command);
        }

        @Override
        public void close() {
            real.close();
        }
    }

    @AfterEach
    void close() {
        rows.close();
        assertThat(database.isClosed()).isTrue();
        scheduler.close();
    }

    private static <T> T done(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            throw FsException.of(e);
        }
    }

    private static void assertUnavailable(Runnable question) {
        assertThatThrownBy(question::run)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
    }

    @Test
    void shouldAskAgainOverAnotherConnection() {
        done(rows.apply(List.of(new Mutation.Put(ROW)), Long.MAX_VALUE));
        database.loseReads(ATTEMPTS - 1);
        assertThat(done(rows.read(List.of(ROW.key())))).containsExactly(ROW);
        database.loseReads(ATTEMPTS - 1);
        assertThat(done(rows.scan(SCAN))).isEmpty();
    }

    @Test
    void shouldGiveUpAReadOnceAllConnectionsWereLost() {
        database.loseReads(ATTEMPTS);
        assertThatThrownBy(() -> done(rows.scan(SCAN))).hasMessage("the database is away");
        assertThat(done(rows.scan(SCAN))).isEmpty();
        database.loseReads(ATTEMPTS);
        assertThatThrownBy(() -> done(rows.read(List.of(ROW.key())))).hasMessage("the database is away");
    }

    @Test
    void shouldAnswerNobodyOnceItsLeaseIsOver() {
        RowSnapshot snapshot = done(rows.snapshot());
        assertThat(done(snapshot.page(Schema.SEQUENCES, null))).isEmpty();
        assertThat(rows.trouble()).isEmpty();
        database.setAway(true);
        scheduler.later = Database.LEASE.toNanos();

        assertUnavailable(() -> done(rows.read(List.of(ROW.key()))));
        assertUnavailable(() -> done(rows.scan(SCAN)));
        assertUnavailable(() -> done(snapshot.page(Schema.SEQUENCES, null)));
        assertUnavailable(() -> done(rows.snapshot()));
        assertThat(database.openSnapshots())
                .as("the refused one is closed, the first open")
                .isEqualTo(1);
        assertThat(rows.trouble()).hasValueSatisfying(why -> assertThat(why).contains("has lost its database"));

        database.setAway(false);
        await().atMost(Duration.ofSeconds(30)).until(() -> rows.trouble().isEmpty());
        assertThat(done(rows.scan(SCAN))).isEmpty();
        snapshot.close();
        assertThat(database.openSnapshots()).isZero();
    }

    @Test
    void shouldRenewItsLeaseWithoutCommitsAndOnlyThen() {
        await().atMost(Duration.ofSeconds(30)).until(() -> database.numbers().size() == 2);
        assertThat(rows.trouble()).isEmpty();
    }

    @Test
    void shouldTellItsStoreWhatIsWrong() {
        TestDatabase another = new TestDatabase(scheduler);
        try (DatabaseStore store =
                new DatabaseStore(scheduler, StoreLimits.defaults(), another, READERS, CommitObserver.NONE)) {
            assertThat(store.serves()).isTrue();
            assertThat(store.trouble()).isEmpty();
            another.setAway(true);
            scheduler.later = Database.LEASE.toNanos();
            assertThat(store.trouble()).isPresent();
            another.setAway(false);
        }
    }

    @Test
    void shouldCloseADatabaseThatItCannotTake() {
        TestDatabase another = new TestDatabase(scheduler);
        another.setAway(true);
        assertThatThrownBy(() -> new DatabaseRows(scheduler, another, READERS, CommitObserver.NONE))
                .hasMessage("the database is away");
        assertThat(another.isClosed()).isTrue();
    }
}
