package io.lambdafs.rpc.tracing;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a process's spans go. By OpenTelemetry's own variables, or system properties of the same meaning: {@code OTEL_EXPORTER_OTLP_ENDPOINT}, the
 * address of a collector that takes OTLP by HTTP, without which all this is off; {@code OTEL_TRACES_SAMPLER_ARG}, which share of the requests that
 * begin here is traced, 0–1, 1 by default; {@code OTEL_SERVICE_NAME}. Thread-safe.
 */
public interface Tracing {
    /** Of the variable, as a system property. */
    String ENDPOINT = "otel.exporter.otlp.endpoint";

    /** Who makes a span: the name of its instrumentation scope. */
    enum Part {
        CLIENT,
        GATEWAY,
        NAMENODE,
        /** An instance's message to the store. */
        STORE
    }

    /** Begins the first span of a request, below the application's current one if there is any; null where it is not sampled. */
    @Nullable
    Traced first(String name);

    /** Begins a span below another; null where tracing is off. */
    @Nullable
    Traced below(TraceParent parent, Part part, String name);

    /** This process's. */
    static Tracing process() {
        return Holder.PROCESS;
    }

    /** Whether the environment names a collector. */
    static boolean isAsked() {
        return !Holder.value(ENDPOINT, "").isEmpty();
    }

    /** Makes no spans, and no garbage. */
    Tracing OFF = new Tracing() {
        @Override
        public @Nullable Traced first(String name) {
            return null;
        }

        @Override
        public @Nullable Traced below(TraceParent parent, Part part, String name) {
            return null;
        }
    };

    /** Made when the first one asks. */
    final class Holder {
        private static final Logger LOG = LoggerFactory.getLogger(Tracing.class);
        private static final Tracing PROCESS = ofEnvironment();

        private Holder() {}

        static String value(String property, String otherwise) {
            String given = System.getProperty(property);
            if (given == null) {
                given = System.getenv(
                        property.toUpperCase(java.util.Locale.ROOT).replace('.', '_'));
            }
            return given == null ? otherwise : given.strip();
        }

        private static Tracing ofEnvironment() {
            String endpoint = value(ENDPOINT, "");
            if (endpoint.isEmpty()) {
                return OFF;
            }
            try {
                double share = Double.parseDouble(value("otel.traces.sampler.arg", "1"));
                return new OtlpTracing(endpoint, share, value("otel.service.name", "lambdafs"));
            } catch (RuntimeException e) {
                LOG.warn("Requests are not traced: OpenTelemetry does not take its settings: {}", e.getMessage());
            } catch (LinkageError e) {
                LOG.warn(
                        "Requests are not traced: opentelemetry-exporter-otlp is not on the class path ({})",
                        e.toString());
            }
            return OFF;
        }
    }
}
