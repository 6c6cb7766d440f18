package dev.penstock.gateway;

import dev.penstock.IdempotencyStore;
import dev.penstock.IdempotencyStore.Claim;
import dev.penstock.IdempotencyStore.KeyRequest;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.status.GatewayStore;
import dev.penstock.gateway.status.StatusJson;
import dev.penstock.gateway.status.StatusSetup;
import dev.penstock.gateway.status.StatusStore;
import dev.penstock.gateway.status.TransactionIds;
import dev.penstock.text.Durations;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a transaction in the stores of a gateway: the keys of dedupe, the outcomes of transactions that pass a queue, and dead
 * letters. Changes nothing.
 */
record StoredTransactions(GatewayConfig config, GatewayStore store, List<GatewayFlow> flows) {
    /** A sentence for each that is found, and for each store that cannot be asked. */
    List<String> find(String text, @Nullable String only) {
        List<String> found = new ArrayList<>();
        for (GatewayFlow flow : flows) {
            if (only == null || only.equals(flow.name())) {
                ask(found, "key store", flow.name(), () -> key(flow.config(), text));
                ask(found, "status store", flow.name(), () -> status(flow.config(), text));
                ask(found, "dead letters", flow.name(), () -> flow.source().deadLetter(text));
            }
        }
        return found.stream().distinct().toList();
    }

    private interface Question {
        @Nullable
        String answer() throws Exception;
    }

    private static void ask(List<String> found, String where, String flow, Question question) {
        try {
            String answer = question.answer();
            if (answer != null) {
                found.add(where + " of flow " + flow + ": " + answer);
            }
        } catch (Exception unavailable) {
            found.add(where + " of flow " + flow + ": not available now");
        }
    }

    private @Nullable String key(FlowConfig flow, String key) throws Exception {
        DedupeConfig dedupe = flow.dedupe();
        if (dedupe == null) {
            return null;
        }
        if (dedupe.per(config.callerHeaders(flow)).per() != null) {
            return "each caller has keys of its own, which cannot be searched";
        }
        IdempotencyStore keys = store.get();
        return switch (keys.find(KeyRequest.named(flow.name(), key))) {
            case null -> null;
            case Claim.Ended _ -> "a transaction with this key has ended; repeats get its outcome";
            case Claim.Running running ->
                "a transaction with this key is in progress, for at most another " + Durations.format(running.left());
            case Claim.Lapsed _ -> "the outcome of this key is unknown: its process may have died";
            case Claim.Claimed _ -> null;
        };
    }

    private @Nullable String status(FlowConfig flow, String id) throws Exception {
        StatusStore statuses = TransactionIds.isValid(id) ? StatusSetup.store(flow, config, store) : null;
        byte[] found = statuses == null ? null : statuses.find(id);
        return found == null ? null : StatusJson.describe(found);
    }
}
