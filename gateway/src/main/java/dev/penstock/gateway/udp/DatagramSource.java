package dev.penstock.gateway.udp;

import static dev.penstock.gateway.config.Configured.given;

import dev.penstock.Accounting;
import dev.penstock.Setting;
import dev.penstock.flow.Flow;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.transport.SourceBinding;
import dev.penstock.gateway.transport.StartGate;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.text.Rates;
import dev.penstock.udp.DatagramHandler;
import dev.penstock.udp.DropLocation;
import dev.penstock.udp.UdpSource;
import dev.penstock.udp.UdpSourceBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A UDP source of a flow.
 *
 * @param since when it was built
 */
record DatagramSource(UdpFrom from, UdpSource source, Instant since) implements SourceBinding {
    /** Builds the source. Opens nothing. */
    static DatagramSource of(TargetBinding flow, StartGate startGate) {
        UdpFrom from = (UdpFrom) flow.config().from();
        UdpSourceBuilder source = UdpSource.at(
                new InetSocketAddress(from.host().value(), from.port().value()));
        given(from.maxSize(), bytes -> source.maxSize(Math.toIntExact(bytes)));
        given(from.burst(), source::burst);
        given(from.senders().allow(), source::allow);
        given(from.senders().rate(), source::rate);
        source.amplification(from.amplification().value());
        UdpFrom.SenderId id = from.id();
        if (id != null) {
            source.id(id::of);
        }
        UdpSource built = from.inline() && flow.target() instanceof ReplaceTarget inlineTarget
                ? source.inline(after(startGate, inlineTarget.replace().inline()))
                : source.to(startGate.before(new DatagramCalls(flow.service())));
        return new DatagramSource(from, built, Instant.now());
    }

    /** The reader thread waits at the gate. */
    private static DatagramHandler after(StartGate startGate, DatagramHandler next) {
        return (request, answer) -> {
            startGate.pass();
            return next.answer(request, answer);
        };
    }

    /** The listen port: the bound one, or the configured one before it is bound. */
    private int port() {
        int bound = source.local().getPort();
        return bound > 0 ? bound : from.port().value();
    }

    @Override
    public String where() {
        return from.where(port());
    }

    @Override
    public List<Setting> settings() {
        List<Setting> all = new ArrayList<>();
        all.add(UdpReader.PORT.setting("udp.", port() + "", "the listen port", since, from.port()));
        all.add(new Setting(
                "udp.inline",
                Boolean.toString(from.inline()),
                "true, false",
                from.inline()
                        ? "answered by the reader thread, because the target never waits and the flow has no stages"
                        : "answered on virtual threads, after the stages",
                since,
                Setting.Origin.DEFAULT));
        Configured<List<String>> allow = from.senders().allow();
        if (allow != null) {
            String blocks = String.join(", ", allow.value());
            all.add(UdpReader.ALLOW.setting("udp.", blocks, "other senders are dropped", since, allow));
        }
        Configured<Double> rate = from.senders().rate();
        if (rate != null) {
            String perSecond = Rates.format(rate.value());
            all.add(UdpReader.RATE.setting("udp.", perSecond, "of each sender; more are dropped", since, rate));
        }
        Configured<Double> most = from.amplification();
        all.add(UdpReader.AMPLIFICATION.setting(
                "udp.",
                most.value() == Double.POSITIVE_INFINITY
                        ? "no limit"
                        : most.value().toString(),
                most.value() == Double.POSITIVE_INFINITY
                        ? "on loopback no other machine can forge a sender"
                        : "longer answers are dropped: the sender may be forged",
                since,
                most));
        UdpFrom.SenderId id = from.id();
        if (id != null) {
            all.add(new Setting(
                    "udp.id",
                    id.toString(),
                    "a byte range",
                    "repeats of a datagram have the same id",
                    since,
                    from.port().origin()));
        }
        all.addAll(source.settings());
        return all;
    }

    @Override
    public Map<String, Map<String, Long>> counters() {
        DatagramOutcomes outcomes = new DatagramOutcomes(source);
        return Map.of("datagrams", outcomes.counts(), "lost", outcomes.lost());
    }

    @Override
    public List<String> advice() {
        return source.advice();
    }

    @Override
    public boolean isBusy() {
        return source.isBusy();
    }

    /** Datagrams being processed. */
    @Override
    public int inFlight() {
        return Math.toIntExact(source.counts().getOrDefault("waiting", 0L));
    }

    @Override
    public boolean isInline() {
        return from.inline();
    }

    @Override
    public Accounting accounting(Flow<?, ?> flow) {
        return isInline() ? new DatagramOutcomes(source).inline() : flow.accounting();
    }

    /** Opens the socket briefly to learn the buffer size the system grants. */
    @Override
    public void rehearse() throws IOException {
        source.rehearse();
    }

    /**
     * The accounting of the datagrams of a UDP source. Thread-safe.
     *
     * <h2>Design note</h2>
     *
     * <p>Inline datagrams bypass the meter, which would cost more than the answer. Their accounting is derived from the
     * counters of the source: offered is received; answered is handled (also without an answer); failed is handled without
     * success: refused, because of its sender, because it was truncated, or the handler could not take it, or
     * undone, because its answer could not be sent. None of the failed had an effect, because inline handling only converts
     * bytes to bytes. Datagrams lost before they were received are in {@code lost} and are not transactions.
     */
    private record DatagramOutcomes(UdpSource source) {
        /** The accounting of inline datagrams. */
        Accounting inline() {
            Map<DropLocation, Long> drops = source.drops();
            Map<String, Long> counts = source.counts();
            long answered = counts.getOrDefault("answered", 0L) + counts.getOrDefault("unanswered", 0L);
            long refused = lost(drops, DropLocation.OWN)
                    + lost(drops, DropLocation.PEER)
                    + lost(drops, DropLocation.TRUNCATED)
                    + lost(drops, DropLocation.RING)
                    + lost(drops, DropLocation.HANDLER);
            long undone = lost(drops, DropLocation.SEND);
            long ended = answered + refused + undone;
            // The counters are read one after the other while more arrive; received is never less than ended.
            long offered = Math.max(ended, counts.getOrDefault("received", 0L));
            Map<String, Long> causes = new LinkedHashMap<>();
            put(causes, "refused", refused);
            put(causes, "undone", undone);
            return new Accounting(
                    offered,
                    answered,
                    0,
                    refused + undone,
                    0,
                    offered - ended,
                    causes.isEmpty() ? Map.of() : Map.of("failed", causes));
        }

        private static void put(Map<String, Long> causes, String cause, long count) {
            if (count > 0) {
                causes.put(cause, count);
            }
        }

        private static long lost(Map<DropLocation, Long> drops, DropLocation place) {
            return drops.getOrDefault(place, 0L);
        }

        /** The counters of the source, with received first. */
        Map<String, Long> counts() {
            Map<String, Long> counts = new LinkedHashMap<>();
            counts.put("received", 0L);
            counts.putAll(source.counts());
            return counts;
        }

        /** The number of lost datagrams by place, in the order of processing. */
        Map<String, Long> lost() {
            Map<DropLocation, Long> drops = source.drops();
            Map<String, Long> lost = new LinkedHashMap<>();
            for (DropLocation place : DropLocation.values()) {
                lost.put(place.word(), lost(drops, place));
            }
            return lost;
        }
    }
}
