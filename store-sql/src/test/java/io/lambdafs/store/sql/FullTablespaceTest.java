package io.lambdafs.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.testkit.RamDisk;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.database.DatabaseStore;
import io.lambdafs.store.database.FullStore;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.StoreLimits;
import io.lambdafs.store.sql.server.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database whose disk is full: that of a table alone, on a file system in memory. Needs the right to mount one; skipped elsewhere. */
@Tag("slow")
class FullTablespaceTest {
    private static final int ROW_BYTES = 200_000;

    @TempDir
    private Path folder;

    private final ThreadScheduler scheduler = new ThreadScheduler();

    @AfterEach
    void stop() {
        scheduler.close();
    }

    @Test
    void shouldSayThatItIsFullAndLoseNothing() throws Exception {
        try (RamDisk disk = RamDisk.mountOrSkip(folder, 8);
                TestPostgres postgres = TestPostgres.start()) {
            Path place = Files.createDirectory(disk.directory().resolve("place"));
            Files.setOwner(
                    place,
                    place.getFileSystem()
                            .getUserPrincipalLookupService()
                            .lookupPrincipalByName(PostgresServer.ACCOUNT));
            postgres.execute(String.join(";", SqlStore.schema()));
            postgres.execute("CREATE TABLESPACE small LOCATION '" + place + "'");
            postgres.execute("ALTER TABLE lambdafs.small_files SET TABLESPACE small");
            try (DatabaseStore store =
                    SqlStore.open(scheduler, StoreLimits.defaults(), postgres.settings(), CommitObserver.NONE)) {
                assertThat(new FullStore(store, ROW_BYTES).assertSaysThatItIsFullAndLosesNothing())
                        .isGreaterThan(5);
            }
        }
    }
}
