package dev.penstock.gateway.udp;

import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;

/** Warns about UDP settings that are valid but probably unintended. */
final class UdpWarnings {
    private UdpWarnings() {}

    static void source(FlowConfig flow, UdpFrom from, ConfigProblems warnings) {
        spoofableSenders(flow, from, warnings);
        idWithoutDedupe(flow, from, warnings);
    }

    private static void spoofableSenders(FlowConfig flow, UdpFrom from, ConfigProblems warnings) {
        if (!Addresses.isLoopback(from.host().value())) {
            warnings.add(
                    from.host().location(),
                    "flow '" + flow.name() + "' listens on " + from.host().value()
                            + " for UDP, whose sender addresses can be spoofed, so answers may go to a third party; restrict access to trusted networks, or use host 127.0.0.1");
        }
    }

    private static void idWithoutDedupe(FlowConfig flow, UdpFrom from, ConfigProblems warnings) {
        if (from.id() != null && flow.dedupe() == null && flow.to() instanceof ReplaceTo) {
            warnings.add(
                    from.port().location(),
                    "flow '" + flow.name()
                            + "' reads the id of each datagram but does not use it; add dedupe: id, or remove id");
        }
        DedupeConfig dedupe = flow.dedupe();
        if (from.id() == null && dedupe != null) {
            warnings.add(
                    dedupe.location(),
                    "datagrams of flow '" + flow.name()
                            + "' have no id, so dedupe cannot detect repeats; add for instance id: { at: 0, length: 16 } to from.udp");
        }
    }

    static void target(FlowConfig flow, UdpTo to, ConfigProblems warnings) {
        RetryConfig retry = flow.retry();
        if (retry != null && (to.once().value() || flow.idempotent().value())) {
            warnings.add(
                    retry.location(),
                    "flow '" + flow.name()
                            + "' retries in two places, and the UDP target knows better when an answer is overdue; remove retry");
        }
    }
}
