package io.lambdafs.functions.namenode.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.store.block.Datanode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BlockPlacesTest {
    private static final int BLOCKS = 4_000;

    private static Datanode datanode(int number, Datanode.State state) {
        return new Datanode(new DatanodeAddress("datanode-" + number, "h", number), "s", state, 0, 0, 0);
    }

    private static List<Datanode> serving(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> datanode(number, Datanode.State.SERVING))
                .toList();
    }

    private static String first(List<Datanode> all, long block) {
        return BlockPlaces.serving(all, "s", block).get(0).id();
    }

    @Test
    void shouldSendReadersToTheDatanodeThatWroteABlockInWhicheverOrderTheyAreListed() {
        List<Datanode> all = serving(5);
        List<Datanode> reversed = new ArrayList<>(all);
        Collections.reverse(reversed);
        for (long block = 0; block < BLOCKS; block++) {
            assertThat(BlockPlaces.choose(reversed, Set.of(), "", block).datanodes())
                    .isEqualTo(BlockPlaces.serving(all, "s", block))
                    .hasSize(3);
        }
    }

    @Test
    void shouldSpreadBlocksEvenlyAndMoveFewWhereOneComes() {
        Map<String, Integer> counts = new HashMap<>();
        int moved = 0;
        for (long block = 0; block < BLOCKS; block++) {
            String first = first(serving(4), block);
            String later = first(serving(5), block);
            counts.merge(first, 1, Integer::sum);
            moved += first.equals(later) ? 0 : 1;
            assertThat(later).isIn(first, "datanode-5");
        }
        assertThat(counts.values())
                .hasSize(4)
                .allSatisfy(count -> assertThat(count).isBetween(850, 1_150));
        assertThat(moved).isBetween(650, 950);
    }

    @Test
    void shouldAskOneThatIsDrainingLast() {
        List<Datanode> all = new ArrayList<>(serving(2));
        all.add(datanode(3, Datanode.State.DRAINING));
        for (long block = 0; block < 100; block++) {
            assertThat(BlockPlaces.serving(all, "s", block).get(2).id()).isEqualTo("datanode-3");
        }
    }
}
