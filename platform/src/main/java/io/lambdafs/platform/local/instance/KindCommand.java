package io.lambdafs.platform.local.instance;

import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The command that starts a kind of function as a process. Immutable. Each argument may hold <code>{java}</code> (the
 * JVM that runs the gateway), <code>{classPath}</code> (the gateway's), <code>{memoryMb}</code>, <code>{heapMb}</code>
 * (the share of the memory that a JVM's heap may take: 70 %) and <code>{instanceId}</code>.
 *
 * @param command program and arguments; without secrets, as anyone can read command lines
 * @param environment variables added to the gateway's own environment
 * @param runtime protocol between gateway and process
 * @param template program and arguments of the process from whose image instances are restored where the machine has a
 *     {@link SnapshotEngine}; empty for none
 */
public record KindCommand(
        List<String> command, Map<String, String> environment, Protocol runtime, List<String> template) {
    /** The protocol, which decides which side is the server. */
    public enum Protocol {
        /** The process serves OpenWhisk's action protocol. */
        ACTION,
        /** The process polls AWS Lambda's Runtime API for invocations and is frozen between them. */
        LAMBDA;

        /** Returns the protocol with a name in lower case. */
        public static Protocol of(String name) {
            return switch (name) {
                case "action" -> ACTION;
                case "lambda" -> LAMBDA;
                default -> throw new IllegalArgumentException("runtime must be action or lambda, is \"" + name + "\"");
            };
        }
    }

    private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)}");

    /** Creates a command with the action protocol. */
    public KindCommand(List<String> command, Map<String, String> environment) {
        this(command, environment, Protocol.ACTION, List.of());
    }

    public KindCommand {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        template = List.copyOf(template);
        if (command.isEmpty()) {
            throw new IllegalArgumentException("command is empty");
        }
        command.forEach(argument -> expand(argument, 1, "x"));
    }

    /** Returns the command line of one instance. */
    public List<String> commandLine(int memoryMb, String instanceId) {
        return command.stream()
                .map(argument -> expand(argument, memoryMb, instanceId))
                .toList();
    }

    /** Returns the template's command line. */
    List<String> templateLine(int memoryMb) {
        return template.stream()
                .map(argument -> expand(argument, memoryMb, "template"))
                .toList();
    }

    private static String expand(String argument, int memoryMb, String instanceId) {
        return VARIABLE.matcher(argument)
                .replaceAll(match -> Matcher.quoteReplacement(value(match, memoryMb, instanceId)));
    }

    private static String value(MatchResult variable, int memoryMb, String instanceId) {
        return switch (variable.group(1)) {
            case "java" -> ProcessHandle.current().info().command().orElse("java");
            case "classPath" -> System.getProperty("java.class.path");
            case "memoryMb" -> Integer.toString(memoryMb);
            case "heapMb" -> Integer.toString(Math.max(16, memoryMb * 7 / 10));
            case "instanceId" -> instanceId;
            default -> throw new IllegalArgumentException("unknown variable " + variable.group());
        };
    }
}
