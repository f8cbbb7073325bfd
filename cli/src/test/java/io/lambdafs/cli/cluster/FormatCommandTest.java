package io.lambdafs.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cli.Main;
import io.lambdafs.cluster.terminal.CommandRun;
import org.junit.jupiter.api.Test;

/** {@code lambdafs format --print-sql}. */
class FormatCommandTest {
    @Test
    void shouldPrintTheTablesOfPostgres() {
        CommandRun run = CommandRun.of(Main::run, "format", "--print-sql", "postgres");
        assertThat(run.exit()).isZero();
        assertThat(run.out().lines()).allMatch(each -> each.endsWith(";"));
        assertThat(run.out())
                .contains("CREATE SCHEMA IF NOT EXISTS lambdafs;", "CREATE TABLE IF NOT EXISTS lambdafs.inodes (")
                .contains("PRIMARY KEY (\"parent_id\", \"name\")");
    }

    /** Also where the build has no client of NDB's. */
    @Test
    void shouldPrintTheTablesOfNdb() {
        CommandRun run = CommandRun.of(Main::run, "format", "--print-sql", "ndb");
        assertThat(run.exit()).isZero();
        assertThat(run.out().lines()).allMatch(each -> each.endsWith(";"));
        assertThat(run.out())
                .contains("CREATE DATABASE IF NOT EXISTS lambdafs;", "CREATE TABLE IF NOT EXISTS lambdafs.`inodes` (")
                .contains("ENGINE=NDBCLUSTER");
    }

    @Test
    void shouldPrintTheTableOfContentsOnDiskWhereItIsAskedFor() {
        CommandRun run = CommandRun.of(Main::run, "format", "--print-sql", "ndb-disk");
        assertThat(run.exit()).isZero();
        assertThat(run.out())
                .contains("CREATE TABLESPACE lambdafs ", "lambdafs.`inodes` (", "lambdafs.`small_files_on_disk` (");
    }

    @Test
    void shouldRefuseAnEngineWithoutTables() {
        CommandRun run = CommandRun.of(Main::run, "format", "--print-sql", "embedded");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", "postgres, ndb or ndb-disk, not embedded");
    }
}
