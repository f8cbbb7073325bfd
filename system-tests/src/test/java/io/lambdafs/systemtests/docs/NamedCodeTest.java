package io.lambdafs.systemtests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The classes and methods that documents lead a reader to exist under those names. */
class NamedCodeTest {
    /** {@code `Class`}, {@code `Class.method`}, {@code `Class.Nested`}. */
    private static final Pattern NAME = Pattern.compile("`([A-Z][A-Za-z]*[a-z][A-Za-z]*(?:\\.[A-Za-z]+)*)`");

    private static final Set<String> NAMES = names();

    @Test
    void shouldFindEveryStepOfARequest() throws IOException {
        String page = Checkout.read("docs/ARCHITECTURE.md");
        String way = page.substring(page.indexOf("## The way of a request"), page.indexOf("## The way of a block"));
        List<String> named = namedIn(way);

        assertThat(named).hasSizeGreaterThan(60).contains("LambdaFs.stat", "CreateWrite.run", "SubtreeTable.enter");
        assertThat(missing(named)).isEmpty();
    }

    @Test
    void shouldFindTheCodeOfEveryStepOfPerformance() throws IOException {
        List<String> lost = new ArrayList<>();
        int pages = 0;
        for (Map.Entry<Path, String> page : Checkout.files(".md").entrySet()) {
            int code = page.getValue().indexOf("**Code.**");
            if (page.getKey().startsWith(Path.of("docs", "performance")) && code >= 0) {
                pages++;
                missing(namedIn(page.getValue().substring(code)))
                        .forEach(name -> lost.add(page.getKey() + ": " + name));
            }
        }

        assertThat(pages).isGreaterThan(30);
        assertThat(lost).isEmpty();
    }

    @Test
    void shouldNoticeWhatIsNotThere() {
        assertThat(missing(namedIn(
                        "`NameNode.execute`, `NameNode.executed`, `NameNodes`, `ReadOperation.Stat`, `OVERLOADED`")))
                .containsExactly("NameNode.executed", "NameNodes");
    }

    private static List<String> namedIn(String text) {
        Matcher matcher = NAME.matcher(text);
        List<String> named = new ArrayList<>();
        while (matcher.find()) {
            named.add(matcher.group(1));
        }
        return named;
    }

    private static List<String> missing(List<String> named) {
        return named.stream().filter(name -> !NAMES.contains(name)).distinct().toList();
    }

    /** Returns every class of this project by its name without the package, and every method by its class's. */
    private static Set<String> names() {
        Set<String> names = new HashSet<>();
        for (JavaClass type : new ClassFileImporter()
                .withImportOption(location -> !location.contains("/test-classes/"))
                .importPackages("io.lambdafs")) {
            String whole =
                    type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
            names.add(whole);
            names.addAll(type.getMethods().stream()
                    .map(method -> whole + "." + method.getName())
                    .collect(Collectors.toSet()));
        }
        return names;
    }
}
