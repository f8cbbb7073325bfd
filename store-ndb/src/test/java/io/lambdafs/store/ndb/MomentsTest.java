package io.lambdafs.store.ndb;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.store.Key;
import io.lambdafs.store.Schema;
import io.lambdafs.store.ndb.Moments.Partition;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MomentsTest {
    private static final Key HERE = Schema.SUBTREE_OPERATIONS.key(1L, "/here");
    private static final Key BESIDE = Schema.SUBTREE_OPERATIONS.key(1L, "/beside");
    private static final Key ELSEWHERE = Schema.SUBTREE_OPERATIONS.key(2L, "/here");

    private final Moments moments = new Moments();

    @Test
    void shouldHoldWhileNoGroupChangesWhatWasRead() {
        long since = moments.now();

        moments.begin(Set.of(BESIDE));

        assertThat(moments.held(since, List.of(HERE))).isTrue();
        assertThat(moments.held(since, Partition.of(ELSEWHERE))).isTrue();
    }

    @Test
    void shouldNotHoldWhileAGroupThatChangesARowIsCommitted() {
        long since = moments.now();

        moments.begin(Set.of(HERE));

        assertThat(moments.held(since, List.of(BESIDE, HERE))).isFalse();
        assertThat(moments.held(since, Partition.of(BESIDE))).isFalse();
    }

    @Test
    void shouldNotHoldWhereAGroupWasUnderWayAsTheReadBegan() {
        moments.begin(Set.of(HERE));
        long since = moments.now();
        moments.end();

        assertThat(moments.held(since, List.of(HERE))).isFalse();
    }

    @Test
    void shouldHoldAgainOnceTheGroupIsOver() {
        moments.begin(Set.of(HERE));
        moments.end();

        assertThat(moments.isQuiet()).isTrue();
        assertThat(moments.held(moments.now(), List.of(HERE))).isTrue();
    }

    @Test
    void shouldNotHoldForReadersThatTakeLongerThanGroupsAreRemembered() {
        long since = moments.now();
        for (int i = 0; i < 1_000; i++) {
            moments.begin(Set.of(BESIDE));
            moments.end();
        }

        assertThat(moments.held(since, List.of(HERE))).isFalse();
    }

    @Test
    void shouldForgetLargeGroupsSoonAndHoldForWhoBeganSince() {
        List<WeakReference<Set<Key>>> groups = new ArrayList<>();
        long since = moments.now();
        for (long group = 0; group < 10; group++) {
            Set<Key> keys = keys(group);
            groups.add(new WeakReference<>(keys));
            moments.begin(keys);
            moments.end();
        }

        assertThat(moments.held(since, List.of(HERE))).isFalse();
        assertThat(moments.held(moments.now(), List.of(HERE))).isTrue();
        System.gc();
        assertThat(groups.stream().filter(each -> each.get() != null)).hasSize(1);
    }

    private static Set<Key> keys(long group) {
        return LongStream.range(0, 20_000)
                .mapToObj(each -> Schema.SUBTREE_OPERATIONS.key(100 + group, "/" + each))
                .collect(Collectors.toSet());
    }
}
