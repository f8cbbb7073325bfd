package io.lambdafs.platform.local.dashboard;

import io.lambdafs.platform.ChartJs;
import io.lambdafs.rpc.http.HttpReply;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The dashboard's page, which loads nothing but the events. Created on the first request. Thread-safe. */
final class DashboardPage {
    private static final String FOLDER = "io/lambdafs/platform/";

    private static final class Whole {
        static final byte[] HTML = ChartJs.resource(FOLDER + "dashboard.html")
                .replace("{{style}}", ChartJs.resource(FOLDER + "report.css"))
                .replace("{{script}}", ChartJs.resource(FOLDER + "dashboard.js"))
                .replace("{{charts}}", ChartJs.source())
                .getBytes(StandardCharsets.UTF_8);
    }

    private DashboardPage() {}

    static HttpReply reply() {
        return new HttpReply(
                200,
                "text/html; charset=utf-8",
                Whole.HTML.clone(),
                Map.of("Cache-Control", "no-store", "Referrer-Policy", "no-referrer", "X-Frame-Options", "DENY"));
    }
}
