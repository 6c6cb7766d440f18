package dev.penstock.udp.target;

import dev.penstock.LiveSetting;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** The settings of a target. Only the measured timeout changes. */
final class UdpTargetSettings {
    private final List<Setting> fixed;
    private final LiveSetting timeout;
    private final Instant since = Instant.now();

    UdpTargetSettings(UdpTargetBuilder built, RequestIds ids, RoundTrip roundTrip) {
        this.timeout = new LiveSetting("timeout", roundTrip::setting, InstantSource.system());
        this.fixed = List.of(
                setting(
                        "id",
                        ids.format(),
                        "an offset, or 8 bytes before each",
                        "matches an answer to its request",
                        true),
                setting(
                        "attempts",
                        built.attempts() + "",
                        "1..10",
                        built.once
                                ? "the peer deduplicates by id, so overdue requests are sent again"
                                : "the peer is not declared to deduplicate by id, so nothing is sent again",
                        built.attempts != null),
                setting(
                        "max_size",
                        built.maxSize + "B",
                        "1B..65507B",
                        "maximum size of a request or answer",
                        built.maxSize != UdpTargetBuilder.DEFAULT_MAX_SIZE),
                setting(
                        "waiting",
                        built.waiting + "",
                        "1..1000000",
                        "maximum number of requests that wait for answers",
                        built.waiting != UdpTargetBuilder.DEFAULT_WAITING));
    }

    /**
     * The current settings.
     *
     * @param buffer size of the receive buffer in bytes of kernel memory; 0 while there is no socket
     */
    List<Setting> now(long buffer) {
        List<Setting> all = new ArrayList<>();
        all.add(timeout.setting());
        all.addAll(fixed);
        if (buffer > 0) {
            all.add(new Setting(
                    "receive_buffer",
                    buffer + "",
                    "bytes",
                    "kernel memory for answers that are not read yet",
                    since,
                    Origin.DEFAULT));
        }
        return all;
    }

    private Setting setting(String name, String value, String range, String reason, boolean given) {
        return new Setting(name, value, range, reason, Instant.now(), given ? Origin.PINNED : Origin.DEFAULT);
    }
}
