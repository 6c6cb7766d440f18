package dev.penstock.udp.target;

import dev.penstock.Durations;
import dev.penstock.LiveSetting;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** The settings of a target: all but the measured timeout stay as they are. */
final class UdpTargetSettings {
    private final List<Setting> fixed;
    private final LiveSetting timeout;
    private final Instant since = Instant.now();

    UdpTargetSettings(UdpTargetBuilder built, RequestIds ids, DatagramAttempts attempts) {
        this.timeout = new LiveSetting("timeout", () -> timeout(built, attempts.now()), InstantSource.system());
        this.fixed = List.of(
                setting(
                        "id",
                        ids.words(),
                        "a place, or 8 bytes before each",
                        "by it an answer finds its request",
                        true),
                setting(
                        "attempts",
                        built.attempts() + "",
                        "1..10",
                        built.once
                                ? "the peer takes an id once, so what is overdue is sent again"
                                : "nothing says that the peer takes an id once, so nothing is sent again",
                        built.attempts != null),
                setting(
                        "max_size",
                        built.maxSize + "",
                        "1..65507",
                        "bytes of the largest request or answer",
                        built.maxSize != UdpTargetBuilder.DEFAULT_MAX_SIZE),
                setting(
                        "waiting",
                        built.waiting + "",
                        "1..1000000",
                        "requests that may wait for answers at once",
                        built.waiting != UdpTargetBuilder.DEFAULT_WAITING));
    }

    private static LiveSetting.Now timeout(UdpTargetBuilder built, DatagramAttempts.Measured measured) {
        boolean pinned = built.timeout != null;
        String value = Durations.words(Duration.ofNanos(measured.timeout()));
        if (pinned) {
            return new LiveSetting.Now(value, "above 0", "when an answer is overdue; doubles with each attempt", true);
        }
        String reason = measured.count() == 0
                ? "when an answer is overdue; nothing measured yet"
                : "%,d answers took %s on average; overdue is what takes that and four times its spread"
                        .formatted(measured.count(), Durations.words(Duration.ofNanos(measured.mean())));
        return new LiveSetting.Now(value, built.range(), reason, false);
    }

    /**
     * As of now.
     *
     * @param buffer bytes of the kernel's memory that answers may fill; 0 while there is no socket
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
                    "bytes of the kernel's memory that answers may fill before they are read",
                    since,
                    Origin.DEFAULT));
        }
        return all;
    }

    private Setting setting(String name, String value, String range, String reason, boolean given) {
        return new Setting(name, value, range, reason, Instant.now(), given ? Origin.PINNED : Origin.DEFAULT);
    }
}
