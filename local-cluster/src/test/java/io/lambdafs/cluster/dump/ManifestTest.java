package io.lambdafs.cluster.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Manifests that no dump has written. */
class ManifestTest {
    private static final String HEADER =
            Manifest.line(new Manifest.Header("d", Manifest.SCHEMA, 7, "s", Map.of(), Map.of()));

    @TempDir
    private Path folder;

    private Manifest read(String... lines) throws Exception {
        Files.writeString(folder.resolve(Manifest.FILE), String.join("\n", lines) + "\n");
        return Manifest.read(folder);
    }

    private void demandDamaged(String... lines) {
        assertThatThrownBy(() -> read(lines))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining("is damaged");
    }

    private static String segment(String file, long rows, long bytes) {
        return "{\"file\":\"" + file + "\",\"table\":\"inodes\",\"rows\":" + rows + ",\"bytes\":" + bytes
                + ",\"sha256\":\"0\",\"last\":[1,\"a\"]}";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/etc/passwd",
                "../000001-inodes.jsonl",
                "000001-inodes.jsonl/../../x",
                "000001-../inodes.jsonl",
                "manifest.jsonl",
                "inodes.jsonl",
                ""
            })
    void shouldTakeNoFileFromOutsideTheDump(String file) {
        demandDamaged(HEADER, segment(file, 1, 1));
    }

    @Test
    void shouldRefuseWhatIsNoManifest() throws Exception {
        demandDamaged("not json");
        demandDamaged(HEADER, "{\"half\":");
        demandDamaged(HEADER, segment("000001-inodes.jsonl", 0, 1));
        demandDamaged(HEADER, segment("000001-inodes.jsonl", 1L << 31, 1));
        demandDamaged(HEADER, segment("000001-inodes.jsonl", 1, -1));
        demandDamaged(HEADER, "{\"segments\":1,\"rows\":0,\"bytes\":0,\"sha256\":\"\"}");
        Files.write(folder.resolve(Manifest.FILE), "é".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> Manifest.read(folder)).hasMessageContaining("not text in UTF-8");
        assertThatThrownBy(() -> Manifest.read(folder.resolve("none")))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
        assertThatThrownBy(() -> read(HEADER.replace("\"schema\":1", "\"schema\":2")))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED));
    }

    @Test
    void shouldReadWhatIsWholeAndWhatIsNot() throws Exception {
        String first = segment("000001-inodes.jsonl", Integer.MAX_VALUE, 0);
        Manifest interrupted = read(HEADER, first);
        assertThat(interrupted.isWhole()).isFalse();
        assertThat(interrupted.segments()).hasSize(1);
        List<String> lines = new ArrayList<>(interrupted.lines());
        lines.add(Manifest.line(Manifest.end(interrupted.segments(), interrupted.lines())));
        assertThat(read(lines.toArray(String[]::new)).isWhole()).isTrue();
        lines.add(first);
        demandDamaged(lines.toArray(String[]::new));
    }
}
