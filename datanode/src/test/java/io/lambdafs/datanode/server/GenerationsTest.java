package io.lambdafs.datanode.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import org.junit.jupiter.api.Test;

class GenerationsTest {
    private final Generations generations = new Generations();

    private void assertStale(long id, long generation) {
        assertThatThrownBy(() -> generations.admit(new Block(id, generation, 1, 0)))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STALE_GENERATION));
    }

    @Test
    void shouldAdmitTheHighestGenerationOfEachBlock() {
        generations.admit(new Block(1, 2, 1, 0));
        generations.admit(new Block(1, 2, 1, 0));
        generations.admit(new Block(2, 1, 1, 0));
        generations.admit(new Block(1, 3, 1, 0));

        assertStale(1, 2);
        assertStale(1, 1);
        generations.admit(new Block(1, 3, 1, 0));
    }

    @Test
    void shouldForgetTheBlockWhoseWriterWasSilentForLongest() {
        int most = 65_536;
        for (int id = 0; id < most; id++) {
            generations.admit(new Block(id, 2, 1, 0));
        }
        assertStale(0, 1);

        generations.admit(new Block(most, 2, 1, 0));

        assertStale(0, 1);
        assertStale(2, 1);
        assertThatCode(() -> generations.admit(new Block(1, 1, 1, 0))).doesNotThrowAnyException();
    }
}
