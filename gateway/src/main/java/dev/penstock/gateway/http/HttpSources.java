package dev.penstock.gateway.http;

import static dev.penstock.gateway.config.Configured.given;

import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Ticker;
import dev.penstock.gateway.callers.AuthConfig;
import dev.penstock.gateway.callers.CallerGate;
import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.CallersConfig;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.ListenerTls;
import dev.penstock.gateway.status.CurrentTransaction;
import dev.penstock.gateway.status.StatusPage;
import dev.penstock.gateway.status.StatusSetup;
import dev.penstock.gateway.status.StatusStore;
import dev.penstock.gateway.status.TransactionIds;
import dev.penstock.gateway.transport.SourceBinding;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.gateway.transport.TransportContext;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.source.HttpSource;
import dev.penstock.http.source.HttpSourceBuilder;
import dev.penstock.http.source.RequestGate;
import dev.penstock.http.tls.ServerTls;
import dev.penstock.http.tls.TlsMaterial;
import dev.penstock.text.Sizes;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Builds the HTTP sources: one for each host and port, shared by its flows. Opens nothing.
 *
 * @param running the sources of the flows until now, by address
 * @param ports those of these flows, by address
 * @param taken those that go on to listen, each with what it is to serve
 */
record HttpSources(
        TransportContext context,
        Map<String, Port> running,
        Map<String, Port> ports,
        Map<HttpSource, HttpSource> taken) {
    /** A source with its certificates. */
    private record Port(
            HttpSource source,
            @Nullable ServerTls files,
            @Nullable TlsMaterial certificates) {}

    static HttpSources first(TransportContext context) {
        return new HttpSources(context, Map.of(), new LinkedHashMap<>(), new LinkedHashMap<>());
    }

    /** For the flows of a file that was read again. */
    HttpSources next(TransportContext changed) {
        return new HttpSources(changed, ports, new LinkedHashMap<>(), new LinkedHashMap<>());
    }

    /** Lets sources that go on to listen serve these flows. */
    void activate() {
        taken.forEach(HttpSource::serve);
        taken.clear();
    }

    /** @throws IOException a source cannot change like this while it listens */
    List<SourceBinding> of(List<TargetBinding> flows, Map<String, SourceBinding> kept) throws IOException {
        Map<String, List<TargetBinding>> byAddress = new LinkedHashMap<>();
        for (TargetBinding flow : flows) {
            byAddress
                    .computeIfAbsent(address(flow), address -> new ArrayList<>())
                    .add(flow);
        }
        Map<String, RequestGate> gates = new LinkedHashMap<>();
        flows.forEach(flow -> gates.put(
                flow.config().name(),
                kept.get(flow.config().name()) instanceof OfFlow before ? before.gate : gate(flow, called(flow))));
        for (Map.Entry<String, List<TargetBinding>> port : byAddress.entrySet()) {
            ports.put(port.getKey(), port(port.getValue(), gates, running.get(port.getKey())));
        }
        Instant since = Instant.now();
        List<SourceBinding> all = new ArrayList<>();
        for (TargetBinding flow : flows) {
            SourceBinding before = kept.get(flow.config().name());
            Port port = Objects.requireNonNull(ports.get(address(flow)));
            all.add(
                    before != null
                            ? before
                            : new OfFlow(
                                    from(flow),
                                    flow.config(),
                                    port.source,
                                    gateOf(flow, gates),
                                    port.certificates,
                                    since));
        }
        return all;
    }

    private Port port(List<TargetBinding> sharing, Map<String, RequestGate> gates, @Nullable Port before)
            throws IOException {
        // The same for all flows of a port.
        Configured<ListenerTls> tls = from(sharing.getFirst()).tls();
        ServerTls files = tls == null ? null : tls.value().tls();
        TlsMaterial certificates = files == null
                ? null
                : before != null && files.equals(before.files) ? before.certificates : files.open();
        HttpSource source = source(sharing, gates, certificates);
        if (before == null) {
            return new Port(source, files, certificates);
        }
        if (!before.source.canServe(source)) {
            throw new IOException(
                    before.source.where()
                            + ": tls cannot be added or removed, nor proxy_protocol changed, while it listens; use another port, or restart");
        }
        taken.put(before.source, source);
        return new Port(before.source, files, certificates);
    }

    private Service<HttpCall, HttpAnswer> called(TargetBinding flow) {
        return context.isPlan() ? flow.service() : context.current(flow.config().name());
    }

    /** What decides about the requests of a flow. That of callers reads and fetches keys, which a plan does not. */
    private RequestGate gate(TargetBinding flow, Service<HttpCall, HttpAnswer> service) {
        return context.isPlan()
                ? RequestGate.open(service)
                : new CallerGate(
                        flow.config(),
                        from(flow).auth(),
                        context.config().callerHeaders(),
                        context.startGate().before(service),
                        context.config().files(),
                        Ticker.SYSTEM);
    }

    /** With an id for each transaction, if transactions get records. */
    private RequestGate withIds(FlowConfig flow, RequestGate gate) {
        if (!context.config().keepsRecords()) {
            return gate;
        }
        // The id of what enters a queue gives access to its outcome.
        boolean isSecret = context.config().last(flow).to().hasIds();
        TransactionIds ids = isSecret
                ? new TransactionIds()
                : new TransactionIds(() -> ThreadLocalRandom.current().nextLong());
        return (headers, peer) -> {
            RequestGate.Admitted admitted = gate.admit(headers, peer);
            String id = ids.next(System.currentTimeMillis());
            return new RequestGate.Admitted(admitted.headers(), CurrentTransaction.carry(id, admitted.service()), id);
        };
    }

    private static RequestGate gateOf(TargetBinding flow, Map<String, RequestGate> gates) {
        return Objects.requireNonNull(gates.get(flow.config().name()));
    }

    private static HttpFrom from(TargetBinding flow) {
        return (HttpFrom) flow.config().from();
    }

    /** Each flow with port 0 gets a free port of its own. */
    private static String address(TargetBinding flow) {
        HttpFrom from = from(flow);
        String host = from.host().value().equals("localhost")
                ? Addresses.LOOPBACK
                : from.host().value();
        int port = from.port().value();
        return port == 0 ? "any for " + flow.config().name() : host + " " + port;
    }

    private HttpSource source(
            List<TargetBinding> sharing, Map<String, RequestGate> gates, @Nullable TlsMaterial certificates) {
        HttpSourceBuilder source = HttpSource.on(from(sharing.getFirst()).port().value());
        for (TargetBinding flow : sharing.reversed()) {
            HttpFrom from = from(flow);
            given(from.host(), source::host);
            given(from.idleTime(), source::idleTime);
            given(from.maxConnections(), source::maxConnections);
            given(from.trustedProxies(), source::trustedProxies);
            given(from.proxyProtocol(), source::proxyProtocol);
        }
        if (certificates != null) {
            source.tls(certificates);
        }
        for (TargetBinding flow : sharing) {
            HttpFrom from = from(flow);
            source.route(
                    from.path().value(),
                    flow.config().name(),
                    withIds(flow.config(), gateOf(flow, gates)),
                    Math.toIntExact(from.maxBody().value()),
                    FieldNames.keys(flow.config(), context.config()),
                    FieldNames.others(flow.config(), context.config()));
        }
        statusPage(sharing, source);
        return source.build();
    }

    /** Adds the status page for the flows of this port that answer 202 before processing. */
    private void statusPage(List<TargetBinding> sharing, HttpSourceBuilder source) {
        List<FlowConfig> withStatus = sharing.stream()
                .map(TargetBinding::config)
                .filter(context.config()::hasStatusPage)
                .toList();
        List<StatusStore> statuses = withStatus.stream()
                .map(flow -> StatusSetup.store(flow, context.config(), context.store()))
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        if (!statuses.isEmpty()) {
            // The callers of a flow may ask for its transactions: those of the first flow that knows its callers.
            TargetBinding asked = sharing.stream()
                    .filter(flow -> context.config().hasStatusPage(flow.config()))
                    .max(Comparator.comparing(flow -> from(flow).auth() != null))
                    .orElseThrow();
            source.route(
                    FlowConfig.STATUS_PATH,
                    asked.config().name(),
                    gate(asked, new StatusPage(statuses)),
                    0,
                    List.of(),
                    List.of());
        }
    }

    /**
     * The source of one flow.
     *
     * @param since when it was built
     */
    private record OfFlow(
            HttpFrom from,
            FlowConfig flow,
            HttpSource source,
            RequestGate gate,
            @Nullable TlsMaterial tls,
            Instant since)
            implements SourceBinding {
        @Override
        public String where() {
            String host = from.host().value();
            return (from.tls() == null ? "http://" : "https://") + (host.contains(":") ? "[" + host + "]" : host) + ":"
                    + source.port() + from.path().value();
        }

        @Override
        public List<Setting> settings() {
            List<Setting> all = new ArrayList<>();
            all.add(own(HttpReader.PORT, source.port() + "", "the listen port", from.port()));
            all.add(own(HttpReader.PATH_KEY, from.base(), "this path and all paths below it", from.path()));
            all.add(own(
                    HttpReader.MAX_BODY,
                    Sizes.format(from.maxBody().value()),
                    "a larger request body is rejected with 413",
                    from.maxBody()));
            all.addAll(source.settings());
            if (tls != null) {
                all.addAll(tls.settings("source."));
            }
            addBlocks(all, HttpReader.TRUSTED_PROXIES, "they may name the client", from.trustedProxies());
            addBlocks(all, HttpReader.PROXY_PROTOCOL, "they name the client of each connection", from.proxyProtocol());
            AuthConfig auth = from.auth();
            if (auth != null) {
                String reason = "how callers prove who they are; their names are in "
                        + auth.header().value();
                all.add(own(AuthConfig.KEY, auth.accepted(), reason, Configured.fromFile(auth, auth.location())));
            }
            CallersConfig shares = flow.callers();
            if (shares != null) {
                all.add(CallersConfig.KEY.setting(
                        "",
                        shares.limits(),
                        "the share of each caller; more is answered 429",
                        since,
                        Configured.fromFile(shares, shares.location())));
            }
            return all;
        }

        private void addBlocks(
                List<Setting> all, Key<List<String>> key, String reason, @Nullable Configured<List<String>> blocks) {
            if (blocks != null) {
                all.add(own(key, String.join(", ", blocks.value()), reason, blocks));
            }
        }

        @Override
        public Map<String, Map<String, Long>> counters() {
            return gate instanceof CallerGate callers ? callers.counters() : Map.of();
        }

        private Setting own(Key<?> key, String value, String reason, Configured<?> configured) {
            return key.setting("source.", value, reason, since, configured);
        }

        /** Connected clients. */
        @Override
        public int inFlight() {
            return source.connections();
        }

        @Override
        public boolean isAnswering() {
            return source.isAnswering();
        }
    }
}
