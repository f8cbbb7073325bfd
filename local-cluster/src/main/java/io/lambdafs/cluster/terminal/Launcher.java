package io.lambdafs.cluster.terminal;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Formats commands that users can paste: with the name that this one was called by, and arguments quoted for a shell.
 * Stateless.
 */
public final class Launcher {
    /** Set by the launcher: the name it was called by. */
    private static final String PROPERTY = "lambdafs.launcher";

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private Launcher() {}

    /** Returns the script that started this process, if one did. */
    public static Optional<Path> path() {
        return Optional.ofNullable(System.getProperty(PROPERTY)).map(Path::of);
    }

    /** Returns a command line, with words quoted if a shell needs it. */
    public static String command(String... arguments) {
        StringBuilder line = new StringBuilder(quoted(System.getProperty(PROPERTY, "lambdafs")));
        for (String argument : arguments) {
            line.append(' ').append(quoted(argument));
        }
        return line.toString();
    }

    /** Returns the command line that starts the cluster in a directory. */
    public static String startOf(Path directory) {
        return command("cluster", "start", "--dir", directory.toString());
    }

    private static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
