package dev.penstock.gateway.config;

import dev.penstock.udp.UdpSourceBuilder;
import dev.penstock.udp.socket.UdpSocket;
import dev.penstock.udp.target.UdpTargetBuilder;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code from.udp} and {@code to.udp}. */
final class UdpReader {
    static final String FROM_EXAMPLE = "udp: { port: 9000 }";
    private static final String URL_EXAMPLE = "url: \"udp://ledger.example:9000\"";
    private static final String TO_EXAMPLE = "udp: { " + URL_EXAMPLE + ", id: { at: 0, length: 8 } }";
    private static final String ID_EXAMPLE = "id: { at: 0, length: 16 }";
    private static final String HEADER = "header";

    private static final Keys FROM = Keys.of(
                    "from.udp", "port", "host", "max_size", "burst", "buffer", "shards", "ring", "wait", "id", "inline")
            .meant(Map.ofEntries(
                    Map.entry("address", "host"),
                    Map.entry("bind", "host"),
                    Map.entry("max_body", "max_size"),
                    Map.entry("size", "max_size"),
                    Map.entry("mtu", "max_size"),
                    Map.entry("receive_buffer", "buffer"),
                    Map.entry("rcvbuf", "buffer"),
                    Map.entry("so_rcvbuf", "buffer"),
                    Map.entry("threads", "shards"),
                    Map.entry("sockets", "shards"),
                    Map.entry("queue", "ring"),
                    Map.entry("key", "id"),
                    Map.entry("time", "wait")));
    private static final Keys TO = Keys.of("to.udp", "url", "id", "once", "timeout", "attempts", "max_size", "waiting")
            .meant(Map.ofEntries(
                    Map.entry("host", "url"),
                    Map.entry("port", "url"),
                    Map.entry("uri", "url"),
                    Map.entry("address", "url"),
                    Map.entry("key", "id"),
                    Map.entry("idempotent", "once"),
                    Map.entry("retry", "attempts"),
                    Map.entry("retries", "attempts"),
                    Map.entry("max", "waiting"),
                    Map.entry("pending", "waiting")));
    private static final Keys ID = Keys.of("id", "at", "length")
            .meant(Map.of("offset", "at", "from", "at", "size", "length", "bytes", "length"));

    private static final String MOST_SIZE = "64KB";
    private static final int MOST_AT = UdpSocket.MOST_BYTES - 1;
    private static final int MOST_LENGTH = 1_024;
    private static final DurationRange WAIT = new DurationRange("1ms", "1h");
    private static final DurationRange TIMEOUT = new DurationRange("1ms", "1m");

    private UdpReader() {}

    static @Nullable UdpFrom from(ConfigValue value) {
        ConfigMapping given = value.mapping(FROM, FROM_EXAMPLE);
        if (given == null) {
            return null;
        }
        ConfigValue port = given.required("port", "port: 9000");
        Configured<Boolean> inline = given.unlessAuto("inline", ConfigValue::yesOrNo);
        UdpFrom read = new UdpFrom(
                Addresses.port(given),
                Addresses.host(given),
                given.read("max_size", (long) UdpSourceBuilder.DEFAULT_MAX_SIZE, UdpReader::maxSize),
                given.whole("burst", UdpSourceBuilder.DEFAULT_BURST, 1, 1_000_000),
                given.unlessAuto("buffer", size -> size.size("4KB", "1GB")),
                given.unlessAuto("shards", number -> number.whole(1, 64, "or auto")),
                given.whole("ring", UdpSourceBuilder.DEFAULT_RING, 64, 65_536),
                given.duration("wait", "1s", WAIT),
                id(given.get("id")),
                inline == null ? Configured.byDefault(false) : inline);
        return port == null ? null : read;
    }

    /**
     * A source with what follows from the rest of its flow: whether it is answered on the thread that reads.
     *
     * @param stage the first stage that the file names; null for none
     */
    static UdpFrom inlined(UdpFrom from, To to, @Nullable ConfigValue stage, ConfigProblems problems) {
        Configured<Boolean> inline = from.inline();
        if (!inline.inFile()) {
            return from.inline(Configured.byDefault(to instanceof ReplaceTo && stage == null));
        }
        if (inline.value() && !(to instanceof ReplaceTo)) {
            problems.add(
                    inline.place(),
                    "'from.udp.inline' is true, and the thread that reads must not wait for 'to." + to.kind()
                            + "'; leave it out");
        } else if (inline.value() && stage != null) {
            problems.add(
                    inline.place(),
                    "'from.udp.inline' is true, and what is answered by the thread that reads passes no '" + stage.key()
                            + "'; leave out one of the two");
        }
        return from;
    }

    static @Nullable UdpTo to(ConfigValue value) {
        ConfigMapping given = value.mapping(TO, TO_EXAMPLE);
        if (given == null) {
            return null;
        }
        ConfigValue written = given.required("url", URL_EXAMPLE);
        ConfigValue id = given.required("id", "id: { at: 0, length: 8 }, or id: header for 8 bytes put before each");
        UdpTo.Address at = written == null ? null : address(written);
        UdpFrom.IdPlace place = id == null || id.is(HEADER) ? null : id(id);
        Configured<Boolean> once = given.yesOrNo("once", false);
        UdpTo read = at == null || written == null
                ? null
                : new UdpTo(
                        Configured.inFile(at, written.place()),
                        place,
                        once,
                        given.unlessAuto("timeout", time -> time.duration(TIMEOUT)),
                        given.unlessAuto("attempts", number -> number.whole(1, 10, "or auto")),
                        given.read("max_size", (long) UdpTargetBuilder.DEFAULT_MAX_SIZE, UdpReader::maxSize),
                        given.unlessAuto("waiting", number -> number.whole(1, 1_000_000, "or auto")));
        return id == null ? null : read;
    }

    /** 64KB is a little more than any datagram has, and so means all of them. */
    private static @Nullable Long maxSize(ConfigValue value) {
        Long bytes = value.sizeOrBytes("1B", MOST_SIZE);
        return bytes == null ? null : Math.min(bytes, UdpSocket.MOST_BYTES);
    }

    private static UdpFrom.@Nullable IdPlace id(@Nullable ConfigValue value) {
        ConfigMapping given = value == null ? null : value.mapping(ID, ID_EXAMPLE);
        if (given == null || given.required("length", "length: 16") == null) {
            return null;
        }
        return new UdpFrom.IdPlace(
                given.whole("at", 0, 0, MOST_AT).value(),
                given.whole("length", 16, 1, MOST_LENGTH).value());
    }

    private static UdpTo.@Nullable Address address(ConfigValue value) {
        String written = value.text();
        if (written == null) {
            return null;
        }
        URI url = url(written);
        boolean plain = url != null
                && "udp".equalsIgnoreCase(url.getScheme())
                && url.getHost() != null
                && url.getPort() > 0
                && url.getPort() <= 65_535
                && url.getRawUserInfo() == null
                && (url.getRawPath().isEmpty() || url.getRawPath().equals("/"))
                && url.getRawQuery() == null
                && url.getRawFragment() == null;
        if (url == null || !plain) {
            value.refuse("is no udp://HOST:PORT", "write for instance " + URL_EXAMPLE);
            return null;
        }
        String host = url.getHost();
        return new UdpTo.Address(host.startsWith("[") ? host.substring(1, host.length() - 1) : host, url.getPort());
    }

    private static @Nullable URI url(String written) {
        try {
            return new URI(written);
        } catch (URISyntaxException none) {
            return null;
        }
    }
}
