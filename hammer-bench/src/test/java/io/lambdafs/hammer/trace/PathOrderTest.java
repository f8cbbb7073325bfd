package io.lambdafs.hammer.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.hammer.trace.PathOrder.Step;
import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.model.FsPath;
import org.junit.jupiter.api.Test;

final class PathOrderTest {
    private final PathOrder order = new PathOrder();

    private static Step step(OperationKind kind, String path, String... destination) {
        FsPath other = destination.length == 0 ? null : FsPath.of(destination[0]);
        return new Step(new TraceRecord(0, "c", kind, FsPath.of(path), other, 0, false), 0);
    }

    @Test
    void shouldLetLooksOverlapAndOrderChanges() {
        Step first = step(OperationKind.READ, "/d/a");
        Step second = step(OperationKind.STAT, "/d/a");
        Step change = step(OperationKind.CREATE, "/d/a");
        Step after = step(OperationKind.READ, "/d/a");
        Step elsewhere = step(OperationKind.CREATE, "/d/b");
        assertThat(order.add(first)).isTrue();
        assertThat(order.add(second)).isTrue();
        assertThat(order.add(change)).isFalse();
        assertThat(order.add(after)).isFalse();
        assertThat(order.add(elsewhere)).isTrue();
        assertThat(order.end(second)).isEmpty();
        assertThat(order.end(first)).containsExactly(change);
        assertThat(order.end(change)).containsExactly(after);
        assertThat(order.end(after)).isEmpty();
        assertThat(order.end(elsewhere)).isEmpty();
        assertThat(order.size()).isZero();
    }

    @Test
    void shouldOrderWhatIsBelowADirectoryThatMoves() {
        Step made = step(OperationKind.MKDIRS, "/t");
        Step file = step(OperationKind.CREATE, "/t/x/f");
        Step move = step(OperationKind.MV, "/t", "/done");
        Step read = step(OperationKind.READ, "/done/x/f");
        assertThat(order.add(made)).isTrue();
        assertThat(order.add(file)).isFalse();
        assertThat(order.add(move)).isFalse();
        assertThat(order.add(read)).isFalse();
        assertThat(order.end(made)).containsExactly(file);
        assertThat(order.end(file)).containsExactly(move);
        assertThat(order.end(move)).containsExactly(read);
    }

    @Test
    void shouldEndAMoveToItself() {
        Step move = step(OperationKind.MV, "/a", "/a");
        Step after = step(OperationKind.DELETE, "/a");
        assertThat(order.add(move)).isTrue();
        assertThat(order.add(after)).isFalse();
        assertThat(order.end(move)).containsExactly(after);
    }
}
