package io.lambdafs.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lambdafs.store.sql.server.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is found in a database that is as it should be, and in others. */
@Tag("once")
@Tag("slow")
class DatabaseExamTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private TestPostgres postgres;

    @BeforeEach
    void start() throws Exception {
        postgres = TestPostgres.start();
    }

    @AfterEach
    void stop() throws Exception {
        if (postgres != null) {
            postgres.close();
        }
    }

    private void set(String setting) throws Exception {
        postgres.execute("ALTER SYSTEM SET " + setting);
        postgres.execute("SELECT pg_reload_conf()");
    }

    @Test
    void shouldFindNothingWrongWithADurableDatabase() throws Exception {
        set("full_page_writes = on");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(DatabaseExam.of(postgres.settings(), false))
                        .filteredOn(each -> !each.what().startsWith("fsync"))
                        .isEmpty());
    }

    @Test
    void shouldNameASettingThatLosesCommits() throws Exception {
        set("full_page_writes = off");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(DatabaseExam.of(postgres.settings(), false))
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
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(DatabaseExam.of(postgres.settings(), false))
                            .anySatisfy(each -> assertThat(each.what()).contains("pg_receivewal is async")));
            assertThat(DatabaseExam.of(postgres.settings(), true))
                    .noneMatch(each -> each.what().contains("pg_receivewal"));
        } finally {
            standby.destroy();
            standby.waitFor();
        }
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
