package io.lambdafs.systemtests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No Javadoc, of main code or of tests, opens with What, Whether or Of, and no help text with these or Where, How or
 * Which. Comments of main code avoid further openers and turns of phrase that make a native reader stop: at most 4 in
 * 1,000 words of a module's comments. The tests find patterns, and so are a floor: they cannot tell good prose from bad.
 */
class PlainEnglishTest {
    private static final double MOST_IN_1000_WORDS = 4;

    private static final Pattern JAVADOC = Pattern.compile("(?s)/\\*\\*(.*?)\\*/");
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*\\*.*?\\*/|//[^\n]*");
    private static final Pattern MARGIN = Pattern.compile("\n\\s*\\*");
    private static final Pattern OPENER =
            Pattern.compile("^(?:What|Whether|How|Of|Where|With|Who|Which|All but) .{0,40}");
    private static final Pattern BARRED = Pattern.compile("/\\*\\*[\\s*]*(?:What|Whether|Of)\\b[^\n]{0,40}");
    private static final Pattern BARRED_HELP =
            Pattern.compile("description\\s*=\\s*\\{?\\s*\"(?:What|Whether|Of|Where|How|Who|Which|That)\\b[^\"]{0,40}");
    private static final Pattern TURN = Pattern.compile("(?i)"
            + String.join(
                    "|",
                    "\\b(?:than|of|from|in|to|by|for|on) what (?:is|was|are|has|it|they|he)\\b",
                    "\\b(?:he|his|him)\\b",
                    "\\bfor to\\b",
                    "\\b(?:is|are|was|were) told\\b",
                    "\\btells (?:itself|what|its|the|how|which|whether)\\b",
                    "\\bas it (?:comes|stands)\\b",
                    "\\bwhere (?:there (?:is|are)|it (?:is|has)|nothing|none|one|they)\\b",
                    "\\bmost (?:bytes|files|operations|entries|names|keys|rows|calls|of)\\b",
                    "\\b(?:nobody|somebody)\\b",
                    "\\bof (?:its|their) own\\b",
                    "\\bof (?:itself|themselves)\\b",
                    "\\blook(?:s|ed)? (?:at|into|whether)\\b"));

    /** The comments of a module: their words, and each place that reads like a translation. */
    private static final class Comments {
        private int words;
        private final List<String> turns = new ArrayList<>();

        void add(String source) {
            Matcher javadoc = JAVADOC.matcher(source);
            while (javadoc.find()) {
                String text = plain(javadoc.group(1));
                words += text.split("\\s+").length;
                find(OPENER, text);
            }
            Matcher comment = COMMENT.matcher(source);
            while (comment.find()) {
                find(TURN, plain(comment.group()));
            }
        }

        private static String plain(String comment) {
            return MARGIN.matcher(comment).replaceAll(" ").strip();
        }

        private void find(Pattern pattern, String text) {
            pattern.matcher(text).results().forEach(found -> turns.add(found.group()));
        }

        boolean isPlain() {
            return 1000.0 * turns.size() <= MOST_IN_1000_WORDS * words;
        }

        @Override
        public String toString() {
            return turns.size() + " in " + words + " words: " + turns;
        }
    }

    @Test
    void shouldReadLikeEnglish() throws IOException {
        Map<Path, Comments> modules = new TreeMap<>();
        Checkout.files(".java").forEach((file, source) -> {
            int main = file.toString().indexOf("/src/main/");
            if (main > 0) {
                modules.computeIfAbsent(Path.of(file.toString().substring(0, main)), module -> new Comments())
                        .add(source);
            }
        });
        assertThat(modules).hasSizeGreaterThan(20);

        modules.values().removeIf(Comments::isPlain);

        assertThat(modules).isEmpty();
    }

    @Test
    void shouldOpenNoJavadocAndNoHelpWithWhatWhetherOrOf() throws IOException {
        List<String> barred = new ArrayList<>();
        Checkout.files(".java").forEach((file, source) -> {
            if (!file.endsWith("PlainEnglishTest.java")) {
                barred(source).forEach(found -> barred.add(file + ": " + found));
            }
        });

        assertThat(barred).isEmpty();
    }

    @Test
    void shouldNoticeABarredOpener() {
        assertThat(barred("/** Whether it is open. */ int a;\n/**\n * Of all rows.\n */ int b; /** Often. */ int c;"))
                .containsExactly("/** Whether it is open. */ int a;", "/**\n * Of all rows.");
        assertThat(barred("description = {\"Where it goes.\"}")).containsExactly("description = {\"Where it goes.");
    }

    private static List<String> barred(String source) {
        return Stream.of(BARRED, BARRED_HELP)
                .flatMap(pattern -> pattern.matcher(source).results())
                .map(found -> found.group())
                .toList();
    }

    @Test
    void shouldNoticeTurnsOfPhrase() {
        Comments comments = new Comments();
        comments.add(
                "/** What nobody needs. */ int a; // where there is none\n/** Returns the length in bytes. */ int b;");

        assertThat(comments.turns).containsExactly("What nobody needs.", "nobody", "where there is");
        assertThat(comments.words).isEqualTo(8);
        assertThat(comments.isPlain()).isFalse();
    }
}
