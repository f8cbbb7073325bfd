package io.lambdafs.hammer.grid;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lambdafs.hammer.result.Latency;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each figure of a grid stands under its name, in every form. */
final class GridFiguresTest {
    @TempDir
    private Path folder;

    private static GridReport report() {
        Setup setup = new Setup(
                "mine",
                "a setup",
                JsonNodeFactory.instance.objectNode(),
                cluster -> {
                    throw new IllegalStateException("no client is needed of " + cluster.directory());
                },
                2.5,
                true);
        Latency latency = new Latency(800, 11_500, 12_000, 13_000, 14_000, 15_000, 16_000, List.of());
        return new GridReport("g", "a grid", "")
                .of(List.of(new GridRow(setup, GridOp.STAT, 17, latency, 200, 2, 18, 0.001)), 1);
    }

    @Test
    void shouldStandUnderTheirNames() throws Exception {
        report().write(folder);
        assertThat(Files.readAllLines(folder.resolve("g.csv")))
                .containsExactly(
                        "setup,vcpu,op,clients,operations,failed,seconds,opsPerSecond,meanMicros,p50Micros,p99Micros,p999Micros,"
                                + "instances,usd,millionsPerUsd",
                        "mine,2.5,stat,17,1000,200,2.0,400.0,11500.0,12000,14000,15000,18,0.001,0.8");
        assertThat(Files.readString(folder.resolve("g.html")))
                .contains("mine</th><td>stat</td><td>17</td><td>400</td><td>11.500</td><td>12.000</td><td>14.00</td>"
                        + "<td>15.00</td><td>18</td><td>0.80</td><td>200</td>");
        assertThat(report().text().replaceAll(" +", " "))
                .contains(
                        "setup op clients ops/s mean ms p50 ms p99 ms p99.9 ms instances M ops/$ failed",
                        "mine stat 17 400 11.500 12.000 14.00 15.00 18 0.80 200");
    }
}
