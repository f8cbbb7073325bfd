package io.lambdafs.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.database.DatabaseStore;
import io.lambdafs.store.database.FullStore;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.StoreLimits;
import io.lambdafs.store.sql.server.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database whose disk is full: that of a table alone, on a file system in memory. Needs the right to mount one; skipped elsewhere. */
@Tag("once")
@Tag("slow")
class FullTablespaceTest {
    private static final int ROW_BYTES = 200_000;

    @TempDir
    private Path disk;

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private boolean mounted;

    @BeforeEach
    void mount() throws Exception {
        mounted = run("mount", "-t", "tmpfs", "-o", "size=8m", "lambdafs-test", disk.toString());
        assumeTrue(mounted, "may not mount a file system here");
    }

    @AfterEach
    void unmount() throws Exception {
        scheduler.close();
        if (mounted) {
            assertThat(run("umount", "-l", disk.toString())).isTrue();
        }
    }

    private static boolean run(String... command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void shouldSayThatItIsFullAndLoseNothing() throws Exception {
        Path place = Files.createDirectory(disk.resolve("place"));
        Files.setOwner(
                place,
                place.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(PostgresServer.ACCOUNT));
        try (TestPostgres postgres = TestPostgres.start()) {
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
