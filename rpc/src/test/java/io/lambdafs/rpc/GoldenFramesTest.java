package io.lambdafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages as an earlier version wrote them. They are never made anew: where this test fails, clients and instances of two versions do
 * not understand each other any more.
 */
class GoldenFramesTest {
    private final Codec codec = RpcMessages.codec();

    /** Of the first format, and those that came with a number of deployments that changes. */
    static Stream<Arguments> frames() throws IOException {
        return Stream.concat(frames("format-1.frames"), frames("generations.frames"));
    }

    private static Stream<Arguments> frames(String file) throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                GoldenFramesTest.class.getResourceAsStream("/golden/" + file), StandardCharsets.UTF_8))) {
            return List.copyOf(lines.lines().toList()).stream().map(line -> Arguments.of((Object[]) line.split(" ")));
        }
    }

    @ParameterizedTest
    @MethodSource("frames")
    void shouldReadWhatWasWrittenAndWriteItAgain(String name, String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);

        Message message = codec.read(new WireReader(bytes));

        assertThat(message.getClass().getSimpleName()).isEqualTo(name.replaceAll("\\..*", ""));
        WireWriter out = new WireWriter();
        codec.write(out, message);
        assertThat(out.toByteArray()).isEqualTo(bytes);
    }
}
