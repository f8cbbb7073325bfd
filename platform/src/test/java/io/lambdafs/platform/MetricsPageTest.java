package io.lambdafs.platform;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MetricsPageTest {
    private static final String PAGE = """
            # HELP a_total things, of both kinds
            # TYPE a_total counter
            a_total{k="x y"} 2.0
            a_total{k="z",l="}"} 3
            # TYPE level gauge
            level 4e2

            no-value
            bad x
            # TYPE took_seconds histogram
            took_seconds_bucket{le="0.1"} 1
            took_seconds_bucket{le="+Inf"} 4 1700000000
            took_seconds_count 4
            took_seconds_sum 1.5
            """;

    private final MetricsPage page = MetricsPage.parse(PAGE);

    @Test
    void shouldSumSamplesOverLabels() {
        assertThat(page.sum("a_total")).isEqualTo(5);
        assertThat(page.sum("a_total", "k", "z")).isEqualTo(3);
        assertThat(page.sum("a_total", "l", "}")).isEqualTo(3);
        assertThat(page.sum("a_total", "k", "x")).isZero();
        assertThat(page.sum("level")).isEqualTo(400);
        assertThat(page.sum("took_seconds_bucket", "le", "+Inf")).isEqualTo(4);
        assertThat(page.sum("bad")).isZero();
        assertThat(page.has("took_seconds_sum")).isTrue();
        assertThat(page.has("took_seconds")).isFalse();
    }

    @Test
    void shouldAddPagesSampleBySample() {
        MetricsPage sum = page.plus(
                MetricsPage.parse("# TYPE a_total counter\na_total{k=\"z\",l=\"}\"} 4\na_total{k=\"w\"} 1\n"));
        assertThat(sum.sum("a_total", "k", "z")).isEqualTo(7);
        assertThat(sum.sum("a_total")).isEqualTo(10);
        assertThat(sum.sum("level")).isEqualTo(400);
        assertThat(page.sum("a_total")).isEqualTo(5);
    }

    @Test
    void shouldKeepWhatOutlastsItsInstance() {
        MetricsPage kept = page.cumulative();
        assertThat(kept.has("level")).isFalse();
        assertThat(kept.sum("a_total")).isEqualTo(5);
        assertThat(kept.sum("took_seconds_count")).isEqualTo(4);
    }

    @Test
    void shouldWriteWhatItReads() {
        assertThat(page.text())
                .contains("# HELP a_total things, of both kinds\n# TYPE a_total counter\na_total{k=\"x y\"} 2.0\n")
                .contains("# TYPE took_seconds histogram\ntook_seconds_bucket{le=\"0.1\"} 1.0\n");
        assertThat(MetricsPage.parse(page.text()).text()).isEqualTo(page.text());
        assertThat(MetricsPage.parse("").isEmpty()).isTrue();
    }

    @Test
    void shouldBeBounded() {
        StringBuilder many = new StringBuilder("# TYPE n_total counter\n");
        for (int i = 0; i < MetricsPage.MAX_SAMPLES + 10; i++) {
            many.append("n_total{i=\"").append(i).append("\"} 1\n");
        }
        MetricsPage bounded = MetricsPage.parse(many.toString());
        assertThat(bounded.sum("n_total")).isEqualTo(MetricsPage.MAX_SAMPLES);
        assertThat(bounded.plus(page).sum("a_total")).isZero();
        assertThat(bounded.plus(bounded).sum("n_total")).isEqualTo(2.0 * MetricsPage.MAX_SAMPLES);
    }
}
