package dev.penstock.gateway.http;

import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Warns about a flow whose path is below the path of another flow with different guarantees. A request for the same
 * target resource may then be processed with the guarantees of either flow.
 */
final class NestingWarnings {
    private NestingWarnings() {}

    static void check(GatewayConfig config, ConfigProblems warnings) {
        List<FlowConfig> flows = config.flows().stream()
                .filter(flow -> flow.from() instanceof HttpFrom)
                .toList();
        for (FlowConfig inner : flows) {
            FlowConfig outer = enclosing(inner, flows);
            if (outer != null) {
                compare(outer, inner, warnings);
            }
        }
    }

    /** The flow that would receive the requests of {@code inner} if {@code inner} did not exist; null for none. */
    private static @Nullable FlowConfig enclosing(FlowConfig inner, List<FlowConfig> flows) {
        FlowConfig nearest = null;
        for (FlowConfig outer : flows) {
            if (isUnder(http(inner), http(outer))
                    && (nearest == null
                            || http(outer).base().length()
                                    > http(nearest).base().length())) {
                nearest = outer;
            }
        }
        return nearest;
    }

    private static HttpFrom http(FlowConfig flow) {
        return (HttpFrom) flow.from();
    }

    /** Ignores case, because the target may. */
    private static boolean isUnder(HttpFrom inner, HttpFrom outer) {
        String path = inner.withSlash().toLowerCase(Locale.ROOT);
        String above = outer.withSlash().toLowerCase(Locale.ROOT);
        return path.length() > above.length()
                && path.startsWith(above)
                && Addresses.samePort(inner.port(), outer.port())
                && Addresses.same(inner.host().value(), outer.host().value());
    }

    private static void compare(FlowConfig outer, FlowConfig inner, ConfigProblems warnings) {
        List<String> different = new ArrayList<>();
        differ("auth", http(outer).auth() != null, http(inner).auth() != null, different);
        differ("dedupe", dedupe(outer), dedupe(inner), different);
        differ("settle", outer.settle() != null, inner.settle() != null, different);
        differ("retry.key", retryKey(outer), retryKey(inner), different);
        differ("a queue as its target", outer.to().isQueue(), inner.to().isQueue(), different);
        if (!different.isEmpty()) {
            warnings.add(
                    http(inner).path().location(),
                    "the path of flow '" + inner.name() + "', "
                            + http(inner).base() + ", is below that of flow '"
                            + outer.name() + "', " + http(outer).base() + ", which differs in "
                            + String.join(" and ", different)
                            + ", so a request to another path of the same target resource gets different guarantees; give both flows the same settings, or paths that do not nest");
        }
    }

    private static void differ(String what, @Nullable Object outer, @Nullable Object inner, List<String> different) {
        if (outer == null ? inner != null : !outer.equals(inner)) {
            different.add(what);
        }
    }

    private static @Nullable String dedupe(FlowConfig flow) {
        return flow.dedupe() == null ? null : flow.dedupe().key().value().toLowerCase(Locale.ROOT);
    }

    private static @Nullable String retryKey(FlowConfig flow) {
        return flow.retry() == null || flow.retry().key() == null
                ? null
                : flow.retry().key().value().toLowerCase(Locale.ROOT);
    }
}
