package dev.penstock.gateway;

import dev.penstock.Setting;
import dev.penstock.gateway.config.UdpFrom;
import dev.penstock.udp.UdpSource;
import java.util.List;

/** The settings of a source of datagrams that it does not tell itself. */
final class DatagramSettings {
    private DatagramSettings() {}

    static void of(GatewayFlow flow, UdpFrom from, List<Setting> all) {
        int port = flow.source() instanceof UdpSource udp && udp.local().getPort() > 0
                ? udp.local().getPort()
                : from.port().value();
        all.add(FlowSettings.own(flow, "udp.port", port + "", "0..65535", "where it listens", from.port()));
        all.add(FlowSettings.own(
                flow,
                "udp.inline",
                from.inline().value().toString(),
                "true, false",
                from.inline().value()
                        ? "answered by the thread that reads, since it never waits and no stage is named"
                        : "answered on virtual threads, behind the stages",
                from.inline()));
        UdpFrom.IdPlace id = from.id();
        if (id != null) {
            all.add(FlowSettings.own(
                    flow, "udp.id", id.toString(), "a place", "what repeats of a datagram have too", from.port()));
        }
    }
}
