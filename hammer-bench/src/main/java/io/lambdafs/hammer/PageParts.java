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

    /** What draws the plots: Chart.js, and {@code plots}, our use of it. */
    public static String charts() {
        return ChartJs.source();
    }

    /** A file of ours: {@code report.css}, or one in a folder below. */
    public static String own(String name) {
        return ChartJs.resource("io/lambdafs/hammer/" + name);
    }
}
