package dev.penstock.gateway.udp;

import dev.penstock.Target;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import dev.penstock.udp.Datagram;
import dev.penstock.udp.target.RequestIds;
import dev.penstock.udp.target.UdpTarget;
import dev.penstock.udp.target.UdpTargetBuilder;

/** Sends the body of a request as a datagram and returns the reply as the answer body. Thread-safe. */
record DatagramTarget(UdpTarget target) implements Target.Converting<HttpCall, HttpAnswer> {
    private static final Headers HEAD = Headers.none().with("Content-Type", "application/octet-stream");

    static DatagramTarget of(FlowConfig config, UdpTo to) {
        UdpTo.Address at = to.at().value();
        UdpFrom.IdPlace id = to.id();
        UdpTargetBuilder target = UdpTarget.at(at.host(), at.port())
                .ids(id == null ? RequestIds.header() : RequestIds.at(id.at(), id.length()))
                .maxSize(Math.toIntExact(to.maxSize().value()))
                .notToOwnSources();
        // An idempotent request may be resent with or without an id of its own; a prepended id does not change that.
        if (to.once().value() || config.idempotent().value()) {
            target.onceById();
        }
        return new DatagramTarget(target.build());
    }

    @Override
    public HttpAnswer call(HttpCall call) throws Exception {
        return HttpAnswer.of(200, HEAD, target.call(Datagram.of(call.body())));
    }
}
