package io.lambdafs.store.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.store.ChangeLog;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import java.util.List;
import org.junit.jupiter.api.Test;

class OlderRowsTest {
    private static final Row IDS = new Row(Schema.SEQUENCES.key("ids"), 10L);

    @Test
    void shouldEndAllEpochsAndSkipNumbersThatMayHaveBeenIssued() {
        assertThat(OlderRows.ended(List.of(Rows.instanceKey(1), Rows.instanceKey(2)), List.of(IDS)))
                .containsExactly(
                        new Mutation.Delete(Rows.instanceKey(1)),
                        new Mutation.Delete(Rows.instanceKey(2)),
                        new Mutation.Put(new Row(IDS.key(), 10 + Database.SKIPPED)));
    }

    @Test
    void shouldEndTheReadableLogBeforeTheFirstNewPosition() {
        List<Row> sequences = List.of(new Row(ChangeLog.NEXT, 5L), new Row(ChangeLog.TRIMMED, 3L));
        assertThat(OlderRows.ended(List.of(), sequences))
                .containsExactly(
                        new Mutation.Put(new Row(ChangeLog.NEXT, 5 + Database.SKIPPED)),
                        new Mutation.Put(new Row(ChangeLog.TRIMMED, 5 + Database.SKIPPED - 1)));
    }
}
