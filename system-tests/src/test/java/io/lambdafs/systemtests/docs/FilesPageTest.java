package io.lambdafs.systemtests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever cites a rule of docs/FILES.md cites one that is there, and every bug that is planted in files cites one. */
@Tag("once")
class FilesPageTest {
    private static final Path PLANTED = Path.of("testing", "src", "test", "planted-files");

    private static List<String> rules() throws IOException {
        return Citations.definedBy(Checkout.read("docs/FILES.md"));
    }

    /** They are ordered by what they are about: a new one has the next number wherever it stands. */
    @Test
    void shouldDefineEveryNumberOnce() throws IOException {
        List<String> rules = rules();

        assertThat(rules)
                .hasSizeGreaterThan(20)
                .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, rules.size())
                        .mapToObj(number -> "F" + number)
                        .toList());
    }

    @Test
    void shouldHaveEveryRuleThatSourcesCite() throws IOException {
        Map<String, Set<Path>> cited = ProtocolPageTest.citedOf("FILES");

        assertThat(cited.keySet()).isSubsetOf(rules());
        assertThat(cited.values()).anyMatch(files -> files.stream().anyMatch(file -> file.toString().endsWith(".java")));
    }

    @Test
    void shouldFindARuleInEachPlantedBug() throws IOException {
        Map<Path, String> patches = Checkout.files(".patch");
        patches.keySet().removeIf(file -> !file.startsWith(PLANTED));

        assertThat(patches).hasSizeGreaterThan(10);
        patches.forEach((file, text) ->
                assertThat(Citations.in("FILES", text)).as("%s", file).isNotEmpty());
    }

    @Test
    void shouldNoticeACitationOfNothing() {
        assertThat(Citations.in("FILES", "A bug (FILES: F3, F99). PROTOCOL: W1")).containsExactly("F3", "F99");
    }
}
