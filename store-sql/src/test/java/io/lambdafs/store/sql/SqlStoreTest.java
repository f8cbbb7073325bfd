package io.lambdafs.store.sql;

import io.lambdafs.model.Scheduler;
import io.lambdafs.store.CommitObserver;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.MetadataStoreContract;
import io.lambdafs.store.StoreLimits;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract of all stores, on a PostgreSQL of its own. */
@Tag("once")
class SqlStoreTest extends MetadataStoreContract {
    private static @Nullable TestPostgres postgres;

    @BeforeAll
    static void startPostgres() throws Exception {
        postgres = TestPostgres.shared();
    }

    @Override
    protected MetadataStore open(Scheduler scheduler, StoreLimits limits) throws Exception {
        postgres.execute("DROP SCHEMA IF EXISTS lambdafs CASCADE");
        return SqlStore.open(scheduler, limits, postgres.settings(), CommitObserver.NONE);
    }
}
