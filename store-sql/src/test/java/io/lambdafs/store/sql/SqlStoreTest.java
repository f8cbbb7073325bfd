package io.lambdafs.store.sql;

import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.MetadataStoreContract;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.StoreLimits;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;

/** The contract of all stores, on a PostgreSQL of its own. */
class SqlStoreTest extends MetadataStoreContract {
    private static @Nullable TestPostgres postgres;

    @BeforeAll
    static void startPostgres() throws Exception {
        postgres = TestPostgres.shared();
    }

    @Override
    protected MetadataStore open(Scheduler scheduler, StoreLimits limits) throws Exception {
        postgres.empty();
        return SqlStore.open(scheduler, limits, postgres.settings(), CommitObserver.NONE);
    }

    /** By a statement of the group, and by its COMMIT. */
    @Override
    public List<Refusal> refusalsOfChanges() {
        return List.of(
                key -> refuse("CREATE TRIGGER refused BEFORE INSERT OR UPDATE ON lambdafs.sequences", key),
                key -> refuse(
                        "CREATE CONSTRAINT TRIGGER refused AFTER INSERT OR UPDATE ON lambdafs.sequences"
                                + " DEFERRABLE INITIALLY DEFERRED",
                        key));
    }

    private static End refuse(String trigger, Key key) throws SQLException {
        postgres.execute("CREATE OR REPLACE FUNCTION lambdafs.refuse() RETURNS trigger LANGUAGE plpgsql"
                + " AS $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '40001'; END $$");
        postgres.execute(trigger + " FOR EACH ROW WHEN (NEW.name = '" + key.string(0)
                + "') EXECUTE PROCEDURE lambdafs.refuse()");
        return () -> postgres.execute("DROP TRIGGER IF EXISTS refused ON lambdafs.sequences");
    }

    /** As a standby's, which conflicts with what its primary removes. */
    @Override
    public List<Refusal> refusalsOfReads() {
        return List.of(key -> {
            postgres.execute("CREATE OR REPLACE FUNCTION lambdafs.refuse_read(bigint) RETURNS bigint LANGUAGE plpgsql"
                    + " AS $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '40001'; END $$");
            postgres.execute("ALTER TABLE lambdafs.sequences RENAME TO hidden");
            postgres.execute("CREATE VIEW lambdafs.sequences AS SELECT name, CASE name WHEN '" + key.string(0)
                    + "' THEN lambdafs.refuse_read(next) ELSE next END AS next, unknown_columns FROM lambdafs.hidden");
            return () -> {
                postgres.execute("DROP VIEW lambdafs.sequences");
                postgres.execute("ALTER TABLE lambdafs.hidden RENAME TO sequences");
            };
        });
    }
}
