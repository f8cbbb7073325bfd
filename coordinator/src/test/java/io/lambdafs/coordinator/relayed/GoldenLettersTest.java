package io.lambdafs.coordinator.relayed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.direct.CoordinatorMessages;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.GoldenFrames;
import io.lambdafs.rpc.message.Message;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads the messages and letters of earlier versions; see {@link GoldenFrames}. */
class GoldenLettersTest {
    private static final String FILE = "0.1.0.frames";
    private static final String LETTERS = "0.1.0.letters";
    private static final Acknowledgement DRAINED = new Acknowledgement(5, true);
    private static final Acknowledgement DRAINING = new Acknowledgement(1L << 40, false);
    private static final List<Message> MESSAGES = List.of(
            new Invalidation(7, new Scope(List.of(FsPath.of("/a/b")), List.of(FsPath.of("/a"))), List.of()),
            new Invalidation(1L << 40, Scope.of(FsPath.of("/ß/漢")), List.of(FsPath.of("/"), FsPath.of("/ß"))),
            new Greeting(new Member(8, 1, "i", "h", 9, false)),
            new Greeting(new Member(8, 1_023, "i-2", "10.0.0.7", 65_535, true, 3)),
            DRAINED,
            DRAINING);
    private static final List<Acknowledgement> ANSWERS = Arrays.asList(DRAINED, null, DRAINING);

    private final Codec codec = CoordinatorMessages.register(Codec.builder()).build();

    static List<GoldenFrames.Frame> frames() {
        return GoldenFrames.read(GoldenLettersTest.class, FILE);
    }

    @ParameterizedTest
    @MethodSource("frames")
    void shouldReadWhatWasWrittenAndWriteItAgain(GoldenFrames.Frame frame) {
        GoldenFrames.check(codec, frame);
    }

    @Test
    void shouldHaveAFrameOfEveryMessage() {
        assertThat(GoldenFrames.numbersOf(frames())).isEqualTo(GoldenFrames.numbers(codec));
        assertThat(frames())
                .extracting(frame -> GoldenFrames.check(codec, frame))
                .isEqualTo(MESSAGES);
    }

    @Test
    void shouldReadLettersAndWriteThemAgain() {
        List<GoldenFrames.Frame> letters = GoldenFrames.read(GoldenLettersTest.class, LETTERS);

        assertThat(letters).extracting(GoldenFrames.Frame::name).containsExactly("batch", "answer");
        byte[] batch = letters.get(0).bytes();
        assertThat(Letters.readBatch(batch)).isEqualTo(MESSAGES);
        assertThat(batch()).isEqualTo(batch);
        byte[] answer = letters.get(1).bytes();
        assertThat(Letters.readAnswer(answer)).isEqualTo(ANSWERS);
        assertThat(Letters.answer(ANSWERS)).isEqualTo(answer);
    }

    private static byte[] batch() {
        return Letters.batch(MESSAGES.stream().map(Letters::write).toList());
    }

    @Test
    @EnabledIfSystemProperty(named = GoldenFrames.WRITE, matches = ".+")
    void writeFrames() throws IOException {
        GoldenFrames.write(FILE, codec, MESSAGES);
        HexFormat hex = HexFormat.of();
        GoldenFrames.write(
                LETTERS,
                List.of("batch " + hex.formatHex(batch()), "answer " + hex.formatHex(Letters.answer(ANSWERS))));
    }
}
