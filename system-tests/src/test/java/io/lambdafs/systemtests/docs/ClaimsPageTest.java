package io.lambdafs.systemtests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cli.Main;
import io.lambdafs.cluster.terminal.Console;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Quoted figures are claims of docs/CLAIMS.md, each with a command, and every bench has a line in docs/BENCHMARKS.md. */
class ClaimsPageTest {
    private static final Pattern CLAIM = Pattern.compile("(?m)^\\| (\\d+) \\| .* \\| (.*) \\|$");
    private static final Pattern COMMAND =
            Pattern.compile("`\\./lambdafs (bench [a-z-]+|simulate)[^`]*`.*|as claim \\d+|\\[DEPLOY\\.md].*");
    private static final Pattern CITED =
            Pattern.compile("\\[claims? (\\d+)(?: to (\\d+))?]\\((?:docs/)?CLAIMS\\.md\\)");
    private static final Pattern RATIO = Pattern.compile("\\d (?:×|times) HDFS");
    private static final Pattern BENCH = Pattern.compile("(?m)^  ([a-z][a-z-]+) ");
    private static final Pattern LINE = Pattern.compile("(?m)^\\| ([^|]+) \\| [^|]+ \\| [^|]+ \\| [^|]+ \\|$");

    @Test
    void shouldGiveEachClaimItsNumberAndCommand() throws IOException {
        List<String> numbers = new ArrayList<>();
        List<String> without = new ArrayList<>();
        CLAIM.matcher(Checkout.read("docs/CLAIMS.md")).results().forEach(row -> {
            numbers.add(row.group(1));
            if (!COMMAND.matcher(row.group(2)).matches()) {
                without.add(row.group(1));
            }
        });

        assertThat(numbers)
                .hasSizeGreaterThan(20)
                .isEqualTo(IntStream.rangeClosed(1, numbers.size())
                        .mapToObj(Integer::toString)
                        .toList());
        assertThat(without).isEmpty();
        assertThat(COMMAND.matcher("by measuring it").matches()).isFalse();
    }

    @Test
    void shouldCiteClaimsThatExistWhereFiguresAreQuoted() throws IOException {
        long claims = CLAIM.matcher(Checkout.read("docs/CLAIMS.md")).results().count();
        List<String> wrong = new ArrayList<>();
        Checkout.files(".md").forEach((page, text) -> {
            String name = page.toString();
            boolean quotes = !name.contains("performance")
                    && !name.endsWith("CLAIMS.md")
                    && RATIO.matcher(text).find();
            if (quotes && !text.contains("CLAIMS.md")) {
                wrong.add(name + " quotes a ratio without a claim");
            }
            CITED.matcher(text).results().forEach(cited -> {
                String last = cited.group(2) == null ? cited.group(1) : cited.group(2);
                if (Long.parseLong(last) > claims) {
                    wrong.add(name + ": " + cited.group());
                }
            });
        });

        assertThat(wrong).isEmpty();
        assertThat(RATIO.matcher("`stat` 4.35 times HDFS").find()).isTrue();
    }

    @Test
    void shouldHaveALineForEveryBenchAndNoOther() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        Main.run(new Console(stream, stream, 0), "bench", "--help");
        Set<String> benches = BENCH.matcher(out.toString(StandardCharsets.UTF_8))
                .results()
                .map(line -> line.group(1))
                .collect(Collectors.toSet());

        assertThat(benches).hasSizeGreaterThan(10).contains("micro", "against");
        Set<String> lines = lines(Checkout.read("docs/BENCHMARKS.md"));
        // From the launcher: the first is of the examples, the second no bench, the third has its own page.
        lines.removeAll(Set.of("jobs", "simulate", "JMH"));
        assertThat(lines).containsExactlyInAnyOrderElementsOf(benches);
        assertThat(lines("| [micro, files](#bench-micro) | asks | says | `command` |"))
                .containsExactlyInAnyOrder("micro", "files");
    }

    /** Returns the benches that the first column of the page's table of four columns names. */
    private static Set<String> lines(String page) {
        int end = page.indexOf("\n\nQuestions that were answered");
        return LINE.matcher(end < 0 ? page : page.substring(0, end))
                .results()
                .map(row -> row.group(1).replaceAll("\\[([^]]*)].*", "$1").strip())
                .filter(name -> !name.equals("bench") && !name.startsWith("-"))
                .flatMap(name -> Pattern.compile(", ").splitAsStream(name))
                .collect(Collectors.toSet());
    }

    @Test
    void shouldLeaveTheReadmeAtFifteenCommands() throws IOException {
        assertThat(Checkout.read("README.md").split("\\./lambdafs ", -1)).hasSizeBetween(5, 16);
    }
}
