package io.lambdafs.rpc.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.block.Block;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class Crc32cTest {
    private final Random random = new Random(5);

    @Test
    void shouldJoinAndPartSumsOfBytesOfAnyLength() {
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = new byte[random.nextInt(1, 1 << random.nextInt(1, 18))];
            random.nextBytes(bytes);
            int cut = random.nextInt(bytes.length + 1);
            int first = Seal.crc(bytes, 0, cut);
            int second = Seal.crc(bytes, cut, bytes.length - cut);
            int all = Seal.crc(bytes, 0, bytes.length);

            assertThat(Crc32c.join(first, second, bytes.length - cut)).isEqualTo(all);
            assertThat(Crc32c.last(all, first, bytes.length - cut)).isEqualTo(second);
        }
    }

    @Test
    void shouldMakeTheSumOfAWholeBlockFromThoseOfItsGranules() {
        byte[] bytes = new byte[3 * Seal.GRANULE + 77];
        random.nextBytes(bytes);
        SealBuilder builder = new SealBuilder();
        int at = 0;
        while (at < bytes.length) {
            int part = Math.min(bytes.length - at, random.nextInt(1, 100_000));
            builder.add(bytes, at, part);
            at += part;
            assertThat(builder.crc32c()).isEqualTo(Seal.crc(bytes, 0, at));
        }
        Block block = new Block(1, 1, bytes.length, builder.crc32c());

        Seal seal = Seal.read(block, builder.seal(block));

        assertThat(seal).isNotNull();
        assertThat(seal.matches(bytes, bytes.length, 0)).isTrue();
        assertThat(seal.checksums(Seal.GRANULE, Seal.GRANULE))
                .containsExactly(Seal.crc(bytes, Seal.GRANULE, Seal.GRANULE));
    }
}
