package io.lambdafs.hammer.measure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.terminal.HeadlessBrowser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A made-up result with all that results of benches are made of. */
final class ResultPageTest {
    private static final String RESULT = """
            {"schema":1,"files":40,"note":"</script>{{data}}",
             "results":[
              {"op":"stat","threads":8,"opsPerSecond":1234.5678,"failed":0,"rounds":[1,2],"micros":{"p50":3,"p99":9}},
              {"op":"read","threads":8,"opsPerSecond":99,"failed":0,"rounds":[3,4],"micros":{"p50":4,"p99":8},
               "curve":[{"t":1,"n":5},{"t":2,"n":6}]}],
             "create":{"lambdafs":{"least":1,"median":2.5},"hdfs":{"least":3,"median":4}},
             "machine":{"processors":2}}
            """;

    @TempDir
    private Path folder;

    private static BenchResult result() throws Exception {
        return new BenchResult((ObjectNode) new ObjectMapper().readTree(RESULT), "", List.of("2 calls <failed>"));
    }

    @Test
    void shouldMakeTablesOfArraysAndOfObjectsThatAreAlike() throws Exception {
        List<Figures.Table> tables = Figures.of(result().json());
        assertThat(tables)
                .extracting(Figures.Table::name)
                .containsExactly("results", "results read 8 curve", "result", "figures", "machine");
        assertThat(tables.get(0).columns())
                .containsExactly("op", "threads", "opsPerSecond", "failed", "rounds", "micros.p50", "micros.p99");
        assertThat(tables.get(0).measured()).containsExactly("opsPerSecond", "micros.p50", "micros.p99");
        assertThat(tables.get(3).rows())
                .extracting(row -> row.path("of").asText())
                .containsExactly("create lambdafs", "create hdfs");
        assertThat(tables.get(3).measured()).containsExactly("least", "median");
    }

    @Test
    void shouldWriteEveryTableBesideThePage() throws Exception {
        Path page = ResultPage.write("micro", result(), folder);
        assertThat(Files.readString(page))
                .doesNotContain("</script>{{data}}", "{{", "src=\"http", "href=")
                .contains("1,234.568", "bench micro", "2 calls &lt;failed&gt;");
        assertThat(new ObjectMapper().readTree(folder.resolve("micro.json").toFile()))
                .isEqualTo(result().json());
        assertThat(folder.resolve("micro.csv")).hasContent("""
                        op,threads,opsPerSecond,failed,rounds,micros.p50,micros.p99
                        stat,8,1234.5678,0,1 2,3,9
                        read,8,99,0,3 4,4,8
                        """);
        assertThat(folder.resolve("micro-figures.csv"))
                .hasContent("of,least,median\ncreate lambdafs,1,2.5\ncreate hdfs,3,4\n");
        assertThat(folder.resolve("micro-machine.csv")).doesNotExist();
    }

    @Test
    void shouldSayOfAPageThatSomethingIsMissing() throws Exception {
        assertThat(Files.readString(ResultPage.write("micro", result(), folder)))
                .doesNotContain("Unfinished:");
        ObjectNode partial = result().json().put(ResultPage.UNFINISHED, "1 of 3 turns are over");
        assertThat(Files.readString(ResultPage.write("micro", new BenchResult(partial, ""), folder)))
                .contains("Unfinished:</strong> 1 of 3 turns are over.");
    }

    @Test
    void shouldBeDrawnByABrowser() throws Exception {
        Optional<Path> program = HeadlessBrowser.installed();
        Assumptions.assumeTrue(program.isPresent(), "no chromium is installed: apt-get install chromium");
        HeadlessBrowser.check(program.get(), ResultPage.write("micro", result(), folder), 7, folder.resolve("browser"));
    }
}
