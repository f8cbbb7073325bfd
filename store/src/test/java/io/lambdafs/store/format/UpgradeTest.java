package io.lambdafs.store.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.SignMigration;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class UpgradeTest {
    private static final String NEWEST = Integer.toString(FormatLevel.NEWEST.number());

    private final ManualScheduler scheduler = new ManualScheduler(1);
    private final MemoryStore store = new MemoryStore(scheduler);

    private <T> T done(CompletionStage<T> stage) {
        scheduler.run();
        try {
            return stage.toCompletableFuture().join();
        } catch (RuntimeException e) {
            throw FsException.of(e);
        }
    }

    private void put(Row... rows) {
        List<Mutation> changes =
                List.of(rows).stream().<Mutation>map(Mutation.Put::new).toList();
        done(store.begin(0).commit(changes, Long.MAX_VALUE));
    }

    private void join(long epoch, Object... values) {
        put(new Row(Rows.instanceKey(epoch), values), new Row(Rows.epochKey(epoch), 1L));
    }

    private String level() {
        Row row = done(store.begin(0).readAndEnd(List.of(Read.unlocked(FormatLevel.KEY)), 0))
                .get(0);
        return row == null ? "none" : row.string(0);
    }

    @Test
    void shouldTellWhatItWouldDoAndChangeNothing() {
        put(FormatLevel.FIRST.row());
        join(7, 1L, "new", 1L, (long) FormatLevel.NEWEST.number());

        Upgrade.Plan plan = done(Upgrade.plan(store));

        assertThat(plan).isEqualTo(new Upgrade.Plan(FormatLevel.FIRST, FormatLevel.NEWEST, 1, List.of()));
        assertThat(level()).isEqualTo("1");
        assertThat(store.openTransactions()).isZero();
    }

    @Test
    void shouldRaiseTheLevelOnceAndAgain() {
        put(FormatLevel.FIRST.row());

        assertThat(done(Upgrade.raise(store)).isDone()).isFalse();
        assertThat(level()).isEqualTo(NEWEST);
        assertThat(done(Upgrade.raise(store)).isDone()).isTrue();
        assertThat(level()).isEqualTo(NEWEST);
    }

    @Test
    void shouldRefuseWhileAnInstanceOfAnEarlierBuildLives() {
        put(FormatLevel.FIRST.row());
        join(7, 1L, "new", 1L, (long) FormatLevel.NEWEST.number());
        join(8, 3L, "old", 1L);

        assertThat(done(Upgrade.plan(store)).earlier()).containsExactly(new Upgrade.Earlier(8, 3, "old", 1));
        assertThatThrownBy(() -> done(Upgrade.raise(store)))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_ALLOWED))
                .hasMessageContaining("1 of 2 instances", "old of deployment 3", "replace them");
        assertThat(level()).isEqualTo("1");

        done(store.fence(8));
        done(Upgrade.raise(store));
        assertThat(level()).isEqualTo(NEWEST);
    }

    @Test
    void shouldRefuseAStoreOfANewerLevel() {
        put(new Row(FormatLevel.KEY, "99"));

        assertThatThrownBy(() -> done(Upgrade.raise(store)))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED))
                .hasMessageContaining("format level 99", "levels up to " + NEWEST, "use the build that raised it");
        assertThat(level()).isEqualTo("99");
    }

    @Test
    void shouldSayWhereNothingIsFormatted() {
        assertThatThrownBy(() -> done(Upgrade.raise(store))).hasMessageContaining("holds no file system");
        assertThat(level()).isEqualTo("none");
        assertThat(store.openTransactions()).isZero();
    }

    @Test
    void shouldWaitForWhoeverDependsOnTheLevel() {
        put(FormatLevel.FIRST.row());
        StoreTransaction writer = store.begin(0);
        done(writer.read(List.of(Read.shared(FormatLevel.KEY)), 0));

        var raised = Upgrade.raise(store).toCompletableFuture();
        scheduler.run();
        assertThat(raised).isNotDone();
        writer.abort();

        done(raised);
        assertThat(level()).isEqualTo(NEWEST);
    }

    @Test
    void shouldMigrateRowsInStepsBeforeItRaisesTheLevel() {
        put(FormatLevel.FIRST.row());
        done(store.begin(0).commit(SignMigration.before(95), Long.MAX_VALUE));
        SignMigration migration = new SignMigration(FormatLevel.XATTRS, Integer.MAX_VALUE);

        assertThat(done(migration.raise(store)).from()).isEqualTo(FormatLevel.FIRST);

        assertThat(level()).isEqualTo(NEWEST);
        assertThat(SignMigration.migrated(store.rows())).isEqualTo(95);
        assertThat(migration.steps()).isEqualTo(11);
        done(migration.raise(store));
        assertThat(migration.steps())
                .as("nothing of a level that the store has")
                .isEqualTo(11);
    }

    @Test
    void shouldGoOnWithAMigrationThatWasInterrupted() {
        put(FormatLevel.FIRST.row());
        done(store.begin(0).commit(SignMigration.before(95), Long.MAX_VALUE));
        var interrupted = new SignMigration(FormatLevel.XATTRS, 4).raise(store).toCompletableFuture();
        scheduler.run();
        assertThat(SignMigration.migrated(store.rows())).isEqualTo(40);
        assertThat(level()).isEqualTo("1");
        scheduler.advance(Duration.ofMinutes(1)); // The transaction's limit: its lock is free again.

        SignMigration again = new SignMigration(FormatLevel.XATTRS, Integer.MAX_VALUE);
        done(again.raise(store));

        assertThat(interrupted).isNotDone();
        assertThat(again.steps()).isEqualTo(7);
        assertThat(SignMigration.migrated(store.rows())).isEqualTo(95);
        assertThat(level()).isEqualTo(NEWEST);
    }

    @Test
    void shouldMigrateNothingWhileAnInstanceOfAnEarlierBuildLives() {
        put(FormatLevel.FIRST.row());
        done(store.begin(0).commit(SignMigration.before(5), Long.MAX_VALUE));
        join(8, 3L, "old", 1L);
        SignMigration migration = new SignMigration(FormatLevel.XATTRS, Integer.MAX_VALUE);

        assertThatThrownBy(() -> done(migration.raise(store))).hasMessageContaining("replace them");

        assertThat(SignMigration.migrated(store.rows())).isZero();
    }
}
