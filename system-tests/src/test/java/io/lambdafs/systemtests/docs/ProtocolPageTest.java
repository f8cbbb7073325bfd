package io.lambdafs.systemtests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whatever cites a rule of docs/PROTOCOL.md cites one that is there, and planted bugs and the page name each other. */
class ProtocolPageTest {
    private static final Pattern PLANTED = Pattern.compile("`([a-z]+(?:-[a-z]+)+)`");

    @Test
    void shouldDefineEveryRuleOnceAndInOrder() throws IOException {
        List<String> rules = Citations.definedBy(page());

        assertThat(rules).doesNotHaveDuplicates().contains("M1", "R1", "W1", "S1", "N1", "E1", "I1");
        rules.stream().collect(Collectors.groupingBy(rule -> rule.charAt(0))).forEach((section, ids) -> {
            for (int i = 0; i < ids.size(); i++) {
                assertThat(ids.get(i)).isEqualTo("%s%d", section, i + 1);
            }
        });
    }

    @Test
    void shouldHaveEveryRuleThatSourcesCite() throws IOException {
        Set<String> rules = Set.copyOf(Citations.definedBy(page()));
        Map<String, Set<Path>> cited = citedOf("PROTOCOL");

        assertThat(cited.keySet()).isSubsetOf(rules);
        assertThat(cited.values().stream().mapToInt(Set::size).sum()).isGreaterThan(50);
    }

    /** Files that cite each rule of a page. */
    static Map<String, Set<Path>> citedOf(String page) throws IOException {
        Path tests = Path.of("system-tests", "src", "test", "java", "io", "lambdafs", "systemtests", "docs");
        Map<String, Set<Path>> cited = new TreeMap<>();
        Checkout.files(".java", ".md", ".tla", ".cfg", ".patch").forEach((file, text) -> {
            if (!file.startsWith(tests)) {
                Citations.in(page, text)
                        .forEach(id -> cited.computeIfAbsent(id, rule -> new TreeSet<>())
                                .add(file));
            }
        });
        return cited;
    }

    @Test
    void shouldFindARuleInEachPatchOfAScenarioOfItsOwn() throws IOException {
        Path tests = Path.of("testing", "src", "test");
        Checkout.files(".patch").forEach((file, text) -> {
            if (Stream.of("planted-older", "planted-slow", "planted-quotas", "planted-snapshots")
                    .anyMatch(folder -> file.startsWith(tests.resolve(folder)))) {
                assertThat(Citations.in("PROTOCOL", text)).as("%s", file).isNotEmpty();
            }
        });
    }

    @Test
    void shouldNameThePlantedBugsThatCiteARuleBesideThatRule() throws IOException {
        Map<String, Set<String>> onThePage = new TreeMap<>();
        for (String row : page().lines().filter(line -> line.startsWith("| ")).toList()) {
            String[] cells = row.split("\\|", -1);
            if (cells.length == 7) {
                Set<String> rules = Set.of(cells[2].strip().split(", "));
                PLANTED.matcher(cells[4]).results().forEach(patch -> onThePage.put(patch.group(1), rules));
            }
        }
        Map<String, Set<String>> planted = new TreeMap<>();
        Checkout.files(".patch").forEach((file, text) -> {
            Set<String> cited = Citations.in("PROTOCOL", text);
            if (file.startsWith(Path.of("testing", "src", "test", "planted")) && !cited.isEmpty()) {
                planted.put(file.getFileName().toString().replace(".patch", ""), cited);
            }
        });

        assertThat(onThePage.keySet()).isEqualTo(planted.keySet()).hasSizeGreaterThan(30);
        planted.forEach(
                (name, cited) -> assertThat(onThePage.get(name)).as(name).containsAll(cited));
    }

    @Test
    void shouldNoticeACitationOfNothing() {
        String text =
                "/** Fills (PROTOCOL: R3,\n * W99). See docs/PROTOCOL.md: what it caches */\n(* PROTOCOL: *)\n(* E1 *)";

        assertThat(Citations.in("PROTOCOL", text))
                .contains("R3", "W99", "E1")
                .hasSize(4)
                .anyMatch(id -> id.startsWith("what it"));
        assertThat(new TreeSet<>(Citations.definedBy("**R3. Fill.** text\n| **I1** fresh | x |\nR4. no")))
                .containsExactly("I1", "R3");
    }

    private static String page() throws IOException {
        return Checkout.read("docs/PROTOCOL.md");
    }
}
