package io.lambdafs.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.PatientWaits;
import io.lambdafs.model.testkit.Waits;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.database.DatabaseStore;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.StoreLimits;
import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.sql.server.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A primary with a synchronous standby: the one is killed, the other promoted. */
@Tag("slow")
class StandbyTest {
    private static final Key COUNT = Schema.SEQUENCES.key("count");
    private static final Mutation ADD =
            new Mutation.Merge(COUNT, List.of(new Mutation.Delta(0, Mutation.Delta.Kind.ADD, 1)));
    private static final int SOME = 200;
    /** A commit that waits for its standby. */
    private static final String WAITS =
            "SELECT count(*) > 0 FROM pg_stat_activity WHERE application_name = 'lambdafs-store' AND wait_event ="
                    + " 'SyncRep'";

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private @Nullable TestPostgres primary;
    private @Nullable TestPostgres standby;

    @BeforeEach
    void startBoth() throws Exception {
        primary = TestPostgres.start();
        standby = primary.standby();
    }

    @AfterEach
    void stopBoth() throws Exception {
        scheduler.close();
        if (standby != null) {
            standby.close();
        }
        if (primary != null) {
            primary.close();
        }
    }

    private DatabaseStore open(String url) {
        SqlSettings settings = new SqlSettings(url, PostgresServer.ACCOUNT, Optional.empty(), "a-cluster", 4);
        return SqlStore.open(scheduler, StoreLimits.defaults(), settings, CommitObserver.NONE);
    }

    /** Whichever of the two is the primary. */
    private String either() {
        return primary.url().replace("/postgres", "," + standby.url().replaceFirst("jdbc:postgresql://", ""))
                + "?targetServerType=primary";
    }

    private static CompletableFuture<Void> add(DatabaseStore store) {
        return store.begin(0).commit(List.of(ADD), Long.MAX_VALUE).toCompletableFuture();
    }

    private static long count(DatabaseStore store) {
        Row row = Waits.join(store.begin(0).readAndEnd(List.of(Read.unlocked(COUNT)), 0))
                .get(0);
        return row == null ? 0 : row.int64(0);
    }

    private static void await(AtomicLong acknowledged, long least) throws InterruptedException {
        while (acknowledged.get() < least) {
            Thread.sleep(5);
        }
    }

    private static CompletableFuture<Void> put(DatabaseStore store, Row row) {
        return store.begin(0)
                .commit(List.of(new Mutation.Put(row)), Long.MAX_VALUE)
                .toCompletableFuture();
    }

    /** Rows put during a load are answered before they are durable, and become durable with the next level. */
    @Test
    void shouldWaitForTheStandbyWithTheLevelAloneWhileItIsBeingLoaded() throws Exception {
        Row loading = new Row(FormatLevel.KEY, FormatLevel.LOADING + "a dump");
        try (DatabaseStore store = open(primary.url())) {
            put(store, loading).join();
        }
        // One that is started while the store is being loaded, too.
        try (DatabaseStore store = open(primary.url())) {
            standby.kill();
            add(store).join();
            assertWaits(put(store, loading));
            assertThat(count(store)).isEqualTo(1);

            put(store, FormatLevel.NEWEST.row()).join();
            standby.kill();
            assertWaits(add(store));
        }
    }

    /** Returns whether a commit waits for the standby, which is away; starts that. */
    private void assertWaits(CompletableFuture<Void> commit) throws Exception {
        primary.await(WAITS);
        assertThat(commit).isNotDone();
        standby.resume();
        commit.join();
    }

    /** No commit fails, none is lost, and the former primary serves nobody any more. */
    @Test
    void shouldLoseNothingWhenTheStandbyIsPromotedAndLeaveTheFormerPrimaryAlone() throws Exception {
        AtomicLong acknowledged = new AtomicLong();
        AtomicBoolean ended = new AtomicBoolean();
        try (DatabaseStore store = open(either())) {
            CompletableFuture<Void> adding = CompletableFuture.runAsync(() -> {
                while (!ended.get()) {
                    add(store).join();
                    acknowledged.incrementAndGet();
                }
            });
            await(acknowledged, SOME);
            primary.kill();
            long before = acknowledged.get();
            standby.execute("SELECT pg_promote()");
            await(acknowledged, before + 2);
            await(acknowledged, before + SOME);
            ended.set(true);
            adding.get();
            assertThat(count(store)).isEqualTo(acknowledged.get());
        }

        primary.resume();
        CompletableFuture<DatabaseStore> former = CompletableFuture.supplyAsync(() -> open(primary.url()));
        primary.await(WAITS);
        assertThat(former).as("it waits for its standby, and serves nobody").isNotDone();
        primary.kill();
        assertThat(former)
                .failsWithin(PatientWaits.PATIENCE)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(FsException.class);
        try (DatabaseStore again = open(standby.url())) {
            assertThat(count(again)).isEqualTo(acknowledged.get());
        }
    }

    private long waitingBackend() throws Exception {
        try (Connection connection = primary.connect();
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")) {
            assertThat(row.next()).isTrue();
            return row.getLong(1);
        }
    }

    /** An administrator can end the wait for a standby; PostgreSQL then only warns, and a promotion loses the commit. */
    @Test
    void shouldNotAcknowledgeWhatTheStandbyHasNot() throws Exception {
        try (DatabaseStore store = open(either())) {
            add(store).join();
            standby.kill();
            CompletableFuture<Void> waiting = add(store);
            primary.await(WAITS);
            long former = waitingBackend();
            primary.execute("SELECT pg_cancel_backend(" + former + ")");
            // It has taken the row anew, and waits there.
            primary.await(WAITS + " AND pid <> " + former);
            assertThat(waiting).isNotDone();
            standby.resume();
            try {
                waiting.join();
                assertThat(count(store)).isEqualTo(2);
            } catch (CompletionException unknown) {
                assertThat(count(store)).isBetween(1L, 2L);
            }
        }
    }
}
