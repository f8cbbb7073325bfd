package io.lambdafs.store.sql;

import io.lambdafs.functions.namenode.EngineUnderTest;
import io.lambdafs.functions.namenode.NameNodeSemanticsTest;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import io.lambdafs.store.database.WaitingRows;
import io.lambdafs.store.engine.LockingStore;
import io.lambdafs.store.engine.StoreLimits;
import java.sql.SQLException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Semantics of NameNodes on PostgreSQL. */
@Tag("slow")
class PostgresSemanticsTest extends NameNodeSemanticsTest {
    private static final String EMPTY = Schema.TABLES.stream()
            .filter(Table::hasRows)
            .map(table -> SqlTable.SCHEMA + "." + table.name())
            .map("DELETE FROM "::concat)
            .collect(Collectors.joining("; "));

    private static @Nullable TestPostgres postgres;
    private static @Nullable WaitingRows rows;

    @BeforeAll
    static void startPostgres() throws Exception {
        postgres = TestPostgres.emptied();
        rows = new WaitingRows(new SqlDatabase(postgres.settings()));
    }

    @AfterAll
    static void leaveDatabase() {
        if (rows != null) {
            rows.close();
        }
    }

    @Override
    protected EngineUnderTest open(Scheduler scheduler) {
        try {
            postgres.execute(EMPTY);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return new EngineUnderTest(
                new LockingStore(scheduler, StoreLimits.defaults(), rows.under(scheduler)), rows::all);
    }
}
