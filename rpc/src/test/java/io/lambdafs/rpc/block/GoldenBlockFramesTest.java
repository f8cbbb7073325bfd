package io.lambdafs.rpc.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.GoldenFrames;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.RpcMessages;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads the frames of clients and datanodes of earlier versions; see {@link GoldenFrames}. */
class GoldenBlockFramesTest {
    private static final String FILE = "0.1.0.blocks.frames";
    /** Frames added with blocks that are sent from their files. */
    private static final String PIECES = "pieces.blocks.frames";
    /** Frames added with receipts of blocks. */
    private static final String RECEIPTS = "receipts.blocks.frames";

    private final Codec codec = BlockMessages.codec();

    static List<GoldenFrames.Frame> frames() {
        return Stream.of(FILE, PIECES, RECEIPTS)
                .flatMap(file -> GoldenFrames.read(GoldenBlockFramesTest.class, file).stream())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("frames")
    void shouldReadWhatWasWrittenAndWriteItAgain(GoldenFrames.Frame frame) {
        GoldenFrames.check(codec, frame);
    }

    @Test
    void shouldHaveAFrameOfEveryMessage() {
        Set<Integer> expected = GoldenFrames.numbers(codec);
        expected.removeAll(GoldenFrames.numbers(RpcMessages.codec()));

        assertThat(GoldenFrames.numbersOf(frames())).isEqualTo(expected);
    }

    @Test
    @EnabledIfSystemProperty(named = GoldenFrames.WRITE, matches = ".+")
    void writeFrames() throws IOException {
        List<Message> messages = new ArrayList<>(BlockMessagesTest.each(new Random(1)));
        messages.addAll(BlockMessagesTest.each(new Random(2)));
        GoldenFrames.write(FILE, codec, messages);
        write(PIECES, messages, Set.of(ReadPieces.class, BlockPieces.class));
        write(RECEIPTS, messages, Set.of(FinishForReceipt.class, WriteReceipt.class));
    }

    private void write(String file, List<Message> messages, Set<Class<?>> kinds) throws IOException {
        GoldenFrames.write(
                file,
                codec,
                messages.stream()
                        .filter(each -> kinds.contains(each.getClass()))
                        .toList());
    }
}
