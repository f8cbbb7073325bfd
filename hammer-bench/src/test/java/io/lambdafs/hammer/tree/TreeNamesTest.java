package io.lambdafs.hammer.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.ReadOperation;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TreeNamesTest {
    @TempDir
    private Path folder;

    private final MemoryFileSystem files = new MemoryFileSystem();

    private ImportResult run(TreeNames names, int maxFiles) {
        ImportSettings settings = ImportSettings.of(folder.resolve("none"), Trees.TARGET)
                .withNames(names)
                .withMaxFiles(maxFiles);
        return NamespaceImport.run(settings, files, progress -> {});
    }

    private long size(String path) {
        return files.apply(new ReadOperation.Stat(FsPath.of(path))).attributes().size();
    }

    private int children(String path) {
        return files.apply(new ReadOperation.ListPage(FsPath.of(path), "", 1_000))
                .entries()
                .size();
    }

    @Test
    void shouldMakeATreeThatIsAlikeEverywhere() {
        ImportResult result = run(new GeneratedNames(2, 3, 4, 10), 1_000);
        assertThat(result.directories()).isEqualTo(3 + 9);
        assertThat(result.files()).isEqualTo(4 * (1 + 3 + 9));
        assertThat(result.limited()).isFalse();
        assertThat(children("/data")).isEqualTo(3 + 4);
        assertThat(children("/data/d000000002")).isEqualTo(3 + 4);
        assertThat(children("/data/d000000002/d000000001")).isEqualTo(4);
        assertThat(size("/data/d000000002/d000000001/f000000003")).isZero();
    }

    @Test
    void shouldStopAtTheLimitOnFiles() {
        ImportResult result = run(new GeneratedNames(3, 3, 4, 10), 10);
        assertThat(result.files()).isEqualTo(10);
        assertThat(result.limited()).isTrue();
    }

    @Test
    void shouldMakeTheNamesOfAListing() throws Exception {
        Path listing =
                Files.writeString(folder.resolve("names"), "/a/b/small\t12\n\na/b/\nempty/\na/long\t1000000\ntop\n");
        ImportResult result = run(ListedNames.read(listing), 1_000);
        assertThat(result.directories()).isEqualTo(3);
        assertThat(result.files()).isEqualTo(3);
        assertThat(result.withoutContent()).isEqualTo(1);
        assertThat(size("/data/a/b/small")).isEqualTo(12);
        assertThat(size("/data/a/long")).isEqualTo(1_000_000);
        assertThat(children("/data/empty")).isZero();
        assertThat(size("/data/top")).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a/b⏎a/../c     | 2 | is no name",
                "a⏎b⇥much       | 2 | a size is a number of bytes",
                "a/⏎b⏎b         | 3 | /b is in line 2 already",
                "a⏎a/b          | 2 | /a is in line 1 already",
                "a/b⏎a          | 2 | /a is in line 1 already",
                "⏎              | 1 | it names nothing"
            })
    void shouldNameFileAndLineOfAListing(String text, int line, String why) throws Exception {
        Path listing = Files.writeString(
                folder.resolve("names"), text.strip().replace("⏎", "\n").replace("⇥", "\t"));
        assertThatThrownBy(() -> ListedNames.read(listing))
                .isInstanceOf(FsException.class)
                .hasMessageContaining(listing + ":" + line + ": ")
                .hasMessageContaining(why.strip());
    }
}
