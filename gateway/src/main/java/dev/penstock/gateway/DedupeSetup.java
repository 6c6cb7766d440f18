package dev.penstock.gateway;

import dev.penstock.dedupe.Dedupe;
import dev.penstock.dedupe.KeyLedger;
import dev.penstock.gateway.config.Chosen;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.http.HttpDedupe;
import java.util.List;

/** Builds which requests of a flow are carried once. Opens nothing. */
final class DedupeSetup {
    private DedupeSetup() {}

    static Dedupe dedupe(DedupeConfig config, KeyLedger ledger) {
        String header = config.key().value();
        Chosen<List<String>> per = config.per();
        Dedupe dedupe =
                per == null ? HttpDedupe.byHeader(header, ledger) : HttpDedupe.byHeader(header, ledger, per.value());
        return dedupe.keep(config.keep().value())
                .maxAnswer(Math.toIntExact(config.maxAnswer().value()));
    }
}
