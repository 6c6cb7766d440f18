package dev.penstock.gateway;

import static dev.penstock.gateway.FlowSetup.given;

import dev.penstock.gateway.config.UdpFrom;
import dev.penstock.udp.UdpSource;
import dev.penstock.udp.UdpSourceBuilder;
import java.net.InetSocketAddress;

/** Builds UDP sources. Opens nothing. */
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
}
