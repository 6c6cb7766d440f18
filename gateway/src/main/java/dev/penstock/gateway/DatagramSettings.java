package dev.penstock.gateway;

import dev.penstock.Setting;
import dev.penstock.gateway.config.UdpFrom;
import dev.penstock.udp.UdpSource;
import java.util.List;

/** The settings of a UDP source that the source itself does not list. */
final class DatagramSettings {
    private DatagramSettings() {}

    static void of(GatewayFlow flow, UdpFrom from, List<Setting> all) {
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
