package io.lambdafs.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine;

/** Lists commands, one line each: those of every day in groups, and all. Stateless. */
final class CommandGroups {
    /** Commands of the launcher script, which runs them without this program. */
    static final Map<String, String> OF_LAUNCHER = Map.of(
            "hadoop", "Print the client's jar and core-site.xml for Hadoop programs.",
            "example", "Run a Hadoop, Spark or Iceberg job on a cluster.",
            "image", "Build a container image of all roles.",
            "dist", "Build the program as one archive.",
            "test", "Run the tests; --quick takes minutes.");

    private static final List<Group> EVERYDAY = List.of(
            new Group("Try it", List.of("quickstart")),
            new Group("Run a cluster on this machine", List.of("cluster start", "cluster status", "cluster stop")),
            new Group("Use it", List.of("fs", "hadoop")),
            new Group("Watch and check it", List.of("dashboard", "doctor", "fsck")),
            new Group("Back it up", List.of("dump", "load")),
            new Group("Run it on a platform", List.of("deploy")),
            new Group("Measure and develop", List.of("replay", "bench", "test")));

    private static final List<String> REST_OF_LAUNCHER = List.of("example", "image", "dist");

    /** Commands for one purpose. */
    private record Group(String title, List<String> commands) {}

    private CommandGroups() {}

    /** Returns the lines of everyday commands, in groups. */
    static List<String> everyday(CommandLine root) {
        List<String> lines = new ArrayList<>();
        for (Group group : EVERYDAY) {
            lines.add("");
            lines.add(group.title());
            group.commands().forEach(command -> lines.add(line(command, summary(root, command))));
        }
        return lines;
    }

    /** Returns the lines of every command but the benches, which {@code bench --help} lists. */
    static List<String> all(CommandLine root) {
        List<String> lines = everyday(root);
        List<String> shown =
                EVERYDAY.stream().flatMap(group -> group.commands().stream()).toList();
        lines.add("");
        lines.add("More");
        addRest(root, "", shown, lines);
        REST_OF_LAUNCHER.forEach(command -> lines.add(line(command, summary(root, command))));
        return lines;
    }

    private static void addRest(CommandLine at, String prefix, List<String> shown, List<String> lines) {
        at.getSubcommands().forEach((name, command) -> {
            String words = prefix + name;
            if (shown.contains(words)) {
                return;
            }
            if (command.getSubcommands().isEmpty()) {
                lines.add(line(words, summary(command)));
            } else {
                addRest(command, words + " ", shown, lines);
            }
        });
    }

    private static String line(String command, String summary) {
        return String.format("  %-16s %s", command, summary);
    }

    private static String summary(CommandLine root, String command) {
        String ofLauncher = OF_LAUNCHER.get(command);
        if (ofLauncher != null) {
            return ofLauncher;
        }
        CommandLine at = root;
        for (String word : command.split(" ")) {
            at = Objects.requireNonNull(at.getSubcommands().get(word), command);
        }
        return summary(at);
    }

    private static String summary(CommandLine command) {
        return command.getCommandSpec().usageMessage().description()[0];
    }
}
