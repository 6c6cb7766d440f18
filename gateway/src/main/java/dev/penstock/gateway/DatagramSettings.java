package dev.penstock.gateway;

import dev.penstock.Setting;
import dev.penstock.gateway.config.UdpFrom;
import dev.penstock.udp.UdpSource;
import java.util.List;

/** The settings of a source of datagrams: those of the gateway, and those that the source tells itself. */
final class DatagramSettings {
    private static final String SOURCE = "source.";

    private DatagramSettings() {}

    static void of(GatewayFlow flow, UdpFrom from, List<Setting> all) {
        int port = flow.source() instanceof UdpSource udp && udp.local().getPort() > 0
                ? udp.local().getPort()
                : from.port().value();
        all.add(FlowSettings.own(flow, "source.port", port + "", "0..65535", "where it listens", from.port()));
        all.add(FlowSettings.own(
                flow,
                "source.inline",
                from.inline().value().toString(),
                "true, false",
                from.inline().value()
                        ? "answered by the thread that reads, since it never waits and no stage is named"
                        : "answered on virtual threads, behind the stages",
                from.inline()));
        UdpFrom.IdPlace id = from.id();
        if (id != null) {
            all.add(FlowSettings.own(
                    flow, "source.id", id.toString(), "a place", "what repeats of a datagram have too", from.port()));
        }
    }

    /** By the names that they have in a gateway. */
    static List<Setting> ofSource(UdpSource source) {
        return source.settings().stream()
                .map(setting -> setting.name().startsWith(SOURCE)
                        ? setting
                        : new Setting(
                                SOURCE + setting.name(),
                                setting.value(),
                                setting.range(),
                                setting.reason(),
                                setting.since(),
                                setting.origin()))
                .toList();
    }
}
