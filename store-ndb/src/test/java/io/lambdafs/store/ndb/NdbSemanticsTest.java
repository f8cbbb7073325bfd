package io.lambdafs.store.ndb;

import io.lambdafs.functions.namenode.EngineUnderTest;
import io.lambdafs.functions.namenode.NameNodeSemanticsTest;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.database.WaitingRows;
import io.lambdafs.store.engine.LockingStore;
import io.lambdafs.store.engine.StoreLimits;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Semantics of NameNodes on NDB. */
@Tag("slow")
class NdbSemanticsTest extends NameNodeSemanticsTest {
    private static @Nullable TestNdb ndb;
    private static @Nullable WaitingRows rows;

    @BeforeAll
    static void startNdb() throws Exception {
        ndb = TestNdb.shared();
    }

    @AfterAll
    static void leaveDatabase() {
        if (rows != null) {
            rows.close();
        }
    }

    @Override
    protected EngineUnderTest open(Scheduler scheduler) {
        leaveDatabase();
        try {
            ndb.empty();
            rows = new WaitingRows(ndb.database());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return new EngineUnderTest(
                new LockingStore(scheduler, StoreLimits.defaults(), rows.under(scheduler)), rows::all);
    }
}
