package io.lambdafs.hammer.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.hammer.result.Part;
import io.lambdafs.hammer.result.Slice;
import io.lambdafs.hammer.workload.Arrivals;
import io.lambdafs.hammer.workload.LoadShape;
import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.hammer.workload.OperationMix;
import io.lambdafs.hammer.workload.Popularity;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.FsPath;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MessagesTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Test
    void shouldBringATaskToAWorkerAsItIs() throws Exception {
        Workload workload = new Workload(
                OperationMix.of("mine", Map.of(OperationKind.READ, 3.0, OperationKind.MV, 1.5)),
                LoadShape.STEP,
                Arrivals.UNIFORM,
                Duration.ofMillis(12_345),
                678.5,
                9.5,
                new Popularity(0.75, 0.3),
                -11,
                3,
                Duration.ZERO);
        Messages.Task task = new Messages.Task(Path.of("/some/tree"), 123, 4_567, FsPath.of("/target"), workload);
        String sent = Messages.task(task).toString();
        Messages.Task taken = Messages.task(MAPPER.readTree(sent));
        assertThat(taken.tree()).isEqualTo(task.tree());
        assertThat(taken.maxFiles()).isEqualTo(123);
        assertThat(taken.smallFileBytes()).isEqualTo(4_567);
        assertThat(taken.target()).isEqualTo(task.target());
        Workload load = taken.workload();
        assertThat(load.mix().shares()).isEqualTo(workload.mix().shares());
        assertThat(load.load()).isEqualTo(workload.load());
        assertThat(load.popularity()).isEqualTo(workload.popularity());
        assertThat(load.seed()).isEqualTo(-11);
        assertThat(load.part()).isEqualTo(3);
        assertThat(load.length()).isEqualTo(workload.length());
    }

    @Test
    void shouldBringWhatAWorkerHasCountedToTheMaster() throws Exception {
        Slice slice = new Slice();
        slice.burst().put(OperationKind.READ, counted(5, 300));
        slice.calm().put(OperationKind.MV, counted(7, 9_000));
        Part part = new Part(1.5, 20, 12, 8, 2, new Part.Requests(6, 4, 40, 10), slice);
        Part taken = Messages.part(MAPPER.readTree(Messages.part(part).toString()));
        assertThat(taken).isEqualTo(new Part(1.5, 20, 12, 8, 2, new Part.Requests(6, 4, 40, 10), taken.slice()));
        assertThat(taken.slice().burst()).isEqualTo(slice.burst());
        assertThat(taken.slice().calm()).isEqualTo(slice.calm());
    }

    private static Histogram counted(long count, long micros) {
        Histogram histogram = new Histogram(3_600_000_000L, 3);
        histogram.recordValueWithCount(micros, count);
        return histogram;
    }

    @Test
    void shouldRefuseAPartThatIsNone() {
        ObjectNode part = Messages.part(new Part(1, 2, 3, 4, 5, new Part.Requests(0, 0, 0, 0), new Slice()));
        part.withObject("/burst").put("read", "bm90aGluZw==");
        assertThatThrownBy(() -> Messages.part(part))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a part");
        ObjectNode other = Messages.part(new Part(1, 2, 3, 4, 5, new Part.Requests(0, 0, 0, 0), new Slice()));
        other.withObject("/calm").put("fly", "");
        assertThatThrownBy(() -> Messages.part(other))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("FLY");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nowhere", ":1", "host:", "host:70000", "host:1x"})
    void shouldRefuseAnAddressThatIsNone(String address) {
        CommandRun run = CommandRun.ofCommand(WorkerCommand::new, "--master", address);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", "--master is HOST:PORT, not " + address);
    }

    @Test
    void shouldTakeAnAddress() {
        assertThat(WorkerCommand.address("--listen", "127.0.0.1:65535").getPort())
                .isEqualTo(65_535);
        assertThat(WorkerCommand.address("--listen", "127.0.0.1:0").getHostString())
                .isEqualTo("127.0.0.1");
    }
}
