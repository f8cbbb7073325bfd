package io.lambdafs.store.database;

import static io.lambdafs.store.StoreContract.assertCode;
import static io.lambdafs.store.StoreContract.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.StoreLimits;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reads, snapshots and the lease of a database that is lost and comes back. */
class DatabaseRowsTest {
    private static final Row ROW = new Row(Schema.SEQUENCES.key("n"), 1L);
    private static final Scan SCAN = new Scan(Schema.SUBTREE_OPERATIONS, 0L, null, 10);
    private static final int READERS = 1;
    private static final int ATTEMPTS = READERS + 2;

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final TestDatabase database = new TestDatabase(scheduler);
    private final DatabaseRows rows = new DatabaseRows(scheduler, database, READERS, CommitObserver.NONE);

    @AfterEach
    void close() {
        rows.close();
        assertThat(database.isClosed()).isTrue();
        scheduler.close();
    }

    @Test
    void shouldAskAgainOverAnotherConnection() {
        await(rows.apply(List.of(new Mutation.Put(ROW)), Long.MAX_VALUE));
        database.loseReads(ATTEMPTS - 1);
        assertThat(await(rows.read(List.of(ROW.key())))).containsExactly(ROW);
        database.loseReads(ATTEMPTS - 1);
        assertThat(await(rows.scan(SCAN))).isEmpty();
    }

    @Test
    void shouldGiveUpAReadOnceAllConnectionsWereLost() {
        database.loseReads(ATTEMPTS);
        assertThatThrownBy(() -> await(rows.scan(SCAN))).hasMessage("the database is away");
        assertThat(await(rows.scan(SCAN))).isEmpty();
        database.loseReads(ATTEMPTS);
        assertThatThrownBy(() -> await(rows.read(List.of(ROW.key())))).hasMessage("the database is away");
    }

    @Test
    void shouldAnswerNobodyOnceItsLeaseIsOver() {
        RowSnapshot snapshot = await(rows.snapshot());
        assertThat(await(snapshot.page(Schema.SEQUENCES, null))).isEmpty();
        assertThat(rows.trouble()).isEmpty();
        database.setAway(true);
        scheduler.setAhead(Database.LEASE);

        assertCode(rows.read(List.of(ROW.key())), ErrorCode.UNAVAILABLE);
        assertCode(rows.scan(SCAN), ErrorCode.UNAVAILABLE);
        assertCode(snapshot.page(Schema.SEQUENCES, null), ErrorCode.UNAVAILABLE);
        assertCode(rows.snapshot(), ErrorCode.UNAVAILABLE);
        assertThat(database.openSnapshots())
                .as("the refused one is closed, the first open")
                .isEqualTo(1);
        assertThat(rows.trouble()).hasValueSatisfying(why -> assertThat(why).contains("has lost its database"));

        database.setAway(false);
        Awaitility.await().until(() -> rows.trouble().isEmpty());
        assertThat(await(rows.scan(SCAN))).isEmpty();
        snapshot.close();
        assertThat(database.openSnapshots()).isZero();
    }

    @Test
    void shouldRenewItsLeaseWithoutCommits() {
        Awaitility.await().until(() -> database.numbers().size() == 2);
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
            scheduler.setAhead(Database.LEASE);
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
