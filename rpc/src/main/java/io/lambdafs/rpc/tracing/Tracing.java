package io.lambdafs.rpc.tracing;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates and exports a process's spans. Configured by OpenTelemetry's environment variables or the equivalent system
 * properties: {@code OTEL_EXPORTER_OTLP_ENDPOINT}, the address of an OTLP/HTTP collector, without which tracing is off;
 * {@code OTEL_TRACES_SAMPLER_ARG}, the share of the requests starting here to trace, 0–1, 1 by default; {@code
 * OTEL_SERVICE_NAME}. Thread-safe.
 */
public interface Tracing {
    /** The system property equivalent to the variable. */
    String ENDPOINT = "otel.exporter.otlp.endpoint";

    /** The component that creates a span: the name of its instrumentation scope. */
    enum Part {
        CLIENT,
        GATEWAY,
        NAMENODE,
        /** An instance's message to the store. */
        STORE
    }

    /** Starts the first span of a request, as a child of the application's current span if any; null if not sampled. */
    @Nullable
    Traced first(String name);

    /** Starts a child span; null if tracing is off. */
    @Nullable
    Traced below(TraceParent parent, Part part, String name);

    /** Returns this process's tracing. */
    static Tracing process() {
        return Holder.PROCESS;
    }

    /** Returns whether the environment names a collector. */
    static boolean isAsked() {
        return !Holder.value(ENDPOINT, "").isEmpty();
    }

    /** Creates no spans and no garbage. */
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

    /** Created on first use. */
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
