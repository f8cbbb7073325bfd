package io.lambdafs.store.ndb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.ndb.row.NdbSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the cost of reads in NDB, counted by its client: the node that has the partition is asked, and no other
 * fragment is looked through.
 */
@Tag("slow")
class AskedNodeTest {
    private static final int PARTITIONS = 60;
    private static final String SCANS = "RangeScanCount";
    private static final String ONE_FRAGMENT = "PrunedScanCount";
    private static final String ROWS = "ReadRowCount";
    private static final String AT_THE_NODE_ASKED = "TransLocalReadRowCount";

    @TempDir
    Path folder;

    private static Key key(long partition) {
        return Schema.SLOTS.key("client-" + partition, partition);
    }

    @Test
    void shouldAskTheNodeThatHasThePartition() throws Exception {
        TestNdb ndb = TestNdb.shared();
        ndb.empty();
        try (NdbDatabase database = ndb.database()) {
            assumeTrue(ClientStats.load(folder), ClientStats.NEEDS);
            long group = database.take() + 1;
            List<Mutation> rows = new ArrayList<>();
            for (long i = 0; i < PARTITIONS; i++) {
                rows.add(new Mutation.Put(new Row(key(i), i, new byte[10], 0L)));
            }
            database.write(group, List.of(rows), new BitSet());
            // One caller uses one session.
            look(database, 0);
            Map<String, Long> before = counts(ndb);
            for (long i = 0; i < PARTITIONS; i++) {
                look(database, i);
            }
            Map<String, Long> counted = counts(ndb);
            counted.replaceAll((name, count) -> count - before.get(name));
            assertThat(counted)
                    .containsEntry(SCANS, (long) PARTITIONS)
                    .containsEntry(ONE_FRAGMENT, (long) PARTITIONS)
                    .containsEntry(ROWS, 2L * PARTITIONS)
                    .containsEntry(AT_THE_NODE_ASKED, 2L * PARTITIONS);
        }
    }

    private static void look(NdbDatabase database, long partition) throws Exception {
        assertThat(database.read(List.of(key(partition)))).hasSize(1);
        assertThat(database.scan(new Scan(Schema.SLOTS, "client-" + partition, null, 10)))
                .hasSize(1);
    }

    private static Map<String, Long> counts(TestNdb ndb) throws Exception {
        NdbSession session = ndb.connection().session();
        try {
            Map<String, Long> counts = new LinkedHashMap<>();
            for (String each : List.of(SCANS, ONE_FRAGMENT, ROWS, AT_THE_NODE_ASKED)) {
                counts.put(each, ClientStats.count(session, each));
            }
            return counts;
        } finally {
            ndb.connection().giveBack(session);
        }
    }
}
