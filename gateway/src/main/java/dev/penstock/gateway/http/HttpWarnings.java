package dev.penstock.gateway.http;

import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import org.jspecify.annotations.Nullable;

/** Warns about HTTP settings that are valid but probably unintended. */
final class HttpWarnings {
    private HttpWarnings() {}

    static void source(FlowConfig flow, HttpFrom from, ConfigProblems warnings) {
        Addresses.warnUnprotected("flow '" + flow.name() + "' listens", from.host(), warnings);
        idempotentWithoutRetry(flow, warnings);
    }

    private static void idempotentWithoutRetry(FlowConfig flow, ConfigProblems warnings) {
        if (flow.idempotent().value() && flow.retry() == null) {
            warnings.add(
                    flow.idempotent().location(),
                    "flow '" + flow.name()
                            + "' is idempotent but has no retry; add for instance retry: { attempts: 3 }");
        }
    }

    /** Requests with a key are not batched unless the key is in the body too. */
    static void target(FlowConfig flow, ConfigProblems warnings) {
        String header = identifyingHeader(flow);
        if (!(flow.collapse() instanceof HttpCollapse collapse) || collapse.inBody() != null || header == null) {
            return;
        }
        warnings.add(
                collapse.location(),
                "requests of flow '" + flow.name() + "' with the header " + header
                        + " are not batched, because a batch cannot carry one header per request; "
                        + (collapse.get() == null
                                ? "if the request bodies contain the value too, name that JSON member, for instance in_body: reference"
                                : "GET requests do not need it"));
    }

    private static @Nullable String identifyingHeader(FlowConfig flow) {
        RetryConfig retry = flow.retry();
        Configured<String> key = retry == null ? null : retry.key();
        if (key != null) {
            return key.value();
        }
        if (flow.settle() != null) {
            return flow.settle().references().getFirst();
        }
        return flow.dedupe() == null ? null : flow.dedupe().key().value();
    }
}
