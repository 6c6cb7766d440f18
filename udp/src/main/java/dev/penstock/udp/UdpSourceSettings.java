package dev.penstock.udp;

import dev.penstock.LiveSetting;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The settings of a source, as people read them. Safe for many threads. */
final class UdpSourceSettings {
    private final UdpSourceBuilder built;
    private final Supplier<BufferSize> applied;
    private final Supplier<String> reader;
    private final Instant since;
    private @Nullable LiveSetting buffer;

    UdpSourceSettings(UdpSourceBuilder built, Supplier<BufferSize> buffer, Supplier<String> reader) {
        this.built = built;
        this.reader = reader;
        this.since = built.wallClock().instant();
        this.applied = buffer;
    }

    /** What it begins with is known when somebody first looks; only what it grows to after that was learned. */
    private synchronized Setting buffer() {
        LiveSetting known = buffer;
        if (known == null) {
            known = new LiveSetting("udp.buffer", () -> applied.get().setting(), built.wallClock());
            buffer = known;
        }
        return known.setting();
    }

    List<Setting> all() {
        SocketCount shards = built.shardCount();
        return List.of(
                buffer(),
                new Setting(
                        "udp.shards",
                        Integer.toString(shards.value()),
                        "1..64",
                        shards.reason(),
                        since,
                        shards.given() ? Origin.FILE : Origin.DEFAULT),
                fixed(
                        "udp.burst",
                        Integer.toString(built.burst()),
                        "1..1000000",
                        "datagrams that may come at once",
                        built.burst() != UdpSourceBuilder.DEFAULT_BURST),
                fixed(
                        "udp.max_size",
                        built.maxSize() + "B",
                        "1B..65507B",
                        "larger datagrams are counted as truncated, and not answered",
                        built.maxSize() != UdpSourceBuilder.DEFAULT_MAX_SIZE),
                fixed(
                        "udp.ring",
                        Integer.toString(built.ring()),
                        "64..65536",
                        "datagrams that wait between reading and handling at most; more wait in the socket",
                        built.ring() != UdpSourceBuilder.DEFAULT_RING),
                fixed(
                        "udp.wait",
                        dev.penstock.Durations.words(built.longestWait()),
                        "1ms..1h",
                        "what waited longer in the ring is not answered any more",
                        !built.longestWait().equals(UdpSourceBuilder.DEFAULT_WAIT)),
                fixed(
                        "udp.reader",
                        reader.get(),
                        "recvmmsg, DatagramChannel",
                        reader.get().equals("recvmmsg")
                                ? "many datagrams by one call"
                                : "one datagram by a call, and what the kernel drops cannot be counted",
                        false));
    }

    private Setting fixed(String name, String value, String range, String reason, boolean given) {
        return new Setting(name, value, range, reason, since, given ? Origin.FILE : Origin.DEFAULT);
    }
}
