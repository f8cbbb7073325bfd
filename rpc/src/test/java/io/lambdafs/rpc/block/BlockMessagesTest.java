package io.lambdafs.rpc.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.block.Block;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.Message;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BlockMessagesTest {
    private final Codec codec = BlockMessages.codec();

    /** One message of every type. */
    static List<Message> each(Random random) {
        Block block = new Block(random.nextLong(), random.nextLong(), random.nextLong() >>> 1, random.nextInt());
        return List.of(
                new OpenWrite(bytes(random, BlockTokens.MAX_BYTES)),
                new WriteOpened(random.nextLong(), random.nextInt()),
                new WriteChunk(random.nextLong(), random.nextLong() >>> 1, bytes(random, 300), random.nextInt()),
                new FinishWrite(random.nextLong(), random.nextLong() >>> 1, random.nextInt()),
                new WriteFinished(block),
                new FinishForReceipt(random.nextLong(), random.nextLong() >>> 1, random.nextInt()),
                new WriteReceipt(block, bytes(random, 64)),
                new AbortWrite(random.nextLong()),
                new ReadBlock(
                        bytes(random, BlockTokens.MAX_BYTES),
                        random.nextLong() >>> 1,
                        random.nextInt(1, WriteChunk.MAX_BYTES + 1)),
                new BlockBytes(random.nextLong() >>> 1, bytes(random, 300), random.nextInt()),
                new ReadPieces(
                        bytes(random, BlockTokens.MAX_BYTES),
                        random.nextLong() >>> 1,
                        random.nextInt(1, WriteChunk.MAX_BYTES + 1)),
                new BlockPieces(
                        random.nextLong() >>> 1,
                        random.ints(random.nextInt(1, 17)).toArray(),
                        null));
    }

    private static byte[] bytes(Random random, int most) {
        byte[] bytes = new byte[random.nextInt(1, most + 1)];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] encode(Message message) {
        WireWriter out = new WireWriter(1);
        codec.write(out, message);
        return out.toByteArray();
    }

    @Test
    void shouldReadBackWhatItWrote() {
        for (int seed = 0; seed < 200; seed++) {
            for (Message message : each(new Random(seed))) {
                byte[] bytes = encode(message);

                Message read = codec.read(new WireReader(bytes));

                assertThat(read).hasSameClassAs(message);
                assertThat(read).usingRecursiveComparison().isEqualTo(message);
                assertThat(encode(read)).isEqualTo(bytes);
            }
        }
    }

    @Test
    void shouldCoverEveryMessageOfThePackage() throws Exception {
        assertThat(each(new Random(1)).stream().map(Object::getClass)).containsExactlyInAnyOrderElementsOf(messages());
    }

    private static List<Class<?>> messages() throws Exception {
        List<Class<?>> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder())) {
            for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
                Class<?> type = Class.forName(
                        "io.lambdafs.rpc.block." + file.getFileName().toString().replace(".class", ""));
                if (Message.class.isAssignableFrom(type)) {
                    found.add(type);
                }
            }
        }
        return found;
    }

    private static Path folder() throws URISyntaxException {
        return Path.of(OpenWrite.class.getResource("OpenWrite.class").toURI()).getParent();
    }

    @Test
    void shouldRefuseEveryMessageCutShort() {
        for (Message message : each(new Random(2))) {
            byte[] bytes = encode(message);
            for (int length = 0; length < bytes.length; length++) {
                byte[] cut = Arrays.copyOf(bytes, length);
                assertThatThrownBy(() -> codec.read(new WireReader(cut)))
                        .isInstanceOfSatisfying(
                                FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_FRAME));
            }
        }
    }

    @Test
    void shouldRefuseWhatIsTooLong() {
        byte[] tooLong = new byte[WriteChunk.MAX_BYTES + 1];

        assertRefused(new WriteChunk(1, 0, tooLong, 0));
        assertRefused(new WriteChunk(1, 0, new byte[0], 0));
        assertRefused(new WriteChunk(1, -1, new byte[1], 0));
        assertRefused(new BlockBytes(0, tooLong, 0));
        assertRefused(new OpenWrite(new byte[BlockTokens.MAX_BYTES + 1]));
        assertRefused(new ReadBlock(new byte[1], 0, WriteChunk.MAX_BYTES + 1));
        assertRefused(new ReadBlock(new byte[1], 0, 0));
        assertRefused(new FinishWrite(1, -1, 0));
        assertRefused(new FinishForReceipt(1, -1, 0));
        assertRefused(new WriteReceipt(new Block(1, 2, 3, 4), new byte[0]));
        assertRefused(new WriteReceipt(new Block(1, 2, 3, 4), new byte[65]));
        assertRefused(new ReadPieces(new byte[1], 0, WriteChunk.MAX_BYTES + 1));
        assertRefused(new BlockPieces(0, new int[0], null));
        assertRefused(new BlockPieces(0, new int[17], null));
    }

    private void assertRefused(Message message) {
        assertThatThrownBy(() -> codec.read(new WireReader(encode(message))))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_FRAME));
    }

    @Test
    void shouldFitALargestChunkIntoAFrame() {
        byte[] largest = new byte[WriteChunk.MAX_BYTES];

        assertThat(encode(new WriteChunk(Long.MAX_VALUE, Long.MAX_VALUE, largest, -1)).length)
                .isLessThan(Transport.MAX_FRAME);
    }

    @Test
    void shouldShowNeitherTokensNorBytesAsText() {
        String seven = "7, 7";

        assertThat(new OpenWrite(new byte[] {7, 7}).toString()).doesNotContain(seven);
        assertThat(new ReadBlock(new byte[] {7, 7}, 0, 1).toString()).doesNotContain(seven);
        assertThat(new ReadPieces(new byte[] {7, 7}, 0, 1).toString()).doesNotContain(seven);
        assertThat(new WriteChunk(1, 2, new byte[3], 4)).hasToString("WriteChunk[stream=1, offset=2, 3 bytes]");
    }
}
