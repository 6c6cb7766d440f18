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

/** Adds to the stages of a flow that requests with a key are carried once, if the file asks for it. Opens nothing. */
final class DedupeSetup {
    private DedupeSetup() {}

    static void overHttp(FlowConfig config, @Nullable IdempotencyStore ledger, FlowBuilder stages) {
        DedupeConfig dedupe = config.dedupe();
        if (dedupe != null && ledger != null) {
            String header = dedupe.key().value();
            Configured<List<String>> per = dedupe.per();
            add(
                    per == null
                            ? HttpDedupe.byHeader(header, ledger)
                            : HttpDedupe.byHeader(header, ledger, per.value()),
                    dedupe,
                    stages);
        }
    }

    static void atDatabase(FlowConfig config, @Nullable IdempotencyStore ledger, FlowBuilder stages) {
        DedupeConfig dedupe = config.dedupe();
        if (dedupe != null && ledger != null) {
            Configured<List<String>> per = dedupe.per();
            add(JdbcDedupe.byKey(dedupe.key().value(), ledger, per == null ? List.of() : per.value()), dedupe, stages);
        }
    }

    private static void add(Dedupe dedupe, DedupeConfig config, FlowBuilder stages) {
        Dedupe all = dedupe.storeOrigin(config.store().origin());
        if (config.keep().inFile()) {
            all = all.keep(config.keep().value());
        }
        if (config.maxAnswer().inFile()) {
            all = all.maxAnswer(Math.toIntExact(config.maxAnswer().value()));
        }
        stages.dedupe(all);
    }
}
