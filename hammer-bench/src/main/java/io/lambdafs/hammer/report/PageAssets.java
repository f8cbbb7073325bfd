package io.lambdafs.hammer.report;

import io.lambdafs.platform.ChartJs;

/** The parts of self-contained pages: our style, and Chart.js with our use of it. Stateless. */
public final class PageAssets {
    private PageAssets() {}

    /** Escapes text for HTML. */
    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                // Data must not contain the template's placeholders.
                .replace("{{", "{&#123;");
    }

    /** Returns a page's notice that a measurement is incomplete; empty if {@code unfinished} is empty. */
    public static String state(String unfinished) {
        return unfinished.isEmpty()
                ? ""
                : "<p class=\"unfinished\"><strong>Unfinished:</strong> " + escape(unfinished) + ".</p>";
    }

    /** Returns the scripts that draw the plots: Chart.js, and {@code plots}, our use of it. */
    public static String charts() {
        return ChartJs.source();
    }

    /**
     * Returns a self-contained page.
     *
     * @param title text
     * @param body HTML
     * @param machine the measured machine, text; empty if the body names it
     * @param data JSON, which the script finds in the element {@code data}
     * @param script draws the plots; {@link #charts} is available to it
     */
    public static String page(String title, String body, String machine, String data, String script) {
        // The longest comes last, and data has no placeholders, so filled-in text is never taken for one.
        return own("frame.html")
                .replace("{{style}}", own("report.css"))
                .replace("{{title}}", escape(title))
                .replace("{{machine}}", machine.isEmpty() ? "" : escape(machine) + ". ")
                .replace("{{body}}", body)
                .replace("{{data}}", data.replace("<", "\\u003c").replace("{{", "{\\u007b"))
                .replace("{{script}}", script)
                .replace("{{charts}}", charts());
    }

    /** Reads one of our resources: {@code report.css}, or a file in a folder below. */
    public static String own(String name) {
        return ChartJs.resource("io/lambdafs/hammer/" + name);
    }
}
