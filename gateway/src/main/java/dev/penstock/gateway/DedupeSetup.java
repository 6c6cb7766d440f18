package dev.penstock.gateway;

import dev.penstock.dedupe.Dedupe;
import dev.penstock.dedupe.IdempotencyStore;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.http.HttpDedupe;
import dev.penstock.jdbc.JdbcDedupe;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds the dedupe stage to a flow, if configured. Opens nothing. */
final class DedupeSetup {
    private DedupeSetup() {}

    static void overHttp(FlowConfig config, @Nullable IdempotencyStore store, FlowBuilder<Object> stages) {
        DedupeConfig dedupe = config.dedupe();
        if (dedupe != null && store != null) {
            String header = dedupe.key().value();
            Configured<List<String>> per = dedupe.per();
            add(
                    per == null ? HttpDedupe.byHeader(header, store) : HttpDedupe.byHeader(header, store, per.value()),
                    dedupe,
                    stages);
        }
    }

    static void overJdbc(FlowConfig config, @Nullable IdempotencyStore store, FlowBuilder<Object> stages) {
        DedupeConfig dedupe = config.dedupe();
        if (dedupe != null && store != null) {
            Configured<List<String>> per = dedupe.per();
            add(JdbcDedupe.byKey(dedupe.key().value(), store, per == null ? List.of() : per.value()), dedupe, stages);
        }
    }

    private static void add(Dedupe<?> dedupe, DedupeConfig config, FlowBuilder<Object> stages) {
        Dedupe<?> configured = dedupe.storeOrigin(config.store().origin());
        if (config.keep().inFile()) {
            configured = configured.keep(config.keep().value());
        }
        if (config.maxAnswer().inFile()) {
            configured = configured.maxAnswer(Math.toIntExact(config.maxAnswer().value()));
        }
        stages.dedupe(configured);
    }
}
