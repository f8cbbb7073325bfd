package io.lambdafs.door.mount.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.door.mount.wire.ErrnoException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScratchTest {
    private static final int MOST = 3 << 20;

    @TempDir
    private Path folder;

    @Test
    void shouldHoldWhatAnArrayWouldHold() throws Exception {
        LocalSpace space = new LocalSpace(folder, MOST);
        for (int seed = 0; seed < 20; seed++) {
            try (Scratch scratch = new Scratch(space)) {
                compare(scratch, new Random(seed));
            }
        }
        assertThat(space.taken()).isZero();
        assertThat(space.takenMemory()).isZero();
        assertThat(folder).isEmptyDirectory();
    }

    private static void compare(Scratch scratch, Random random) throws Exception {
        byte[] model = new byte[MOST];
        int size = 0;
        int reach = random.nextBoolean() ? 100_000 : MOST;
        for (int step = 0; step < 60; step++) {
            int at = random.nextInt(reach);
            if (random.nextInt(4) == 0) {
                scratch.truncate(at);
                Arrays.fill(model, Math.min(at, size), size, (byte) 0);
                size = at;
            } else {
                byte[] bytes = new byte[Math.min(random.nextInt(200_000), MOST - at)];
                random.nextBytes(bytes);
                scratch.write(at, ByteBuffer.wrap(bytes));
                System.arraycopy(bytes, 0, model, at, bytes.length);
                size = Math.max(size, at + bytes.length);
            }
            assertThat(scratch.size()).isEqualTo(size);
            int from = random.nextInt(reach);
            ByteBuffer read = scratch.read(from, 70_000);
            int length = Math.max(0, Math.min(70_000, size - from));
            assertThat(read).isEqualTo(ByteBuffer.wrap(model, Math.min(from, MOST - length), length));
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        scratch.copyTo(part -> {
            byte[] bytes = new byte[part.remaining()];
            part.get(bytes);
            all.writeBytes(bytes);
        });
        assertThat(all.toByteArray()).isEqualTo(Arrays.copyOf(model, size));
    }

    @Test
    void shouldRefuseMoreThanThereIsRoomFor() {
        LocalSpace space = new LocalSpace(folder, MOST);
        try (Scratch first = new Scratch(space);
                Scratch second = new Scratch(space)) {
            first.truncate(2 << 20);

            assertThatThrownBy(() -> second.truncate(2 << 20)).isInstanceOf(ErrnoException.class);
            second.write(0, ByteBuffer.allocate(10));
            assertThat(second.size()).isEqualTo(10);
        }
    }
}
