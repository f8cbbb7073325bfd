package io.lambdafs.systemtests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every link of a document to another one leads to a file, and to a heading where it names one. */
class LinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]+))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+)$");
    private static final Pattern STEP = Pattern.compile("PERFORMANCE[^.;]{0,20}?,? step (\\d+)");

    @Test
    void shouldLeadSomewhere() throws IOException {
        Map<Path, String> pages = Checkout.files(".md");
        List<String> dead = new ArrayList<>();
        for (Map.Entry<Path, String> page : pages.entrySet()) {
            Matcher link = LINK.matcher(page.getValue());
            while (link.find()) {
                if (!leads(page.getKey(), link.group(1), link.group(2) == null ? "" : link.group(2))) {
                    dead.add(page.getKey() + ": " + link.group());
                }
            }
        }

        assertThat(dead).isEmpty();
    }

    @Test
    void shouldHaveAPageForEveryStepThatIsCited() throws IOException {
        Set<Integer> steps = Checkout.files(".md").keySet().stream()
                .filter(page -> page.startsWith(Path.of("docs", "performance")))
                .map(page -> page.getFileName().toString())
                .filter(name -> Character.isDigit(name.charAt(0)))
                .map(name -> Integer.valueOf(name.substring(0, name.indexOf('-'))))
                .collect(Collectors.toSet());
        List<String> dead = new ArrayList<>();
        Checkout.files(".java", ".md", ".xml")
                .forEach((file, text) -> STEP.matcher(text)
                        .results()
                        .filter(cited -> !steps.contains(Integer.valueOf(cited.group(1))))
                        .forEach(cited -> dead.add(file + ": " + cited.group())));

        assertThat(dead).isEmpty();
        assertThat(steps).hasSizeGreaterThan(30);
    }

    @Test
    void shouldNoticeALinkToNothing() {
        assertThat(leads(Path.of("README.md"), "docs/PROTOCOL.md", "a-write")).isTrue();
        assertThat(leads(Path.of("README.md"), "docs/PROTOCOL.md", "a-wish")).isFalse();
        assertThat(leads(Path.of("README.md"), "docs/NOWHERE.md", "")).isFalse();
    }

    private static boolean leads(Path page, String target, String heading) {
        Path file = target.isEmpty()
                ? Checkout.ROOT.resolve(page)
                : Checkout.ROOT.resolve(page).resolveSibling(target).normalize();
        if (!Files.exists(file)) {
            return false;
        }
        return heading.isEmpty() || headings(file).contains(heading);
    }

    /** Returns the anchors that a page offers, made as GitHub makes them. */
    private static Set<String> headings(Path file) {
        try {
            return HEADING.matcher(Files.readString(file))
                    .results()
                    .map(heading -> heading.group(1).toLowerCase(Locale.ROOT).strip())
                    .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new AssertionError("cannot read " + file, e);
        }
    }
}
