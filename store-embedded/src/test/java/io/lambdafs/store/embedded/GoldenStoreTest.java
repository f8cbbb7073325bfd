package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.store.GoldenRows;
import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.format.Fsck;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stores' directories as earlier versions left them, and what they held. They are never made anew: where this test fails, stores that users
 * have are not read any more. A new format level brings a directory of its own.
 */
class GoldenStoreTest {
    private static final String NEWEST = "format-" + FormatLevel.NEWEST.number();

    @TempDir
    private Path folder;

    static void unpack(String name, Path folder) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(resource(name))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Files.copy(zip, folder.resolve(entry.getName()));
            }
        }
    }

    private static InputStream resource(String name) {
        InputStream found = GoldenStoreTest.class.getResourceAsStream("/golden/" + name);
        assertThat(found).as(name).isNotNull();
        return found;
    }

    /** Names of the directories, without their ending. */
    static List<String> stores() {
        return List.of("format-1", "format-9", "format-10", "format-11", "format-12", "format-13");
    }

    @ParameterizedTest
    @MethodSource("stores")
    void shouldReadEveryRow(String store) throws IOException {
        unpack(store + ".zip", folder);
        List<String> expected =
                Arrays.asList(new String(resource(store + ".rows").readAllBytes(), StandardCharsets.UTF_8).split("\n"));

        assertThat(rows()).containsExactlyElementsOf(expected);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void shouldFindItWhole(String store) throws IOException {
        unpack(store + ".zip", folder);

        assertThat(StoredRows.read(folder, Fsck::check).problems()).isEmpty();
    }

    @Test
    void shouldHaveOneOfTheNewestLevel() throws IOException {
        assertThat(stores()).last().isEqualTo(NEWEST);
        unpack(NEWEST + ".zip", folder);

        assertThat(rows())
                .contains("settings[format]: '" + FormatLevel.NEWEST.number() + "'")
                .anyMatch(row -> row.startsWith("blocks["))
                .anyMatch(row -> row.startsWith("changes["))
                .anyMatch(row -> row.startsWith("xattrs["))
                .anyMatch(row -> row.startsWith("directory_totals["))
                .anyMatch(row -> row.startsWith("versions["))
                .anyMatch(row -> row.startsWith("held_files["))
                .anyMatch(row -> row.startsWith("inodes[") && row.contains("user:ann:rwx"))
                .anyMatch(row -> row.startsWith("directory_totals[") && row.endsWith(" 1000 4096"))
                .anyMatch(row -> row.startsWith("inodes[") && row.contains(" '' '' 100"))
                .anyMatch(row -> row.startsWith("inodes[") && row.contains("'COLD'"));
    }

    private List<String> rows() {
        return StoredRows.read(folder, GoldenRows::lines);
    }
}
