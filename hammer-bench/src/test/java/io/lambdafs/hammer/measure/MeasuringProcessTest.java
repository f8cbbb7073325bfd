package io.lambdafs.hammer.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.cluster.terminal.CommandFailure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MeasuringProcessTest {
    @TempDir
    private Path folder;

    private MeasuringProcess process() {
        return new MeasuringProcess("measuring", folder.resolve("deep/log"));
    }

    @Test
    void shouldTellEachLineThatItPrints() throws Exception {
        List<String> lines = new ArrayList<>();
        process().run(List.of("sh", "-c", "echo one; echo two; echo no >&2"), lines::add);
        assertThat(lines).containsExactly("one", "two");
        assertThat(folder.resolve("deep/log")).hasContent("no");
    }

    @Test
    void shouldFailWithItsLogWhereItFails() {
        assertThatThrownBy(() -> process().run(List.of("sh", "-c", "echo why >&2; exit 3"), line -> {}))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("the measuring process has ended with exit code 3")
                .hasMessageContaining("why");
        assertThatThrownBy(() -> process().run(List.of("no-such-program"), line -> {}))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("cannot be started");
    }
}
