package io.lambdafs.hammer;

import io.lambdafs.platform.ChartJs;

/** What pages that need nothing besides themselves are made of: our style, and Chart.js with our use of it. Stateless. */
public final class PageAssets {
    private PageAssets() {}

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

    /**
     * A page that needs nothing besides itself.
     *
     * @param title text
     * @param body HTML
     * @param machine on which it was measured, text; empty where the body says it
     * @param data JSON, which the script finds in the element {@code data}
     * @param script draws; {@link #charts} is there
     */
    public static String page(String title, String body, String machine, String data, String script) {
        // The longest last, and no marks in data: nothing that was filled in is searched for them again by accident.
        return own("frame.html")
                .replace("{{style}}", own("report.css"))
                .replace("{{title}}", escape(title))
                .replace("{{machine}}", machine.isEmpty() ? "" : escape(machine) + ". ")
                .replace("{{body}}", body)
                .replace("{{data}}", data.replace("<", "\\u003c").replace("{{", "{\\u007b"))
                .replace("{{script}}", script)
                .replace("{{charts}}", charts());
    }

    /** A file of ours: {@code report.css}, or one in a folder below. */
    public static String own(String name) {
        return ChartJs.resource("io/lambdafs/hammer/" + name);
    }
}
