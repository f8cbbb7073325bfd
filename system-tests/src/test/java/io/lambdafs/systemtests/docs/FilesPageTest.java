package io.lambdafs.systemtests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whatever cites a rule of docs/FILES.md cites one that is there, and every bug that is planted in files cites one. */
class FilesPageTest {
    private static final Path PLANTED = Path.of("testing", "src", "test", "planted-files");

    private static List<String> rules() throws IOException {
        return Citations.definedBy(Checkout.read("docs/FILES.md"));
    }

    /** They are ordered by what they are about: a new one has the next number wherever it stands. F: files; D: direct access. */
    @Test
    void shouldDefineEveryNumberOnce() throws IOException {
        Map<Character, List<String>> rules = rules().stream().collect(Collectors.groupingBy(rule -> rule.charAt(0)));

        assertThat(rules).containsOnlyKeys('D', 'F');
        assertThat(rules.get('F')).hasSizeGreaterThan(20);
        rules.forEach((section, ids) -> assertThat(ids)
                .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, ids.size())
                        .mapToObj(number -> section + Integer.toString(number))
                        .toList()));
    }

    @Test
    void shouldHaveEveryRuleThatSourcesCite() throws IOException {
        Map<String, Set<Path>> cited = ProtocolPageTest.citedOf("FILES");

        assertThat(cited.keySet()).isSubsetOf(rules());
        assertThat(cited.values())
                .anyMatch(
                        files -> files.stream().anyMatch(file -> file.toString().endsWith(".java")));
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
        assertThat(Citations.in("FILES", "A bug (FILES: F3, F99). PROTOCOL: W1"))
                .containsExactly("F3", "F99");
    }
}
