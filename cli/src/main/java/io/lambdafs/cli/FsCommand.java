package io.lambdafs.cli;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.ClusterStatus;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.gateway.GatewayReach;
import io.lambdafs.cluster.gateway.Silence;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.hadoop.LambdaFileSystem;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Nearest;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.shell.CommandFactory;
import org.apache.hadoop.util.ToolRunner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lambdafs fs …}: Hadoop's shell on {@code lambdafs://}. */
@Command(
        name = "fs",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Work on files and directories, with the commands of hdfs dfs.",
            "Paths without a scheme are in the cluster; file:///… names local files. fs -help lists the " + "commands."
        },
        customSynopsis = "lambdafs fs [--dir=DIR] -COMMAND [ARGUMENT…]")
public final class FsCommand implements Callable<Integer> {
    private static final int SHELL_USAGE = -1;
    private static final String DIRECTORY = "--dir";
    private static final Pattern GENERIC_OPTION = Pattern.compile("-(D.*|conf|fs|jt|files|libjars|archives)");
    private static final Pattern WITH_GATEWAY = Pattern.compile("lambdafs://([^/:]+:[0-9]{1,5})");

    private final Console console;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Directory of the cluster (default: $LAMBDAFS_DIR, else ~/.lambdafs/default).")
    private @Nullable Path directory;

    @Parameters(
            arity = "0..*",
            paramLabel = "-COMMAND ARGUMENT",
            description = "For example: -ls -R /    -put FILE /dir    -cat /dir/FILE")
    private List<String> arguments = new ArrayList<>();

    FsCommand(Console console) {
        this.console = console;
    }

    static boolean isHelp(String argument) {
        return argument.equals("--help")
                || argument.equals("-h")
                || argument.equals("--version")
                || argument.equals("-V");
    }

    @Override
    public Integer call() {
        List<String> all = new ArrayList<>();
        if (directory != null) {
            all.add("--dir=" + directory);
        }
        all.addAll(arguments);
        return run(console, all);
    }

    /** Runs a shell command; returns its exit code. */
    static int run(Console console, List<String> arguments) {
        Path named = null;
        List<String> rest = arguments;
        if (!rest.isEmpty() && rest.get(0).startsWith(DIRECTORY + "=")) {
            named = Path.of(rest.get(0).substring(DIRECTORY.length() + 1));
            rest = rest.subList(1, rest.size());
        } else if (!rest.isEmpty() && rest.get(0).equals(DIRECTORY)) {
            if (rest.size() == 1) {
                return usage(console, "--dir takes the cluster's directory, as in --dir=/path");
            }
            named = Path.of(rest.get(1));
            rest = rest.subList(2, rest.size());
        }
        ClusterDirectory directory = ClusterDirectory.find(named, System.getenv());
        try (Shell shell = new Shell(configuration(directory))) {
            if (!shell.knows(rest)) {
                return refused(console, shell, rest.get(0));
            }
            boolean local = isLocal(rest);
            if (!local) {
                demandAnswers(directory, rest);
                if (directory.isDiskFull()) {
                    demandServices(directory);
                }
            }
            int exit = ToolRunner.run(shell.getConf(), shell, rest.toArray(String[]::new));
            if (exit == SHELL_USAGE) {
                return ExitCode.USAGE.number();
            }
            if (exit != 0 && !local) {
                // The shell reports an unreachable service only in words; scripts need the exit code.
                demandAnswers(directory, rest);
                demandServices(directory);
            }
            return exit == 0 ? ExitCode.OK.number() : ExitCode.FAILED.number();
        } catch (CommandFailure | FsException e) {
            throw e;
        } catch (Exception e) {
            throw failure(e);
        }
    }

    static Configuration configuration(ClusterDirectory directory) {
        Configuration configuration = new Configuration();
        configuration.setQuietMode(true);
        configuration.set("fs.defaultFS", "lambdafs:///");
        configuration.set("lambdafs.dir", directory.toString());
        return configuration;
    }

    private static int refused(Console console, Shell shell, String command) {
        String meant = Nearest.of("-" + command.replaceFirst("^-+", ""), shell.commands())
                .map(known -> System.lineSeparator() + "Did you mean " + known + "?")
                .orElse("");
        return usage(console, "fs has no command " + command + meant);
    }

    private static int usage(Console console, String why) {
        console.say("lambdafs: " + why);
        console.say("Usage: lambdafs fs [--dir=DIR] -COMMAND [ARGUMENT…]");
        console.say("Try: lambdafs fs -help");
        return ExitCode.USAGE.number();
    }

    /** Returns whether a command needs no cluster: it only explains, or uses only local files. */
    static boolean isLocal(List<String> arguments) {
        if (arguments.isEmpty()
                || arguments.get(0).equals("-help")
                || arguments.get(0).equals("-usage")) {
            return true;
        }
        List<String> paths = arguments.subList(1, arguments.size()).stream()
                .filter(argument -> !argument.startsWith("-"))
                .toList();
        return !paths.isEmpty() && paths.stream().allMatch(path -> path.startsWith("file:"));
    }

    /** Returns whether a command walks a tree without changing it. */
    static boolean isWalk(List<String> arguments) {
        String command = arguments.isEmpty() ? "" : arguments.get(0);
        return command.equals("-find") || command.equals("-lsr") || (command.equals("-ls") && arguments.contains("-R"));
    }

    /** Fails at once instead of letting the client retry until its deadline. */
    private static void demandAnswers(ClusterDirectory directory, List<String> arguments) {
        ClientConfig config = ClientConfig.load(directory.client());
        for (String argument : arguments) {
            Matcher address = WITH_GATEWAY.matcher(argument);
            if (address.lookingAt()) {
                URI named = URI.create(config.gateway().getScheme() + "://" + address.group(1));
                GatewayReach.silence(config, named).ifPresent(why -> {
                    throw unreachable(
                            "no gateway answers at " + address.group(1) + " (" + why + "): check the address");
                });
            }
        }
        GatewayReach.silence(config).ifPresent(why -> {
            throw unreachable(
                    "the cluster in " + directory + ": " + why + "; " + Silence.ofGateway(directory, config.gateway()));
        });
    }

    /** Fails with the reason if a service of a cluster on this machine does not answer. */
    private static void demandServices(ClusterDirectory directory) {
        CommandFailure why = ClusterStatus.trouble(new LocalCluster(directory, Console.ofProcess()))
                .orElse(null);
        if (why != null) {
            throw why;
        }
    }

    private static CommandFailure unreachable(String why) {
        return new CommandFailure(ExitCode.UNREACHABLE, ErrorCode.UNAVAILABLE, why);
    }

    private static CommandFailure failure(Exception thrown) {
        return thrown.getCause() instanceof FsException typed
                ? CommandFailure.of(typed)
                : new CommandFailure(ExitCode.FAILED, ErrorCode.INTERNAL, String.valueOf(thrown.getMessage()));
    }

    /** Hadoop's shell under this command's name. */
    private static final class Shell extends FsShell implements AutoCloseable {
        private final List<String> commands;

        Shell(Configuration configuration) {
            super(configuration);
            CommandFactory factory = new CommandFactory(configuration);
            registerCommands(factory);
            List<String> names = new ArrayList<>(List.of(factory.getNames()));
            names.add("-help");
            names.add("-usage");
            commands = List.copyOf(names);
        }

        List<String> commands() {
            return commands;
        }

        /** Returns whether the first argument is a command, or an option of Hadoop's programs before it. */
        boolean knows(List<String> arguments) {
            return arguments.isEmpty()
                    || commands.contains(arguments.get(0))
                    || GENERIC_OPTION.matcher(arguments.get(0)).matches();
        }

        /** Reports an invalid property before any command runs, because commands would report it as their own error. */
        @Override
        public int run(String[] arguments) {
            if (!isLocal(List.of(arguments))) {
                try {
                    FileSystem fs = FileSystem.get(getConf());
                    if (fs instanceof LambdaFileSystem cluster && isWalk(List.of(arguments))) {
                        cluster.listAhead();
                    }
                } catch (IOException e) {
                    throw failure(e);
                }
            }
            init();
            org.apache.hadoop.fs.shell.Command command =
                    arguments.length == 0 ? null : commandFactory.getInstance(arguments[0]);
            if (command == null) {
                return super.run(arguments);
            }
            try {
                return command.run(Arrays.copyOfRange(arguments, 1, arguments.length));
            } catch (IllegalArgumentException wrong) {
                command.displayError(String.valueOf(wrong.getMessage()));
                System.err.println(getUsagePrefix() + " " + command.getUsage());
                return SHELL_USAGE;
            } catch (UnsupportedOperationException refused) {
                // Hadoop's own shell would print the stack trace.
                command.displayError(String.valueOf(refused.getMessage()));
                return 1;
            }
        }

        /** Registers the commands, which Hadoop's shell does only for itself, not for subclasses. */
        @Override
        protected void registerCommands(CommandFactory factory) {
            factory.registerCommands(org.apache.hadoop.fs.shell.FsCommand.class);
        }

        @Override
        protected String getUsagePrefix() {
            return "Usage: lambdafs fs [generic options]";
        }
    }
}
