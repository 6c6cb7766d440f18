package dev.penstock.gateway.config;

import dev.penstock.Setting;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where traces are sent.
 *
 * @param otlp the base URL of a receiver of OTLP over HTTP
 */
public record TelemetryConfig(Configured<URI> otlp) {
    /** The header fields of a trace, by W3C Trace Context and W3C Baggage. */
    public static final List<String> FIELDS = List.of("traceparent", "tracestate", "baggage");

    private static final Schema KEYS = Schema.of("telemetry", "telemetry: { otlp: \"http://127.0.0.1:4318\" }");
    private static final Key<URI> OTLP = KEYS.key(
                    "otlp",
                    KeyType.text("an http or https URL", TargetUrl::read),
                    "the receiver of traces, over OTLP/HTTP; /v1/traces is appended")
            .required("otlp: \"http://127.0.0.1:4318\"")
            .alias("endpoint url collector");

    /** The key {@code telemetry} of the file. */
    public static final Key<TelemetryConfig> KEY = Key.of(
                    "telemetry",
                    KeyType.keys(KEYS, TelemetryConfig::read),
                    "sends traces of all flows, by OpenTelemetry's protocol")
            .without("no traces; their header fields pass unchanged")
            .alias("opentelemetry otel tracing traces");

    private static @Nullable TelemetryConfig read(ConfigMapping telemetry) {
        Configured<URI> otlp = telemetry.find(OTLP);
        return otlp == null ? null : new TelemetryConfig(otlp);
    }

    /** The URL, as a setting. */
    public Setting setting() {
        String url = otlp.value().toString();
        return OTLP.setting("telemetry.", url, "traces are sent to " + traces(), Instant.now(), otlp);
    }

    /** The URL that traces are sent to. */
    public String traces() {
        return otlp.value().toString().replaceFirst("/+$", "") + "/v1/traces";
    }
}
