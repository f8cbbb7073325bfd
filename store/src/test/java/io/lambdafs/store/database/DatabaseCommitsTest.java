package io.lambdafs.store.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.database.TestDatabase.Write;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Groups of commits whose connection breaks (PROTOCOL: D2, D3). */
class DatabaseCommitsTest {
    private static final Row ROW = new Row(Schema.SEQUENCES.key("n"), 1L);
    private static final List<List<Mutation>> GROUP = List.of(List.of(new Mutation.Put(ROW)));
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ManualScheduler clock = new ManualScheduler();
    private final TestDatabase database = new TestDatabase(clock);

    private DatabaseCommits commits(Duration patience) {
        return new DatabaseCommits(clock, database, patience);
    }

    private Map<Key, Row> stored() throws DatabaseLostException {
        return database.read(List.of(ROW.key()));
    }

    @Test
    void shouldNumberGroupsFromTheLastOneOfThePreviousOwner() {
        assertThat(commits(PATIENCE).write(GROUP, new BitSet())).isEqualTo(1);
        assertThat(commits(PATIENCE).write(GROUP, new BitSet())).isEqualTo(1);
        assertThat(database.numbers()).containsExactly(1L, 2L);
    }

    @Test
    void shouldNotMakeAgainWhatWasMadeWithoutAnAnswer() throws Exception {
        DatabaseCommits commits = commits(PATIENCE);
        database.then(Write.UNANSWERED);
        assertThat(commits.write(GROUP, new BitSet())).isEqualTo(1);
        assertThat(stored()).containsOnlyKeys(ROW.key());
        assertThat(database.numbers()).containsExactly(1L);
        assertThat(commits.isSettled()).isTrue();
    }

    @Test
    void shouldMakeAgainWhatDidNotArrive() throws Exception {
        DatabaseCommits commits = commits(PATIENCE);
        database.then(Write.LOST, Write.LOST);
        assertThat(commits.write(GROUP, new BitSet())).isEqualTo(1);
        assertThat(stored()).containsOnlyKeys(ROW.key());
        assertThat(database.numbers()).containsExactly(1L, 1L, 1L);
    }

    @Test
    void shouldLeaveTheOutcomeOpenWhereTheDatabaseStaysAwayAndNeverUseItsNumberAgain() {
        DatabaseCommits commits = commits(Duration.ofNanos(-1));
        database.setAway(true);
        assertThatThrownBy(() -> commits.write(GROUP, new BitSet()))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONNECTION_LOST))
                .hasMessageContaining("the database is away");
        assertThat(commits.isSettled()).as("nobody may read").isFalse();

        database.setAway(false);
        assertThat(commits.write(GROUP, new BitSet())).isEqualTo(1);
        assertThat(commits.isSettled()).isTrue();
        assertThat(database.numbers()).containsExactly(2L);
    }

    @Test
    void shouldNotBeSettledOnceItsLeaseIsOver() {
        DatabaseCommits commits = commits(PATIENCE);
        clock.advance(Database.LEASE.minusNanos(1));
        assertThat(commits.isSettled()).isTrue();
        clock.advance(1);
        assertThat(commits.isSettled()).isFalse();
        assertThat(commits.sinceCommit()).isEqualTo(Database.LEASE.toNanos());
        commits.write(GROUP, new BitSet());
        assertThat(commits.isSettled()).isTrue();
        assertThat(commits.sinceCommit()).isZero();
    }

    @Test
    void shouldSayWhyItCannotTakeTheDatabase() {
        database.setAway(true);
        assertThatThrownBy(() -> commits(PATIENCE))
                .isInstanceOf(FsException.class)
                .hasMessage("the database is away");
    }

    @Test
    void shouldEndAWaitThatIsInterruptedAndStayInterrupted() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(Database::awaitLeases)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void shouldNameWhoTookTheDatabase() {
        assertThat(DatabaseGoneError.superseded())
                .hasMessageContaining("another process has taken the database")
                .hasMessageContaining("this process ends");
    }
}
