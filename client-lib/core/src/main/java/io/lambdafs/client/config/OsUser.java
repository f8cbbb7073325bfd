package io.lambdafs.client.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The operating system's user and groups of this process. Used while a client is configured, not while it runs.
 * Thread-safe.
 */
final class OsUser {
    private static final int MAX_OUTPUT = 16 << 10;
    /** Maximum number of users whose groups are cached; a process acts for few. */
    private static final int MAX_KNOWN = 64;

    private static final ConcurrentMap<String, List<String>> KNOWN = new ConcurrentHashMap<>();

    private OsUser() {}

    static String name() {
        String name = System.getProperty("user.name", "");
        return name.isEmpty() || name.equals("?") ? "nobody" : name;
    }

    /** Returns a user's groups, the primary one first; a group of the user's name if the system knows none. */
    static List<String> groups(String user) {
        List<String> known = KNOWN.get(user);
        if (known != null) {
            return known;
        }
        List<String> asked = ask(user);
        if (KNOWN.size() < MAX_KNOWN) {
            KNOWN.putIfAbsent(user, asked);
        }
        return asked;
    }

    private static List<String> ask(String user) {
        if (user.startsWith("-")) {
            return List.of(user);
        }
        try {
            Process id = new ProcessBuilder("id", "-Gn", user)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            id.getOutputStream().close();
            String output = new String(id.getInputStream().readNBytes(MAX_OUTPUT), StandardCharsets.UTF_8).strip();
            id.destroy();
            return output.isEmpty() ? List.of(user) : List.of(output.split("\\s+"));
        } catch (IOException noSuchCommand) {
            return List.of(user);
        }
    }
}
