package io.lambdafs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.cluster.terminal.Console;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

@Tag("slow")
class MainTest {
    /** Every command but the root, as words. */
    static Stream<List<String>> commands() {
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        List<List<String>> found = new ArrayList<>();
        collect(Main.commandLine(new Console(nowhere, nowhere, 0)), List.of(), found);
        return found.stream();
    }

    private static void collect(CommandLine line, List<String> words, List<List<String>> into) {
        line.getSubcommands().forEach((name, command) -> {
            List<String> longer = new ArrayList<>(words);
            longer.add(name);
            into.add(longer);
            collect(command, longer, into);
        });
    }

    private static CommandRun run(List<String> words, String... more) {
        List<Object> all = new ArrayList<>(words);
        all.addAll(List.of(more));
        return CommandRun.of(Main::run, all.toArray());
    }

    @Test
    void shouldHaveTheCommandsThatTheManualNames() {
        assertThat(commands().map(words -> String.join(" ", words)))
                .contains(
                        "quickstart",
                        "cluster",
                        "cluster start",
                        "cluster stop",
                        "cluster status",
                        "fs",
                        "info",
                        "datanode",
                        "datanode list",
                        "datanode drain",
                        "storagepolicies",
                        "blocks",
                        "blocks check",
                        "blocks move",
                        "blocks report",
                        "gc",
                        "fsck",
                        "du",
                        "stats",
                        "top",
                        "trash list",
                        "trash purge",
                        "upgrade",
                        "dashboard",
                        "door hdfs",
                        "door webhdfs",
                        "mount",
                        "door s3",
                        "door s3-key",
                        "import",
                        "export",
                        "replay",
                        "worker",
                        "bench",
                        "bench micro",
                        "bench files",
                        "bench subtree",
                        "bench failover",
                        "bench coldstart",
                        "bench autoscale",
                        "bench fleet",
                        "bench tail",
                        "bench nnbench",
                        "bench tree-test",
                        "bench mdtest",
                        "completion");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldExplainEveryCommandOnStandardOutput(List<String> command) {
        CommandRun run = run(command, "--help");
        assertThat(run.exit()).isZero();
        assertThat(run.out()).contains("Usage: lambdafs " + String.join(" ", command));
        assertThat(run.err()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldRefuseAnUnknownOptionOfEveryCommandBeforeItDoesAnything(List<String> command) {
        CommandRun run = switch (String.join(" ", command)) {
            case "completion" -> run(command, "bash", "--dri=x");
            case "worker" -> run(command, "--master=host:1", "--dri=x");
            case "migrate" -> run(command, "--to=ndb", "--dri=x");
            case "door s3-key" -> run(command, "--user=name", "--dri=x");
            case "cluster resize" -> run(command, "--deployments=2", "--dri=x");
            case "bench compare" -> run(command, "a", "b", "--dri=x");
            case "blocks move" -> run(command, "/path", "--to=cold", "--dri=x");
            case "aws bench" -> run(command, "name", "--cluster-dir=dir", "--program=file", "--dri=x");
            case "aws plan", "aws create", "aws status", "aws destroy" -> run(command, "name", "--dri=x");
            case "export" -> run(command, "a", "b", "--dri=x");
            case "bench against",
                    "datanode drain",
                    "dump",
                    "info",
                    "load",
                    "import",
                    "mount",
                    "quota set",
                    "quota clear",
                    "quota show",
                    "snapshot allow",
                    "snapshot forbid",
                    "snapshot list" -> run(command, "argument", "--dri=x");
            case "snapshot create", "snapshot diff", "snapshot delete" -> run(command, "a", "b", "--dri=x");
            case "snapshot rename" -> run(command, "a", "b", "c", "--dri=x");
            default -> run(command, "--dri=x");
        };
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("--dri").contains("Usage: lambdafs").contains("Try: lambdafs");
    }

    @ParameterizedTest
    @CsvSource({
        "quickstart --secnds 3,          --secnds,          Did you mean --seconds?",
        "quickstart --seconds=3 --bse-ops=4, --bse-ops=4,   Did you mean --base-ops?",
        "cluster start --deployment 3,   --deployment,      Did you mean --deployments?",
        "cluster status --jsn,           --jsn,             Did you mean --json?",
        "cluster stopp,                  stopp,             Did you mean stop?",
        "bench subtre,                   subtre,            Did you mean subtree?",
        "quickstrat,                     quickstrat,        Did you mean quickstart?",
        "quickstrat --help,              quickstrat,        Did you mean quickstart?",
        "cluster stopp --help,           stopp,             Did you mean stop?",
        "quickstart --secnds=3 --help,   --secnds=3,        Did you mean --seconds?"
    })
    void shouldSuggestWhatWasMeant(String words, String named, String suggestion) {
        CommandRun run = run(List.of(words.split(" ")));
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("'" + named + "'").contains(suggestion);
        assertThat(run.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "quickstart --seconds ten,        --seconds",
        "quickstart --seconds,            --seconds",
        "quickstart --base-ops 1e,        --base-ops",
        "quickstart --scaling maybe,      --scaling",
        "quickstart --seconds 1 --seconds 2, --seconds",
        "quickstart here,                 here",
        "cluster start --port 80x,        --port",
        "bench subtree --files 1.5,       --files",
        "replay --seed 99999999999999999999, --seed",
        "completion,                      SHELL",
        "completion fish,                 fish",
        "cluster,                         start",
        "bench,                           subtree"
    })
    void shouldRefuseWhatMakesNoSenseAndNameIt(String words, String named) {
        CommandRun run = run(List.of(words.split(" ")));
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).startsWith("lambdafs: ").contains(named).contains("Usage: lambdafs");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldAskWhichCommandWhenThereIsNone() {
        CommandRun run = CommandRun.of(Main::run);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("which command?", "quickstart", "cluster");
    }

    @Test
    void shouldSayVersionAndExitCodes() {
        assertThat(CommandRun.of(Main::run, "--version").out())
                .startsWith("lambdafs ")
                .contains("Java ");
        assertThat(CommandRun.of(Main::run, "--help").out())
                .contains("Exit codes: 0 done, 1", "2 wrong usage", "3 a service");
        assertThat(CommandRun.of(Main::run, "help", "cluster").out()).contains("Usage: lambdafs cluster");
    }

    /** A word that may begin the line of a command: a verb, as in an order. */
    private static final Set<String> VERBS = Set.of(
            "Allow",
            "Build",
            "Change",
            "Check",
            "Compare",
            "Copy",
            "Create",
            "Delete",
            "Diagnose",
            "Forbid",
            "Format",
            "Kill",
            "List",
            "Manage",
            "Measure",
            "Move",
            "Offer",
            "Print",
            "Register",
            "Remove",
            "Rename",
            "Replay",
            "Run",
            "Serve",
            "Share",
            "Show",
            "Simulate",
            "Start",
            "Stop",
            "Work",
            "Write");

    /** Returns the lines of a help that name a command: two blanks, its words, two blanks or more, what it does. */
    private static List<String> commandLines(String help) {
        return help.lines().filter(line -> line.matches("  [a-z].*")).toList();
    }

    private static List<String> notPlain(Stream<String> commandLines) {
        return commandLines
                .filter(line -> line.length() > 80
                        || !VERBS.contains(line.substring(19).split(" ")[0])
                        || line.substring(0, 19).isBlank())
                .toList();
    }

    @Test
    void shouldShowAtMostFifteenEverydayCommandsVerbFirst() {
        String help = CommandRun.of(Main::run, "help").out();

        assertThat(help).isEqualTo(CommandRun.of(Main::run, "--help").out());
        assertThat(commandLines(help)).hasSizeBetween(10, 15);
        assertThat(notPlain(commandLines(help).stream())).isEmpty();
        assertThat(help.lines()).hasSizeLessThan(40).allMatch(line -> line.length() <= 100);
        assertThat(notPlain(Stream.of("  fsck             Whether the stored tree is whole.")))
                .hasSize(1);
    }

    @Test
    void shouldListEveryCommandOnRequest() {
        List<String> lines =
                commandLines(CommandRun.of(Main::run, "help", "--all").out());

        assertThat(commands()
                        .map(words -> String.join(" ", words))
                        .filter(command -> !command.startsWith("bench ")
                                && lines.stream().noneMatch(line -> (line + " ").startsWith("  " + command + " "))))
                .isEmpty();
        assertThat(notPlain(lines.stream())).isEmpty();
    }

    private static boolean beginsWithAVerb(List<String> command) {
        return run(command, "--help")
                .out()
                .lines()
                .dropWhile(line -> line.startsWith("Usage:") || line.startsWith("  "))
                .limit(1)
                .anyMatch(line -> VERBS.contains(line.split(" ")[0]));
    }

    @Test
    void shouldBeginTheHelpOfEveryCommandWithAVerb() {
        assertThat(commands().filter(command -> !beginsWithAVerb(command))).isEmpty();
    }

    @Test
    void shouldExplainACommandOfSeveralWords() {
        assertThat(CommandRun.of(Main::run, "help", "cluster", "start").out())
                .isEqualTo(
                        CommandRun.of(Main::run, "cluster", "start", "--help").out());
        assertThat(CommandRun.of(Main::run, "help", "test").out()).contains("lambdafs test --help");
        assertThat(CommandRun.of(Main::run, "help", "clustr").err()).contains("Did you mean cluster?");
    }
}
