package io.lambdafs.systemtests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checker tells legal histories from illegal ones; each history is written by hand. */
class CheckerTest {
    private static final String WORLD = call(0, 1, "mkdirs", "", "'mode':493,'changed':true");

    /** Illegal ones, by what is wrong with them. */
    private static final Map<String, List<String>> ILLEGAL = Map.of(
            "a stale read",
            List.of(
                    WORLD,
                    create(2, 3, "f", "aa", 7),
                    create(4, 5, "f", "bb", 8),
                    call(6, 7, "open", "f", "'entries':[" + file("f", "aa", 7) + "]")),
            "a lost create",
            List.of(WORLD, create(2, 3, "f", "aa", 7), call(4, 5, "stat", "f", "'error':'NOT_FOUND'")),
            "a lost create in a listing",
            List.of(WORLD, create(2, 3, "f", "aa", 7), call(4, 5, "list", "", "'entries':[]")),
            "a torn rename",
            List.of(
                    WORLD,
                    create(2, 3, "f", "aa", 7),
                    call(4, 9, "rename", "f", "'to':'g','changed':true"),
                    call(5, 6, "stat", "g", "'entries':[" + file("g", "aa", 7) + "]"),
                    call(7, 8, "stat", "f", "'entries':[" + file("f", "aa", 7) + "]")),
            "an effect twice",
            List.of(
                    WORLD,
                    create(2, 3, "f", "aa", 7),
                    call(4, 5, "open", "f", "'entries':[" + file("f", "aa", 8) + "]")),
            "a delete undone",
            List.of(
                    WORLD,
                    create(2, 3, "f", "aa", 7),
                    call(4, 5, "delete", "f", "'changed':true"),
                    call(6, 7, "stat", "f", "'entries':[" + file("f", "aa", 7) + "]")),
            "an error of nobody's making",
            List.of(WORLD, call(2, 3, "mkdirs", "a", "'mode':493,'error':'NOT_FOUND'")),
            "a count of children that never was",
            List.of(
                    WORLD,
                    create(2, 3, "f", "aa", 7),
                    call(4, 5, "stat", "", "'entries':[{'name':'w1','dir':true,'id':1,'mode':493,'children':2}]")),
            "an unknown outcome seen, then not",
            List.of(
                    WORLD,
                    "{'world':1,'client':9,'op':'create','path':'f','mode':420,'content':'aa','size':2,'parents':true,"
                            + "'overwrite':true,'invoked':2,'completed':3,'state':'pending','error':'TIMED_OUT'}",
                    call(4, 5, "open", "f", "'entries':[" + file("f", "aa", 7) + "]"),
                    call(6, 7, "stat", "f", "'error':'NOT_FOUND'")));

    @TempDir
    Path directory;

    @Test
    void shouldFindEveryKindOfIllegalHistory() throws Exception {
        Checker checker = Checker.build(directory);
        for (Map.Entry<String, List<String>> each : ILLEGAL.entrySet()) {
            Checker.Verdict verdict = checker.judge(history(each.getValue()));
            assertThat(verdict.lines()).as(each.getKey()).contains("world 1: ILLEGAL");
            assertThat(verdict.exit()).as(each.getKey()).isEqualTo(1);
            assertThat(directory.resolve("world-1.html")).isNotEmptyFile();
        }
    }

    @Test
    void shouldAcceptLegalHistory() throws Exception {
        Checker checker = Checker.build(directory);
        Checker.Verdict verdict = checker.judge(history(List.of(
                WORLD,
                create(2, 3, "a/x", "aa", 7),
                // Overlaps the rename: both answers are right.
                call(4, 9, "rename", "a", "'to':'b','changed':true"),
                call(5, 8, "open", "a/x", "'entries':[" + file("x", "aa", 7) + "]"),
                call(6, 7, "open", "b/x", "'error':'NOT_FOUND'"),
                call(10, 11, "open", "b/x", "'entries':[" + file("x", "aa", 7) + "]"),
                call(12, 13, "delete", "b", "'recursive':false,'error':'NOT_EMPTY'"),
                call(14, 15, "delete", "b", "'recursive':true,'changed':true"),
                call(16, 17, "list", "", "'entries':[]"),
                "{'world':1,'client':9,'op':'mkdirs','path':'c','mode':493,'invoked':18,'completed':19,'state':'pending'}",
                call(20, 21, "list", "", "'entries':[]"),
                call(22, 23, "list", "", "'entries':[{'name':'c','dir':true,'id':5,'mode':493,'children':0}]"),
                // Of another kind is told before that something is there.
                create(24, 25, "f", "bb", 9),
                call(26, 27, "rename", "f", "'to':'c','error':'IS_A_DIRECTORY'"),
                call(28, 29, "rename", "c", "'to':'f','error':'NOT_A_DIRECTORY'"))));
        assertThat(verdict.lines())
                .containsExactly("world 1: OK", "15 operations in 1 worlds, 1 pending: 1 OK, 0 ILLEGAL, 0 UNKNOWN");
        assertThat(verdict.isLegal()).isTrue();
    }

    private Path history(List<String> calls) throws Exception {
        return Files.writeString(
                directory.resolve("history.jsonl"), String.join("\n", calls).replace('\'', '"') + "\n");
    }

    private static String create(int invoked, int completed, String path, String content, int id) {
        return call(
                invoked,
                completed,
                "create",
                path,
                "'mode':420,'size':2,'content':'" + content + "','overwrite':true,'parents':true,'entries':["
                        + file(path.substring(path.lastIndexOf('/') + 1), "", id) + "]");
    }

    private static String file(String name, String content, int id) {
        return "{'name':'" + name + "','dir':false,'id':" + id + ",'mode':420,'size':2,'mtime':99,'content':'" + content
                + "'}";
    }

    /** A call of a client of its own. */
    private static String call(int invoked, int completed, String operation, String path, String more) {
        return "{'world':1,'client':" + invoked + ",'op':'" + operation + "','path':'" + path + "','invoked':" + invoked
                + ",'completed':" + completed + ",'state':'done'," + more + "}";
    }
}
