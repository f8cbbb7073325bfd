package io.lambdafs.platform;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/**
 * Provides the scripts that draw the plots of our pages: Chart.js (MIT licence, its notice kept) from its webjar, and
 * {@code plots.js}, which uses it. Stateless.
 */
public final class ChartJs {
    private static final String WEBJAR = "META-INF/maven/org.webjars.npm/chart.js/pom.properties";

    private ChartJs() {}

    /** Returns the scripts, to be inlined before a page's own. */
    public static String source() {
        Properties webjar = new Properties();
        try {
            webjar.load(new StringReader(resource(WEBJAR)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String source = resource(
                "META-INF/resources/webjars/chart.js/" + webjar.getProperty("version") + "/dist/chart.umd.min.js");
        // Drop the reference: a browser's tools would request the source map.
        return source.replaceAll("(?m)^//# sourceMappingURL=.*$", "") + "\n"
                + resource("io/lambdafs/platform/plots.js");
    }

    /** Returns a file from the class path. */
    public static String resource(String path) {
        try (InputStream in = ChartJs.class.getClassLoader().getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("the program is incomplete: " + path + " is not on its class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
