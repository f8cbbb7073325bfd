package io.lambdafs.coordinator.relayed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.Member;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class LettersTest {
    private static final Invalidation INVALIDATION =
            new Invalidation(7, new Scope(List.of(FsPath.of("/a/b")), List.of(FsPath.of("/a"))), List.of());
    private static final Greeting GREETING = new Greeting(new Member(8, 1, "i", "h", 9, false));

    @Test
    void shouldReadBackABatch() {
        byte[] batch = Letters.batch(List.of(Letters.write(INVALIDATION), Letters.write(GREETING)));

        assertThat(Letters.readBatch(batch)).containsExactly(INVALIDATION, GREETING);
    }

    @Test
    void shouldReadBackTheAnswerToABatch() {
        Acknowledgement drained = new Acknowledgement(5, true);
        Acknowledgement draining = new Acknowledgement(5, false);

        byte[] answer = Letters.answer(Arrays.asList(drained, null, draining));

        assertThat(Letters.readAnswer(answer)).containsExactly(drained, null, draining);
    }

    @Test
    void shouldRefuseWhatIsCutShort() {
        byte[] batch = Letters.batch(List.of(Letters.write(INVALIDATION)));

        for (int length = 0; length < batch.length; length++) {
            byte[] cut = Arrays.copyOf(batch, length);
            assertThatThrownBy(() -> Letters.readBatch(cut)).isInstanceOf(FsException.class);
        }
    }
}
