package dev.penstock.gateway.telemetry;

import dev.penstock.Keyed;
import dev.penstock.Observation.Observer;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.TelemetryConfig;
import dev.penstock.http.HttpCall;
import dev.penstock.observe.RequestReader;
import dev.penstock.observe.Traces;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends the traces of a gateway to a receiver of OTLP over HTTP, from a bounded queue: while the receiver is down, spans are dropped and
 * counted, and no transaction waits.
 *
 * <p>The sampler and the name of the service are those of OpenTelemetry's environment variables {@code OTEL_TRACES_SAMPLER},
 * {@code OTEL_TRACES_SAMPLER_ARG} and {@code OTEL_SERVICE_NAME}.
 */
public final class Telemetry implements AutoCloseable {
    private static final int QUEUE = 8192;
    private static final Duration DELAY = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int CLOSE_SECONDS = 3;
    /** A batch has a link to each of its transactions; the default would be 128. */
    private static final int LINKS = 10_000;

    private final OpenTelemetrySdk sdk;
    private final CountedExporter exporter;
    private final Traces traces;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Telemetry(OpenTelemetrySdk sdk, CountedExporter exporter) {
        this.sdk = sdk;
        this.exporter = exporter;
        this.traces = Traces.of(sdk);
    }

    /**
     * Starts to send. Connects when there are spans.
     *
     * @throws IOException an environment variable has no valid value; the message says what to do
     */
    public static Telemetry start(TelemetryConfig config) throws IOException {
        return start(config, System.getenv());
    }

    static Telemetry start(TelemetryConfig config, Map<String, String> environment) throws IOException {
        CountedExporter exporter = new CountedExporter(
                OtlpHttpSpanExporter.builder()
                        .setEndpoint(config.traces())
                        .setTimeout(TIMEOUT)
                        .build(),
                config.traces());
        String service = environment.getOrDefault("OTEL_SERVICE_NAME", "penstock");
        SdkTracerProvider tracers = SdkTracerProvider.builder()
                .setResource(Resource.getDefault()
                        .merge(Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), service))))
                .setSampler(sampler(environment))
                .setSpanLimits(SpanLimits.builder().setMaxNumberOfLinks(LINKS).build())
                .addSpanProcessor(exporter.counter())
                .addSpanProcessor(BatchSpanProcessor.builder(exporter)
                        .setMaxQueueSize(QUEUE)
                        .setScheduleDelay(DELAY)
                        .build())
                .build();
        OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
                .setTracerProvider(tracers)
                .setPropagators(ContextPropagators.create(TextMapPropagator.composite(
                        W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance())))
                .build();
        return new Telemetry(sdk, exporter);
    }

    /** The default is {@code parentbased_always_on}. */
    static Sampler sampler(Map<String, String> environment) throws IOException {
        String name = environment.getOrDefault("OTEL_TRACES_SAMPLER", "parentbased_always_on");
        String ratio = environment.getOrDefault("OTEL_TRACES_SAMPLER_ARG", "1");
        String root = name.replaceFirst("^parentbased_", "");
        try {
            Sampler sampler = switch (root) {
                case "always_on" -> Sampler.alwaysOn();
                case "always_off" -> Sampler.alwaysOff();
                case "traceidratio" -> Sampler.traceIdRatioBased(Double.parseDouble(ratio));
                default -> throw new IllegalArgumentException("unknown sampler");
            };
            return root.equals(name) ? sampler : Sampler.parentBased(sampler);
        } catch (IllegalArgumentException wrong) {
            throw new IOException(
                    "OTEL_TRACES_SAMPLER is '" + name + "', its argument '" + ratio
                            + "'; set it to always_on, always_off or traceidratio, or one of these after parentbased_,"
                            + " and OTEL_TRACES_SAMPLER_ARG to a ratio such as 0.01",
                    wrong);
        }
    }

    /** Traces the transactions of a flow. */
    public Observer observer(FlowConfig flow) {
        CallReader reader = CallReader.of(flow);
        return traces.kind(reader.kind()).reading(reader);
    }

    /** Sends what is left, for a few seconds at most. Idempotent. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        sdk.shutdown().join(CLOSE_SECONDS, TimeUnit.SECONDS);
        exporter.report();
    }

    /**
     * Reads the requests of flows.
     *
     * @param kind the kind of transactions
     * @param scheme of the URLs of its source
     */
    private record CallReader(SpanKind kind, String scheme) implements RequestReader {
        static CallReader of(FlowConfig flow) {
            SpanKind kind = switch (flow.from().kind()) {
                case "http" -> SpanKind.SERVER;
                case "jms" -> SpanKind.CONSUMER;
                default -> SpanKind.INTERNAL;
            };
            FlowConfig.Listener listener = flow.from().listener();
            return new CallReader(kind, listener == null || listener.tls() == null ? "http" : "https");
        }

        @Override
        public @Nullable String field(Object request, String name) {
            return switch (request) {
                case HttpCall call -> call.headers().first(name);
                case Keyed other -> other.key(name);
                default -> null;
            };
        }

        @Override
        public void describe(Object request, BiConsumer<String, Object> attributes) {
            if (kind == SpanKind.SERVER && request instanceof HttpCall call) {
                call.describe(attributes);
                attributes.accept("url.scheme", scheme);
            }
        }
    }
}
