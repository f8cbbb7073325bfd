package io.lambdafs.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lambdafs.store.sql.server.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the examination of sound and of damaged databases. */
class DatabaseExamTest {

    @TempDir
    private Path folder;

    private TestPostgres postgres;

    @BeforeEach
    void empty() throws Exception {
        postgres = TestPostgres.emptied();
    }

    @AfterEach
    void reset() throws Exception {
        if (postgres != null) {
            postgres.execute("ALTER SYSTEM RESET full_page_writes");
            postgres.execute("SELECT pg_reload_conf()");
        }
    }

    private void set(String setting) throws Exception {
        postgres.execute("ALTER SYSTEM SET " + setting);
        postgres.execute("SELECT pg_reload_conf()");
    }

    @Test
    void shouldFindNothingWrongWithADurableDatabase() throws Exception {
        set("full_page_writes = on");
        await().untilAsserted(() -> assertThat(DatabaseExam.of(postgres.settings(), false))
                .filteredOn(each -> !each.what().startsWith("fsync"))
                .isEmpty());
    }

    @Test
    void shouldNameASettingThatLosesCommits() throws Exception {
        set("full_page_writes = off");
        await().untilAsserted(() -> assertThat(DatabaseExam.of(postgres.settings(), false))
                .anySatisfy(each -> {
                    assertThat(each.what()).contains("full_page_writes is off");
                    assertThat(each.change()).contains("full_page_writes = on");
                }));
    }

    @Test
    void shouldRefuseAStandbyThatIsNotSynchronousUnlessItMayLose() throws Exception {
        Path program = PostgresServer.programs().orElseThrow().resolve("pg_receivewal");
        assumeTrue(Files.isExecutable(program), "there is no pg_receivewal");
        String address = postgres.url().replaceAll("jdbc:postgresql://", "").replaceAll("/.*", "");
        int colon = address.lastIndexOf(':');
        Process standby = new ProcessBuilder(
                        program.toString(),
                        "-h",
                        address.substring(0, colon),
                        "-p",
                        address.substring(colon + 1),
                        "-U",
                        PostgresServer.ACCOUNT,
                        "-D",
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        try {
            await().untilAsserted(() -> assertThat(DatabaseExam.of(postgres.settings(), false))
                    .anySatisfy(each -> assertThat(each.what()).contains("pg_receivewal is async")));
            assertThat(DatabaseExam.of(postgres.settings(), true))
                    .noneMatch(each -> each.what().contains("pg_receivewal"));
        } finally {
            standby.destroy();
            standby.waitFor();
        }
    }

    /** A pooler gives the session other settings than it asks for. */
    @Test
    void shouldNameWhatKeepsADeadServersLocks() {
        assertThat(freedLocks(10_000, 5)).isEmpty();
        assertThat(freedLocks(60_000, 60)).isEmpty();
        assertThat(freedLocks(1, 0)).as("a connection without TCP").isEmpty();
        for (long idle : new long[] {0, -1, 60_001}) {
            assertThat(freedLocks(idle, 5))
                    .singleElement()
                    .satisfies(each ->
                            assertThat(each.what()).contains("idle_in_transaction_session_timeout is " + idle + " ms"));
        }
        assertThat(freedLocks(10_000, 61))
                .singleElement()
                .satisfies(each -> assertThat(each.what()).contains("tcp_keepalives_idle is 61 s"));
    }

    private static List<DatabaseExam.Fault> freedLocks(long idleMillis, long keepaliveSeconds) {
        List<DatabaseExam.Fault> faults = new ArrayList<>();
        DatabaseExam.checkFreedLocks(idleMillis, keepaliveSeconds, faults);
        return faults;
    }

    @Test
    void shouldMeasureAClockThatIsReadBetweenTwoMoments() {
        assertThat(DatabaseExam.apart(150, 100, 200)).isZero();
        assertThat(DatabaseExam.apart(100, 100, 200)).isZero();
        assertThat(DatabaseExam.apart(207, 100, 200)).isEqualTo(7);
        assertThat(DatabaseExam.apart(91, 100, 200)).isEqualTo(9);
    }

    @Test
    void shouldSayThatADatabaseCannotBeReached() {
        SqlSettings nowhere =
                new SqlSettings("jdbc:postgresql://127.0.0.1:1/none", "nobody", Optional.empty(), "a-cluster", 1);
        List<DatabaseExam.Fault> faults = DatabaseExam.of(nowhere, false);
        assertThat(faults)
                .singleElement()
                .satisfies(each -> assertThat(each.what()).contains("127.0.0.1:1"));
    }
}
