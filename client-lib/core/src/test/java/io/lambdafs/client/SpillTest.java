package io.lambdafs.client;

import static io.lambdafs.client.block.MemoryDatanodes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class SpillTest {
    private static final int PART = 1 << 20;

    private static byte[] replayed(Spill spill, List<Integer> parts) throws InterruptedException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        spill.replay(part -> {
            parts.add(part.remaining());
            byte[] bytes = new byte[part.remaining()];
            part.get(bytes);
            all.writeBytes(bytes);
        });
        return all.toByteArray();
    }

    @Test
    void shouldGiveAllBytesBackInOrderAndAgain() throws Exception {
        byte[] content = bytes(2 * PART + 10);
        try (Spill spill = new Spill()) {
            for (int at = 0; at < content.length; at += 700_000) {
                spill.add(ByteBuffer.wrap(content, at, Math.min(700_000, content.length - at)));
            }
            assertThat(spill.length()).isEqualTo(content.length);
            assertThat(spill.isWhole()).isTrue();
            List<Integer> parts = new ArrayList<>();
            assertThat(replayed(spill, parts)).isEqualTo(content);
            assertThat(parts).containsExactly(PART, PART, 10);
            assertThat(replayed(spill, parts)).isEqualTo(content);
        }
    }

    @Test
    void shouldGiveNothingBackOfNothing() throws Exception {
        try (Spill spill = new Spill()) {
            assertThat(replayed(spill, new ArrayList<>())).isEmpty();
            assertThat(spill.length()).isZero();
            assertThat(spill.isWhole()).isTrue();
        }
    }

    @Test
    void shouldGiveBackExactlyAWholePart() throws Exception {
        try (Spill spill = new Spill()) {
            spill.add(ByteBuffer.wrap(bytes(PART)));
            List<Integer> parts = new ArrayList<>();
            assertThat(replayed(spill, parts)).isEqualTo(bytes(PART));
            assertThat(parts).containsExactly(PART);
        }
    }

    @EnabledOnOs(OS.LINUX)
    @Test
    void shouldGiveTheDiskBackWhenClosed() throws Exception {
        Set<String> others = openCopies();
        Spill spill = new Spill();
        spill.add(ByteBuffer.wrap(bytes(10)));
        Set<String> own = openCopies();
        own.removeAll(others);
        assertThat(own).hasSize(1);

        spill.close();

        assertThat(openCopies()).doesNotContainAnyElementsOf(own);
        assertThatThrownBy(() -> spill.read(0, ByteBuffer.allocate(1))).isInstanceOf(EOFException.class);
    }

    /** The files without a name that this process has open for copies. */
    private static Set<String> openCopies() throws IOException {
        Set<String> copies = new HashSet<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path each : descriptors) {
                copies.add(target(each));
            }
        }
        copies.removeIf(target -> !target.contains("lambdafs-block-"));
        return copies;
    }

    private static String target(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException closed) {
            return "";
        }
    }

    @Test
    void shouldTakeOneBlockAfterTheOther() throws Exception {
        try (Spill spill = new Spill()) {
            spill.add(ByteBuffer.wrap(bytes(PART + 10)));
            spill.clear();
            assertThat(spill.length()).isZero();
            assertThat(replayed(spill, new ArrayList<>())).isEmpty();
            spill.add(ByteBuffer.wrap(bytes(77)));
            assertThat(replayed(spill, new ArrayList<>())).isEqualTo(bytes(77));
        }
    }
}
