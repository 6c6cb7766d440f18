package dev.penstock.udp;

import dev.penstock.LiveSetting;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The settings of a source, for display. Safe for many threads. */
final class UdpSourceSettings {
    private final UdpSourceBuilder built;
    private final Supplier<BufferSize> applied;
    private final Supplier<String> reader;
    private final Instant since = Instant.now();
    private @Nullable LiveSetting buffer;

    UdpSourceSettings(UdpSourceBuilder built, Supplier<BufferSize> buffer, Supplier<String> reader) {
        this.built = built;
        this.reader = reader;
        this.applied = buffer;
    }

    /** Created on first use, when the initial size is known, so that only later growth counts as learned. */
    private synchronized Setting buffer() {
        LiveSetting known = buffer;
        if (known == null) {
            known = new LiveSetting("udp.buffer", () -> applied.get().setting(), InstantSource.system());
            buffer = known;
        }
        return known.setting();
    }

    List<Setting> all() {
        SocketCount sockets = built.socketCount();
        return List.of(
                buffer(),
                fixed("udp.shards", Integer.toString(sockets.value()), "1..64", sockets.reason(), sockets.given()),
                fixed(
                        "udp.burst",
                        Integer.toString(built.burst),
                        "1..1000000",
                        "datagrams that may arrive at once",
                        built.burst != UdpSourceBuilder.DEFAULT_BURST),
                fixed(
                        "udp.max_size",
                        built.maxSize + "B",
                        "1B..65507B",
                        "larger datagrams are counted as truncated and not answered",
                        built.maxSize != UdpSourceBuilder.DEFAULT_MAX_SIZE),
                fixed(
                        "udp.reader",
                        reader.get(),
                        "recvmmsg, DatagramChannel",
                        reader.get().equals("recvmmsg")
                                ? "many datagrams per system call"
                                : "one datagram per system call, and kernel drops cannot be counted",
                        false));
    }

    private Setting fixed(String name, String value, String range, String reason, boolean given) {
        return new Setting(name, value, range, reason, since, given ? Origin.GIVEN : Origin.DEFAULT);
    }

    /**
     * The number of sockets that share a port.
     *
     * <p>The kernel delivers all datagrams of one sender to the same socket, so more sockets help only with many senders; each
     * costs a thread. Pure.
     *
     * @param value the number
     * @param reason the reason for it
     * @param given whether it was configured
     */
    record SocketCount(int value, String reason, boolean given) {
        static final int MOST = 64;

        /** The automatic maximum. There are two processors per socket, since handlers and the network need some too. */
        private static final int MAX_DEFAULT = 16;

        static SocketCount of(@Nullable Integer set, int processors, boolean shareable) {
            if (set != null) {
                return new SocketCount(set, "sockets that share the port, as configured", true);
            }
            if (!shareable) {
                return new SocketCount(1, "one socket, since this system cannot share a port among several", false);
            }
            int count = Math.clamp(processors / 2, 1, MAX_DEFAULT);
            return new SocketCount(
                    count, "sockets that share the port: one per two of " + processors + " processors", false);
        }
    }
}
