package io.lambdafs.hammer.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.client.config.Routing;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.ReadOperation;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ServerChoiceTest {
    private static final int SERVERS = 4;
    private static final int OPERATIONS = 4_000;

    private static int[] chosen(ServerChoice choice) {
        Routing routing = choice.routing();
        Placement placement = new Placement(0, SERVERS);
        // Always the same path, which would go to one server by its hash.
        ReadOperation.Stat stat = new ReadOperation.Stat(FsPath.of("/a/b"));
        return IntStream.range(0, OPERATIONS)
                .map(i -> routing.deployment(placement, stat))
                .toArray();
    }

    private static long count(int[] chosen, int server) {
        return IntStream.of(chosen).filter(each -> each == server).count();
    }

    @Test
    void shouldTakeServersInTurn() {
        int[] chosen = chosen(ServerChoice.ROUND_ROBIN);
        assertThat(chosen).startsWith(0, 1, 2, 3, 0);
        assertThat(count(chosen, 3)).isEqualTo(OPERATIONS / SERVERS);
    }

    @Test
    void shouldTakeServersAtRandom() {
        int[] chosen = chosen(ServerChoice.RANDOM);
        for (int server = 0; server < SERVERS; server++) {
            // Ten standard deviations.
            assertThat(count(chosen, server)).isBetween(725L, 1_275L);
        }
        assertThat(IntStream.range(1, OPERATIONS).filter(i -> chosen[i] == chosen[i - 1]))
                .hasSizeBetween(725, 1_275);
    }

    @Test
    void shouldKeepEachClientWithItsServer() {
        int[] chosen = chosen(ServerChoice.STICKY);
        for (int i = ServerChoice.CLIENTS; i < OPERATIONS; i++) {
            assertThat(chosen[i]).isEqualTo(chosen[i - ServerChoice.CLIENTS]);
        }
        assertThat(IntStream.of(chosen).distinct().count()).isGreaterThan(1);
    }
}
