package io.lambdafs.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ViewTest {
    @Test
    void shouldIterateMembersInEpochOrder() {
        Map<Long, Member> members = new LinkedHashMap<>();
        Set<Long> absent = new LinkedHashSet<>();
        for (long epoch : List.of(900L, 7L, 31L, 2L, 64L)) {
            members.put(epoch, new Member(epoch, 0, "instance-" + epoch, "127.0.0.1", 1, true));
            absent.add(epoch);
        }

        View view = new View(1, members, absent);

        assertThat(view.members().keySet()).containsExactly(2L, 7L, 31L, 64L, 900L);
        assertThat(view.absent()).containsExactly(2L, 7L, 31L, 64L, 900L);
    }
}
