package dev.penstock.gateway.callers;

import dev.penstock.Prioritized;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.WatchedFiles;
import dev.penstock.gateway.transport.CurrentCaller;
import dev.penstock.gateway.transport.HeaderUrgency;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import dev.penstock.http.source.BadInput;
import dev.penstock.http.source.RequestGate;
import dev.penstock.rate.BoundedTable;
import dev.penstock.rate.NetworkRates;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The gate in front of one flow: finds the caller of a request, replaces its credentials by the caller's name, and refuses what is
 * beyond the caller's share. Without authentication each client address is a caller, without a name.
 *
 * <p>What it refuses is no transaction: it is counted here and not by the flow. Thread-safe. Does not block.
 */
public final class CallerGate implements RequestGate {
    private static final int MOST_SHARES = 20_000;

    /** Each is a label of a metric. */
    private static final int MOST_NAMES = 100;

    /** What became of requests of one caller. */
    private record Counts(LongAdder admitted, LongAdder rate, LongAdder concurrency) {}

    private final Caller anyone;
    private final @Nullable Authentication authentication;
    private final Set<String> namesOfCallers;
    private final @Nullable String priority;
    private final Service<HttpCall, HttpAnswer> service;
    private final Ticker ticker;
    private final BoundedTable<String, Share> shares;
    private final BoundedTable<String, Counts> counts;

    /**
     * The callers of a flow.
     *
     * @param auth how they prove who they are; null if anyone may call
     * @param namesOfCallers the headers in which a flow of this gateway finds the name of a caller; no client may send them
     * @param service the flow
     * @param files of keys; they are read again when they change
     */
    public CallerGate(
            FlowConfig flow,
            @Nullable AuthConfig auth,
            Set<String> namesOfCallers,
            Service<HttpCall, HttpAnswer> service,
            WatchedFiles files,
            Ticker ticker) {
        long now = ticker.nanos();
        this.anyone = Caller.any(flow.callers());
        this.authentication = auth == null ? null : new Authentication(flow.name(), auth, anyone, files, ticker);
        this.namesOfCallers = Set.copyOf(namesOfCallers);
        this.priority = flow.priorityHeader();
        this.service = service;
        this.ticker = ticker;
        this.shares = new BoundedTable<>(MOST_SHARES, () -> new Share(ticker.nanos()), Share::isLikeNew, now);
        this.counts = new BoundedTable<>(
                MOST_NAMES,
                () -> new Counts(new LongAdder(), new LongAdder(), new LongAdder()),
                (used, at) -> false,
                now);
    }

    @Override
    public Admitted admit(Headers headers, Peer peer) {
        Headers sent = headers;
        for (String name : namesOfCallers) {
            sent = sent.without(name);
        }
        if (authentication == null) {
            return anyone.equals(Caller.ANY)
                    ? new Admitted(sent, service)
                    : withinShare(anyone, NetworkRates.network(peer.address()), sent);
        }
        Caller caller = authentication.identify(sent, peer.address(), peer.certificates());
        return withinShare(caller, caller.name(), authentication.forwarded(sent, caller));
    }

    private Admitted withinShare(Caller caller, String key, Headers headers) {
        long now = ticker.nanos();
        Counts counted = counts.get(caller.name(), now);
        Share share = shares.get(key, now);
        if (share.isBusy(caller)) {
            throw counted(counted.concurrency, Share.beyondConcurrency(caller));
        }
        long wait = caller.rate() == 0 ? 0 : share.take(caller, now);
        if (wait > 0) {
            throw counted(counted.rate, Share.beyondRate(caller, wait));
        }
        counted.admitted.increment();
        return new Admitted(
                prioritized(caller, headers),
                call -> CurrentCaller.carry(
                        key,
                        () -> caller.concurrency() == 0 ? service.call(call) : inShare(call, caller, share, counted)));
    }

    private static BadInput counted(LongAdder count, BadInput refusal) {
        count.increment();
        return refusal;
    }

    /** Since it was admitted its body was read, so others may have begun. */
    private HttpAnswer inShare(HttpCall call, Caller caller, Share share, Counts counted) throws Exception {
        if (!share.begin(caller)) {
            throw counted(counted.concurrency, Share.beyondConcurrency(caller));
        }
        try {
            return service.call(call);
        } finally {
            share.end();
        }
    }

    /** A caller may make its requests less urgent, not more. */
    private Headers prioritized(Caller caller, Headers headers) {
        if (priority == null || caller.priority() < 0) {
            return headers;
        }
        String asked = headers.first(priority);
        boolean may = asked == null
                ? caller.priority() == Prioritized.DEFAULT_URGENCY
                : HeaderUrgency.of(asked) >= caller.priority();
        return may ? headers : headers.with(priority, "u=" + caller.priority());
    }

    /** Counters by family; those of callers by result and name, separated by a space, which no name has. */
    public Map<String, Map<String, Long>> counters() {
        if (authentication == null && anyone.equals(Caller.ANY)) {
            return Map.of();
        }
        Map<String, Long> byCaller = new LinkedHashMap<>();
        counts.forEach("other", (name, count) -> {
            byCaller.put("admitted " + name, count.admitted.sum());
            byCaller.put("rate " + name, count.rate.sum());
            byCaller.put("concurrency " + name, count.concurrency.sum());
        });
        return authentication == null
                ? Map.of("callers", byCaller)
                : Map.of("callers", byCaller, "caller_failures", authentication.failures());
    }
}
