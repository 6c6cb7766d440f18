package dev.penstock.gateway.http;

import static dev.penstock.gateway.config.Rule.fileError;
import static dev.penstock.gateway.config.Rule.fileWarning;
import static dev.penstock.gateway.config.Rule.flowError;
import static dev.penstock.gateway.config.Rule.flowWarning;

import dev.penstock.gateway.config.CallersConfig;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.Rule;
import dev.penstock.gateway.config.SettleConfig;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What must hold between the keys of HTTP sources and targets and others. */
final class HttpRules {
    static final List<Rule<?>> ALL = List.of(
            flowError("several servers have names, and take no batches", "to.http.url collapse", HttpRules::servers),
            flowError(
                    "client certificates are verified",
                    "from.http.auth.mtls from.http.tls.client_ca",
                    HttpRules::callersWithCertificates),
            flowError("shares are of callers over HTTP", "callers", HttpRules::callersOfOthers),
            fileError(
                    "flows on one port have paths of their own, equal limits of connections, and the same certificates",
                    "from.http.port from.http.host from.http.path from.http.idle_time from.http.max_connections"
                            + " from.http.trusted_proxies from.http.proxy_protocol from.http.tls",
                    SharedPorts::check),
            fileError("the path of a status page is free", "from.http.path status", HttpRules::statusPath),
            fileError("a pool fits into the total", "pool.max", HttpRules::poolTotal),
            flowWarning("idempotent requests are retried", "idempotent retry", HttpRules::idempotentWithoutRetry),
            flowWarning(
                    "requests with a key are batched",
                    "collapse.in_body retry.key settle dedupe",
                    HttpRules::unbatched),
            flowWarning(
                    "a status query finds only a transaction of its caller",
                    "settle.url settle.headers to.http.headers",
                    HttpRules::statusOfOthers),
            fileWarning(
                    "nested paths have equal guarantees",
                    "from.http.path from.http.auth dedupe settle retry.key",
                    NestingWarnings::check));

    /** The flow of a server is named after it, with a number. */
    private static final int LONGEST_NAME = 61;

    private HttpRules() {}

    private static void servers(FlowConfig flow, ConfigProblems problems) {
        if (!(flow.to() instanceof HttpTo to) || to.endpoints() == 1) {
            return;
        }
        if (flow.collapse() != null) {
            problems.add(
                    to.url().location(),
                    "'to.http.url' of flow '" + flow.name()
                            + "' is a list, which is combined with collapse; write one URL, or remove collapse");
        }
        if (flow.name().length() > LONGEST_NAME) {
            problems.add(
                    to.url().location(),
                    "the name of flow '" + flow.name() + "' is too long for several servers; write at most "
                            + LONGEST_NAME + " characters");
        }
    }

    private static void callersOfOthers(FlowConfig flow, ConfigProblems problems) {
        CallersConfig callers = flow.callers();
        if (callers != null && !(flow.from() instanceof HttpFrom)) {
            problems.add(
                    callers.location(),
                    "'callers' of flow '" + flow.name()
                            + "' limits callers over HTTP, but it has no from.http; remove it, or limit them in the flow that calls it");
        }
    }

    private static void callersWithCertificates(FlowConfig flow, ConfigProblems problems) {
        if (flow.from() instanceof HttpFrom from
                && from.auth() != null
                && from.auth().hasCertificates()
                && (from.tls() == null || !from.tls().value().verifiesClients())) {
            problems.add(
                    from.auth().location(),
                    "'from.http.auth' of flow '" + flow.name()
                            + "' has mtls, but its callers present no certificate; add tls: { certificate: server.pem, key: server.key, client_ca: clients.pem }");
        }
    }

    /** The status page of a flow is on the port of its source. */
    private static void statusPath(GatewayConfig config, ConfigProblems problems) {
        for (FlowConfig flow : config.flows()) {
            if (flow.from() instanceof HttpFrom at && config.hasStatusPage(flow)) {
                config.flows().stream()
                        .map(other -> other.from() instanceof HttpFrom http ? http : null)
                        .filter(other -> other != null
                                && Objects.equals(
                                        other.port().value(), at.port().value())
                                && other.base().equals(FlowConfig.STATUS_PATH))
                        .findFirst()
                        .ifPresent(other -> problems.add(
                                other.path().location(),
                                "'from.http.path' is " + FlowConfig.STATUS_PATH + ", where port "
                                        + at.port().value()
                                        + " serves the transaction status of flow '" + flow.name()
                                        + "'; give it another path or port"));
            }
        }
    }

    private static void poolTotal(GatewayConfig config, ConfigProblems problems) {
        Configured<Integer> total = config.poolTotal();
        for (FlowConfig flow : config.flows()) {
            Configured<Integer> max = flow.to().pool().max();
            if (total != null && max != null && flow.to() instanceof HttpTo && max.value() > total.value()) {
                problems.add(
                        max.location(),
                        "'pool.max' of flow '" + flow.name() + "' is " + max.value() + ", more than the total of "
                                + total.value() + " for all flows; lower it, or raise the top-level pool.max");
            }
        }
    }

    private static void idempotentWithoutRetry(FlowConfig flow, ConfigProblems warnings) {
        if (flow.from() instanceof HttpFrom && flow.idempotent().value() && flow.retry() == null) {
            warnings.add(
                    flow.idempotent().location(),
                    "flow '" + flow.name()
                            + "' is idempotent but has no retry; add for instance retry: { attempts: 3 }");
        }
    }

    /** Requests with a key are not batched unless the key is in the body too. */
    private static void unbatched(FlowConfig flow, ConfigProblems warnings) {
        String header = identifyingHeader(flow);
        if (!(flow.to() instanceof HttpTo)
                || !(flow.collapse() instanceof HttpCollapse collapse)
                || collapse.inBody() != null
                || header == null) {
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

    /** Clients choose the key, and the status query has the rights of the gateway. */
    private static void statusOfOthers(FlowConfig flow, ConfigProblems warnings) {
        SettleConfig settle = flow.settle();
        if (settle == null
                || !(flow.to() instanceof HttpTo to)
                || settle.references().stream().distinct().count() > 1
                || !SettleSetup.hasCredentials(settle, to)) {
            return;
        }
        warnings.add(
                settle.url().location(),
                "flow '" + flow.name()
                        + "' asks for the status of a transaction with its own credentials and only by the header "
                        + settle.references().getFirst()
                        + ", which every client chooses, so a client may get the record of another one; add a header that"
                        + " identifies the client, for instance /{Tenant}/{Idempotency-Key}");
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
