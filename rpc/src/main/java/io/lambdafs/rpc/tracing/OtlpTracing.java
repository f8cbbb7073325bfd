package io.lambdafs.rpc.tracing;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends spans to a collector by OTLP over HTTP, in batches, on its own thread; drops spans if the collector is slow.
 */
final class OtlpTracing implements Tracing {
    private static final String PATH = "/v1/traces";
    private static final Duration BATCH_EVERY = Duration.ofSeconds(1);
    private static final long LAST_SECONDS = 2;

    private final Map<Part, Tracer> tracers = new EnumMap<>(Part.class);

    /**
     * Starts sending.
     *
     * @param endpoint the collector's address, without the path of traces
     * @param share of the requests starting here to trace, 0–1
     */
    OtlpTracing(String endpoint, double share, String service) {
        String address = endpoint.endsWith("/") ? endpoint.substring(0, endpoint.length() - 1) : endpoint;
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .setResource(Resource.getDefault()
                        .merge(Resource.create(Attributes.builder()
                                .put("service.name", service)
                                .put("process.pid", ProcessHandle.current().pid())
                                .build())))
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(share)))
                .addSpanProcessor(BatchSpanProcessor.builder(OtlpHttpSpanExporter.builder()
                                .setEndpoint(address + PATH)
                                .build())
                        .setScheduleDelay(BATCH_EVERY)
                        .build())
                .build();
        for (Part part : Part.values()) {
            tracers.put(part, provider.get("io.lambdafs." + part.name().toLowerCase(Locale.ROOT)));
        }
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> provider.shutdown().join(LAST_SECONDS, TimeUnit.SECONDS), "last-spans"));
    }

    @Override
    public @Nullable Traced first(String name) {
        return of(span(Context.current(), Part.CLIENT, name));
    }

    @Override
    public @Nullable Traced below(TraceParent parent, Part part, String name) {
        SpanContext above = SpanContext.createFromRemoteParent(
                TraceParent.hex(parent.high()) + TraceParent.hex(parent.low()),
                TraceParent.hex(parent.span()),
                TraceFlags.getSampled(),
                TraceState.getDefault());
        return of(span(Context.root().with(Span.wrap(above)), part, name));
    }

    private Span span(Context above, Part part, String name) {
        Tracer tracer = tracers.get(part);
        if (tracer == null) {
            return Span.getInvalid();
        }
        boolean serves = part == Part.GATEWAY || part == Part.NAMENODE;
        return tracer.spanBuilder(name)
                .setParent(above)
                .setSpanKind(serves ? SpanKind.SERVER : SpanKind.CLIENT)
                .startSpan();
    }

    private static @Nullable Traced of(Span span) {
        return span.getSpanContext().isSampled() ? new Begun(span) : null;
    }

    private record Begun(Span span) implements Traced {
        @Override
        public TraceParent context() {
            SpanContext context = span.getSpanContext();
            return new TraceParent(
                    Long.parseUnsignedLong(context.getTraceId().substring(0, 16), 16),
                    Long.parseUnsignedLong(context.getTraceId().substring(16), 16),
                    Long.parseUnsignedLong(context.getSpanId(), 16));
        }

        @Override
        public void end(@Nullable String error) {
            if (error != null) {
                span.setStatus(StatusCode.ERROR, error);
            }
            span.end();
        }
    }
}
