package io.lambdafs.rpc.framing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.rpc.message.Done;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CorrelationTableTest {
    private static PendingRequest added(CorrelationTable table) {
        PendingRequest request = new PendingRequest(null, Done.DONE, 1);
        table.add(request);
        return request;
    }

    @Test
    void shouldFindEachRequestOnceAndNeverUseAnIdTwice() {
        Random random = new Random(7);
        CorrelationTable table = new CorrelationTable(1_000);
        Map<Long, PendingRequest> waiting = new HashMap<>();
        Set<Long> used = new HashSet<>();
        for (int i = 0; i < 50_000; i++) {
            if (waiting.size() < 1_000 && random.nextBoolean()) {
                PendingRequest request = added(table);
                assertThat(used.add(request.correlationId)).isTrue();
                waiting.put(request.correlationId, request);
            } else if (!waiting.isEmpty()) {
                long id = waiting.keySet().iterator().next();
                assertThat(table.remove(id)).isSameAs(waiting.remove(id));
                assertThat(table.remove(id)).isNull();
            }
        }
        assertThat(table.removeAll()).containsExactlyInAnyOrderElementsOf(waiting.values());
        assertThat(table.removeAll()).isEmpty();
    }

    @Test
    void shouldNotFindWhatWasNeverSent() {
        CorrelationTable table = new CorrelationTable(4);
        PendingRequest request = added(table);

        for (long id : List.of(0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, request.correlationId + 1, 0xffffL)) {
            assertThat(table.remove(id)).isNull();
        }
        assertThat(table.remove(request.correlationId)).isSameAs(request);
    }

    @Test
    void shouldKeepToItsLimit() {
        CorrelationTable table = new CorrelationTable(100);
        for (int i = 0; i < 100; i++) {
            added(table);
        }

        assertThatThrownBy(() -> added(table)).isInstanceOf(IllegalStateException.class);
        assertThat(table.removeAll()).hasSize(100);
        assertThat(added(table).correlationId).isPositive();
    }
}
