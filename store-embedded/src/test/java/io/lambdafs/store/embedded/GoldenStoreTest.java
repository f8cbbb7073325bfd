package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.store.Fsck;
import io.lambdafs.store.Row;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store's directory as an earlier version left it, and what it held. It is never made anew: where this test fails, stores that users
 * have are not read any more. A new format level brings a directory of its own.
 */
class GoldenStoreTest {
    private static final int SHOWN_BYTES = 64;

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

    @Test
    void shouldReadEveryRowOfFormatOne() throws IOException {
        unpack("format-1.zip", folder);
        List<String> expected =
                Arrays.asList(new String(resource("format-1.rows").readAllBytes(), StandardCharsets.UTF_8).split("\n"));

        assertThat(rows(expected.size())).containsExactlyElementsOf(expected);
    }

    @Test
    void shouldFindFormatOneWhole() throws IOException {
        unpack("format-1.zip", folder);

        assertThat(StoredRows.read(folder, Fsck::check).problems()).isEmpty();
    }

    /** Each value as far as the golden file shows it: columns that were added since follow. */
    private List<String> rows(int count) {
        List<String> lines = StoredRows.read(folder, rows -> {
            List<String> all = new ArrayList<>();
            for (Row row : rows) {
                StringBuilder line = new StringBuilder(row.key().toString()).append(':');
                Object[] values = row.values();
                for (int i = 0; i < row.key().table().requiredSize(); i++) {
                    line.append(' ').append(text(values[i]));
                }
                assertThat(row.storedSize()).isEqualTo(row.key().table().requiredSize());
                all.add(line.toString());
            }
            return all;
        });
        Collections.sort(lines);
        assertThat(lines).hasSize(count);
        return lines;
    }

    private static String text(Object value) {
        if (value instanceof byte[] bytes) {
            if (bytes.length <= SHOWN_BYTES) {
                return "0x" + HexFormat.of().formatHex(bytes);
            }
            CRC32C sum = new CRC32C();
            sum.update(bytes);
            return bytes.length + " bytes, crc32c " + sum.getValue();
        }
        return value instanceof String text ? "'" + text + "'" : value.toString();
    }
}
