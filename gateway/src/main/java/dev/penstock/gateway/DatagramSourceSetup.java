package dev.penstock.gateway;

import static dev.penstock.gateway.FlowSetup.given;

import dev.penstock.Setting;
import dev.penstock.gateway.config.UdpFrom;
import dev.penstock.udp.UdpSource;
import dev.penstock.udp.UdpSourceBuilder;
import java.net.InetSocketAddress;
import java.util.List;

/** Builds UDP sources, and lists their settings. Opens nothing. */
final class DatagramSourceSetup {
    private DatagramSourceSetup() {}

    static UdpSource source(BuiltFlow flow, UdpFrom from, StartGate startGate) {
        UdpSourceBuilder source = UdpSource.at(
                new InetSocketAddress(from.host().value(), from.port().value()));
        given(from.maxSize(), bytes -> source.maxSize(Math.toIntExact(bytes)));
        given(from.burst(), source::burst);
        given(from.buffer(), source::buffer);
        given(from.shards(), source::shards);
        given(from.ring(), source::ring);
        given(from.waiting(), source::wait);
        UdpFrom.IdPlace id = from.id();
        if (id != null) {
            source.id(datagram -> datagram.bytes().length - id.at() < id.length()
                    ? null
                    : DatagramCalls.id(datagram.bytes(), id.at(), id.length()));
        }
        return from.inline().value() && flow.target() instanceof ReplaceTarget inlineTarget
                ? source.inline(startGate.beforeReading(inlineTarget.replace()))
                : source.to(startGate.before(new DatagramCalls(flow.service())));
    }

    /** The settings of a UDP source that the source itself does not list. */
    static void settings(GatewayFlow flow, UdpFrom from, List<Setting> all) {
        int port = flow.source() instanceof UdpSource udp && udp.local().getPort() > 0
                ? udp.local().getPort()
                : from.port().value();
        all.add(FlowSettings.own(flow, "udp.port", port + "", "0..65535", "the listen port", from.port()));
        all.add(FlowSettings.own(
                flow,
                "udp.inline",
                from.inline().value().toString(),
                "true, false",
                from.inline().value()
                        ? "answered by the reader thread, because the target never waits and the flow has no stages"
                        : "answered on virtual threads, after the stages",
                from.inline()));
        UdpFrom.IdPlace id = from.id();
        if (id != null) {
            all.add(FlowSettings.own(
                    flow,
                    "udp.id",
                    id.toString(),
                    "a byte range",
                    "repeats of a datagram have the same id",
                    from.port()));
        }
    }
}
