package io.lambdafs.cluster.terminal;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Opens the user's web browser. Stateless. */
public final class Browser {
    private static final long ANSWER_SECONDS = 5;

    private Browser() {}

    /** Asks the desktop to show a page; returns false if no desktop can. Waits some seconds at most. */
    public static boolean open(URI page) {
        boolean mac = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("mac");
        try {
            Process asked = new ProcessBuilder(List.of(mac ? "open" : "xdg-open", page.toString()))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            // The process still running may be a browser started by this.
            return !asked.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS) || asked.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
