package io.lambdafs.cluster.settings;

import io.lambdafs.model.FsException;

/** Checks of settings. Stateless. */
final class SettingsCheck {
    private SettingsCheck() {}

    /**
     * Refuses a value unless a condition holds.
     *
     * @throws FsException {@code INVALID_ARGUMENT}, naming the key, the expected and the actual value
     */
    static void check(boolean holds, String key, String expected, Object actual) {
        if (!holds) {
            throw FsException.invalidArgument("the setting \"" + key + "\" must be " + expected + ", not " + actual);
        }
    }

    /** Returns whether the text is {@code host:port[,host:port…]}. */
    static boolean isEnsemble(String text) {
        String server = "([^\\s,:/\\[\\]]+|\\[[0-9a-fA-F:.]+]):[0-9]{1,5}";
        return text.matches(server + "(," + server + ")*");
    }

    static boolean isPort(int port) {
        return port >= 0 && port <= 65_535;
    }

    static boolean isLoopback(String host) {
        return host.equals("localhost") || host.equals("::1") || host.matches("127(\\.[0-9]{1,3}){3}");
    }
}
