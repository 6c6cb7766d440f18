package dev.penstock.gateway.udp;

import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.Keys;
import dev.penstock.udp.UdpSourceBuilder;
import dev.penstock.udp.socket.UdpSocket;
import dev.penstock.udp.target.UdpTargetBuilder;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** Reads {@code from.udp} and {@code to.udp}. */
final class UdpReader {
    static final String FROM_EXAMPLE = "udp: { port: 9000 }";
    private static final String URL_EXAMPLE = "url: \"udp://ledger.example:9000\"";
    private static final String TO_EXAMPLE = "udp: { " + URL_EXAMPLE + ", id: { at: 0, length: 8 } }";
    private static final String ID_EXAMPLE = "id: { at: 0, length: 16 }";
    private static final String HEADER = "header";

    private static final Keys FROM = Keys.of(
            "from.udp",
            "port, host (address bind), max_size (max_body size mtu), burst, "
                    + "buffer (receive_buffer rcvbuf so_rcvbuf), shards (threads sockets), ring (queue), "
                    + "wait (time), id (key), inline");
    private static final Keys TO = Keys.of(
            "to.udp",
            "url (host port uri address), id (key), once (idempotent), timeout, "
                    + "attempts (retry retries), max_size, waiting (max pending)");
    private static final Keys ID = Keys.of("id", "at (offset from), length (size bytes)");

    private static final String MAX_SIZE = "64KB";
    private static final int MAX_AT = UdpSocket.MOST_BYTES - 1;
    private static final int MAX_LENGTH = 1_024;

    private UdpReader() {}

    static @Nullable UdpFrom from(ConfigValue value) {
        ConfigMapping given = value.mapping(FROM, FROM_EXAMPLE);
        if (given == null) {
            return null;
        }
        ConfigValue port = given.required("port", "port: 9000");
        Configured<Boolean> inline = given.unlessAuto("inline", ConfigValue::bool);
        UdpFrom read = new UdpFrom(
                Addresses.port(given),
                Addresses.host(given),
                given.read("max_size", (long) UdpSourceBuilder.DEFAULT_MAX_SIZE, UdpReader::maxSize),
                given.integer("burst", UdpSourceBuilder.DEFAULT_BURST, 1, 1_000_000),
                given.unlessAuto("buffer", size -> size.size("4KB", "1GB")),
                given.unlessAuto("shards", number -> number.integer(1, 64, "or auto")),
                given.integer("ring", UdpSourceBuilder.DEFAULT_RING, 64, 65_536),
                given.duration("wait", "1s", "1ms", "1h"),
                id(given.get("id")),
                inline == null ? Configured.byDefault(false) : inline);
        return port == null ? null : read;
    }

    /**
     * Sets whether the reader thread answers, which depends on the rest of the flow.
     *
     * @param stage the first stage in the file; null for none
     */
    static UdpFrom inlined(UdpFrom from, To to, @Nullable ConfigValue stage, ConfigProblems problems) {
        Configured<Boolean> inline = from.inline();
        if (!inline.inFile()) {
            return from.inline(Configured.byDefault(to instanceof ReplaceTo && stage == null));
        }
        if (inline.value() && !(to instanceof ReplaceTo)) {
            problems.add(
                    inline.location(),
                    "'from.udp.inline' is true, but the reader thread must not wait for 'to." + to.kind()
                            + "'; remove it");
        } else if (inline.value() && stage != null) {
            problems.add(
                    inline.location(),
                    "'from.udp.inline' is true, but inline datagrams bypass '" + stage.key()
                            + "'; remove one of the two");
        }
        return from;
    }

    static @Nullable UdpTo to(ConfigValue value) {
        ConfigMapping given = value.mapping(TO, TO_EXAMPLE);
        if (given == null) {
            return null;
        }
        Configured<UdpTo.Address> at = given.required("url", URL_EXAMPLE, UdpReader::address);
        ConfigValue id = given.required("id", "id: { at: 0, length: 8 }, or id: header for 8 bytes prepended to each");
        UdpFrom.IdPlace idPlace = id == null || id.is(HEADER) ? null : id(id);
        Configured<Boolean> once = given.bool("once", false);
        UdpTo read = at == null
                ? null
                : new UdpTo(
                        at,
                        idPlace,
                        once,
                        given.unlessAuto("timeout", time -> time.duration("1ms", "1m")),
                        given.unlessAuto("attempts", number -> number.integer(1, 10, "or auto")),
                        given.read("max_size", (long) UdpTargetBuilder.DEFAULT_MAX_SIZE, UdpReader::maxSize),
                        given.unlessAuto("waiting", number -> number.integer(1, 1_000_000, "or auto")));
        return id == null ? null : read;
    }

    /** 64KB is slightly more than the largest datagram, so it allows all sizes. */
    private static @Nullable Long maxSize(ConfigValue value) {
        Long bytes = value.sizeOrBytes("1B", MAX_SIZE);
        return bytes == null ? null : Math.min(bytes, UdpSocket.MOST_BYTES);
    }

    private static UdpFrom.@Nullable IdPlace id(@Nullable ConfigValue value) {
        ConfigMapping given = value == null ? null : value.mapping(ID, ID_EXAMPLE);
        if (given == null || given.required("length", "length: 16") == null) {
            return null;
        }
        return new UdpFrom.IdPlace(
                given.integer("at", 0, 0, MAX_AT).value(),
                given.integer("length", 16, 1, MAX_LENGTH).value());
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
            value.refuse("is not a URL of the form udp://HOST:PORT", "write for instance " + URL_EXAMPLE);
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
