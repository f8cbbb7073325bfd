package io.lambdafs.platform.local.dashboard;

import io.lambdafs.model.Sha256;
import io.lambdafs.platform.ChartJs;
import io.lambdafs.rpc.http.HttpReply;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/**
 * The dashboard's page, which loads nothing but the events. Its policy names its scripts and its style by their digests,
 * so that no other runs. Created on the first request. Thread-safe.
 */
final class DashboardPage {
    private static final String FOLDER = "io/lambdafs/platform/";

    private static final class Whole {
        private static final String PAGE = ChartJs.resource(FOLDER + "dashboard.html");
        private static final Map<String, String> PARTS = Map.of(
                "{{style}}", ChartJs.resource(FOLDER + "report.css"),
                "{{script}}", ChartJs.resource(FOLDER + "dashboard.js"),
                "{{charts}}", ChartJs.source());

        static final String POLICY = "default-src 'none'; script-src " + digest("<script>", "{{charts}}", "</script>")
                + " " + digest("<script>", "{{script}}", "</script>") + "; style-src "
                + digest("<style>", "{{style}}", "</style>")
                + "; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
        static final byte[] HTML = whole(PAGE).getBytes(StandardCharsets.UTF_8);

        private static String whole(String text) {
            String whole = text;
            for (Map.Entry<String, String> part : PARTS.entrySet()) {
                whole = whole.replace(part.getKey(), part.getValue());
            }
            return whole;
        }

        /** Returns the digest of the element with a part in it, as policies name it. */
        private static String digest(String opening, String part, String closing) {
            int at = PAGE.indexOf(part);
            int from = PAGE.lastIndexOf(opening, at) + opening.length();
            byte[] digest = Sha256.of(whole(PAGE.substring(from, PAGE.indexOf(closing, at))));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        }
    }

    private DashboardPage() {}

    static HttpReply reply() {
        return new HttpReply(
                200,
                "text/html; charset=utf-8",
                Whole.HTML.clone(),
                Map.of(
                        "Cache-Control",
                        "no-store",
                        "Content-Security-Policy",
                        Whole.POLICY,
                        "Referrer-Policy",
                        "no-referrer",
                        "X-Content-Type-Options",
                        "nosniff",
                        "X-Frame-Options",
                        "DENY"));
    }
}
