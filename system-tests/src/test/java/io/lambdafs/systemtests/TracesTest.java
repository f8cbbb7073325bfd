package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cluster.process.JavaCommand;
import io.lambdafs.systemtests.SpanSink.Span;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The processes of a real cluster and its client send their spans to one collector, where each names the one above it. */
class TracesTest {
    @TempDir
    private Path folder;

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void shouldFollowARequestFromTheClientByGatewayAndInstanceToTheStore() throws Exception {
        try (SpanSink sink = new SpanSink()) {
            List<String> command = JavaCommand.measuring(TracedProgram.class, 256, JavaCommand.classPath());
            command.add(folder.resolve("c").toString());
            Path log = folder.resolve("log");
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
            builder.environment().put("OTEL_EXPORTER_OTLP_ENDPOINT", sink.address());
            Process program = builder.start();
            try {
                assertThat(program.waitFor()).as(Files.readString(log)).isZero();
            } finally {
                program.destroyForcibly();
            }
            List<Span> spans = sink.spans();
            Span create = only(spans, "io.lambdafs.client", "create");
            assertThat(create.parent()).isEmpty();
            // No instance is connected yet: the first call goes through the gateway.
            Span gateway = below(spans, create, "io.lambdafs.gateway");
            Span instance = below(spans, gateway, "io.lambdafs.namenode");
            assertThat(gateway.name()).startsWith("namenode");
            assertThat(instance.name()).isEqualTo("create");
            Span commit = below(spans, instance, "io.lambdafs.store");
            assertThat(commit.name()).isIn("read", "commit");
            List<Span> stats = spans.stream()
                    .filter(span -> span.scope().equals("io.lambdafs.client")
                            && span.name().equals("stat"))
                    .toList();
            assertThat(stats)
                    .hasSize(2)
                    .allSatisfy(stat -> assertThat(spans).anySatisfy(span -> {
                        assertThat(span.trace()).isEqualTo(stat.trace());
                        assertThat(span.scope()).isEqualTo("io.lambdafs.namenode");
                        assertThat(span.name()).isEqualTo("stat");
                    }));
        }
    }

    private static Span only(List<Span> spans, String scope, String name) {
        return spans.stream()
                .filter(span -> span.scope().equals(scope) && span.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no span " + name + " of " + scope + " in " + spans));
    }

    private static Span below(List<Span> spans, Span above, String scope) {
        return spans.stream()
                .filter(span -> span.parent().equals(above.id())
                        && span.trace().equals(above.trace())
                        && span.scope().equals(scope))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no span of " + scope + " below " + above + " in " + spans));
    }
}
