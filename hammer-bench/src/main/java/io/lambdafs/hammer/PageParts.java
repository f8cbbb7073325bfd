package io.lambdafs.hammer;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** What pages that need nothing besides themselves are made of: our style, and Chart.js (MIT licence, its notice kept) from its webjar. Stateless. */
public final class PageParts {
    private static final String WEBJAR = "META-INF/maven/org.webjars.npm/chart.js/pom.properties";

    private PageParts() {}

    /** Text as HTML. */
    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                // No mark of the template may come from data.
                .replace("{{", "{&#123;");
    }

    /** The source of Chart.js. */
    public static String charts() {
        Properties webjar = new Properties();
        try {
            webjar.load(new StringReader(resource(PageParts.class.getClassLoader(), WEBJAR)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String source = resource(
                PageParts.class.getClassLoader(),
                "META-INF/resources/webjars/chart.js/" + webjar.getProperty("version") + "/dist/chart.umd.min.js");
        // A browser's tools would look for the map beside the page.
        return source.replaceAll("(?m)^//# sourceMappingURL=.*$", "");
    }

    /** A file of ours: {@code report.css}, or one in a folder below. */
    public static String own(String name) {
        return resource(PageParts.class.getClassLoader(), "io/lambdafs/hammer/" + name);
    }

    private static String resource(ClassLoader loader, String path) {
        try (InputStream in = loader.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("the program is incomplete: " + path + " is not on its class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
