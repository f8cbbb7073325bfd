package io.lambdafs.hammer;

import io.lambdafs.platform.ChartJs;

/** What pages that need nothing besides themselves are made of: our style, and Chart.js with our use of it. Stateless. */
public final class PageParts {
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

    /** What a page says above all else of a measurement that is not complete; nothing where {@code unfinished} is empty. */
    public static String state(String unfinished) {
        return unfinished.isEmpty()
                ? ""
                : "<p class=\"unfinished\"><strong>Unfinished:</strong> " + escape(unfinished) + ".</p>";
    }

    /** What draws the plots: Chart.js, and {@code plots}, our use of it. */
    public static String charts() {
        return ChartJs.source();
    }

    /** A file of ours: {@code report.css}, or one in a folder below. */
    public static String own(String name) {
        return ChartJs.resource("io/lambdafs/hammer/" + name);
    }
}
