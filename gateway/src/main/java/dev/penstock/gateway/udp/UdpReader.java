package dev.penstock.gateway.udp;

import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.Schema;
import dev.penstock.udp.UdpSourceBuilder;
import dev.penstock.udp.socket.UdpSocket;
import dev.penstock.udp.target.UdpTargetBuilder;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The keys of {@code from.udp} and {@code to.udp}. */
final class UdpReader {
    static final String FROM_EXAMPLE = "udp: { port: 9000 }";
    private static final String URL_EXAMPLE = "url: \"udp://ledger.example:9000\"";
    private static final String TO_EXAMPLE = "udp: { " + URL_EXAMPLE + ", id: { at: 0, length: 8 } }";
    private static final String ID_EXAMPLE = "id: { at: 0, length: 16 }";
    private static final String HEADER = "header";

    private static final String MAX_SIZE = "64KB";
    private static final int MAX_AT = UdpSocket.MOST_BYTES - 1;
    private static final int MAX_LENGTH = 1_024;

    private static final Schema ID_KEYS = Schema.of("id", ID_EXAMPLE);
    private static final Key<Integer> AT = at(ID_KEYS);
    private static final Key<Integer> LENGTH = length(ID_KEYS);
    private static final Schema SENDER_ID_KEYS = Schema.of("id", ID_EXAMPLE);
    private static final Key<Integer> SENDER_AT = at(SENDER_ID_KEYS);
    private static final Key<Integer> SENDER_LENGTH = length(SENDER_ID_KEYS);
    private static final Key<UdpFrom.Per> PER = SENDER_ID_KEYS
            .key(
                    "per",
                    KeyType.oneOf(UdpFrom.Per.class),
                    "the senders among which an id is unique; a sender is an IP address")
            .or(UdpFrom.Per.SENDER);
    private static final KeyType<UdpFrom.SenderId> SENDER_ID = KeyType.mapping(SENDER_ID_KEYS, UdpReader::senderId);
    private static final KeyType<Long> DATAGRAM_SIZE =
            KeyType.sizeOrBytes("1B", MAX_SIZE).readBy(UdpReader::maxSize);

    private static final Schema SOURCE = Schema.of("from.udp", FROM_EXAMPLE)
            .removed("buffer", "the buffer is sized for burst, and grows when the kernel drops datagrams; remove it")
            .removed("shards", "by the number of processors; remove it")
            .removed("ring", "16384 datagrams wait for the flow; remove it")
            .removed("wait", "a datagram waits 1s for the flow; remove it")
            .removed(
                    "inline",
                    "the reader thread answers if the target is replace and the flow has no stage; remove it");
    static final Key<Integer> PORT = Addresses.port(SOURCE, "port: 9000");
    private static final Key<String> HOST = Addresses.host(SOURCE).alias("address bind");
    private static final Key<Long> MAX_DATAGRAM = SOURCE.key(
                    "max_size", DATAGRAM_SIZE, "the largest datagram; a longer one is dropped as truncated")
            .or((long) UdpSourceBuilder.DEFAULT_MAX_SIZE)
            .alias("max_body size mtu");
    private static final Key<Integer> BURST = SOURCE.key(
                    "burst", KeyType.integer(1, 1_000_000), "the largest burst of datagrams to receive without a loss")
            .or(UdpSourceBuilder.DEFAULT_BURST);
    private static final Pattern MULTIPLE = Pattern.compile("\\d{1,4}(\\.\\d{1,3})?");

    static final Key<List<String>> ALLOW = SOURCE.key(
                    "allow",
                    Addresses.block().orList(64),
                    "the networks whose datagrams are handled; others are dropped")
            .without("all")
            .alias("networks senders");
    static final Key<Double> RATE = SOURCE.key(
                    "rate",
                    KeyType.rate(0.1, 1_000_000),
                    "how many datagrams a second each sender address may send; more are dropped")
            .without("no limit");
    static final Key<Double> AMPLIFICATION = SOURCE.key(
                    "amplification",
                    KeyType.matching("0.1..1000", MULTIPLE, UdpReader::amplification),
                    "the longest answer, as a multiple of its datagram, whose sender address may be forged")
            .auto("1.0; no limit on a loopback host");
    private static final Key<UdpFrom.SenderId> ID = SOURCE.key("id", SENDER_ID, "where a datagram has its id")
            .without("datagrams have none")
            .alias("key");
    static final Key<UdpFrom> FROM =
            Key.of("udp", KeyType.keys(SOURCE, UdpReader::from), "datagrams").alias("datagram");

    private static final Schema TARGET = Schema.of("to.udp", TO_EXAMPLE)
            .removed("timeout", "the measured round-trip time decides when a datagram is sent again; remove it")
            .removed("attempts", "once: true permits 5 attempts; write that, or remove it")
            .removed("waiting", "16384 requests may wait for an answer, and limit bounds them; remove it");
    private static final Key<UdpTo.Address> URL = TARGET.key(
                    "url", KeyType.text("udp://HOST:PORT", UdpReader::address), "the peer")
            .required(URL_EXAMPLE)
            .alias("host port uri address");
    private static final Key<IdChoice> ANSWER_ID = TARGET.key(
                    "id",
                    KeyType.mapping(ID_KEYS, UdpReader::idOrHeader).orWords(HEADER),
                    "where request and answer have their id; header prepends 8 bytes to each")
            .required("id: { at: 0, length: 8 }, or id: header for 8 bytes prepended to each")
            .alias("key");
    private static final Key<Boolean> ONCE = TARGET.key(
                    "once",
                    KeyType.bool(),
                    "whether the peer drops a second datagram of the same id, so that one may be sent again")
            .or(false)
            .alias("idempotent");
    private static final Key<Long> MAX_ANSWER =
            TARGET.key("max_size", DATAGRAM_SIZE, "the largest datagram").or((long) UdpTargetBuilder.DEFAULT_MAX_SIZE);
    static final Key<UdpTo> TO =
            Key.of("udp", KeyType.keys(TARGET, UdpReader::to), "a UDP peer").alias("datagram");

    private UdpReader() {}

    private static Key<Integer> at(Schema schema) {
        return schema.key("at", KeyType.integer(0, MAX_AT), "its first byte, from 0")
                .or(0)
                .alias("offset from");
    }

    private static Key<Integer> length(Schema schema) {
        return schema.key("length", KeyType.integer(1, MAX_LENGTH), "its number of bytes")
                .required("length: 16")
                .alias("size bytes");
    }

    /** @param place null prepends an id to each datagram */
    private record IdChoice(UdpFrom.@Nullable IdPlace place) {}

    private static @Nullable UdpFrom from(ConfigMapping given) {
        Configured<Integer> port = given.find(PORT);
        UdpFrom.@Nullable SenderId id = given.valueOf(ID);
        Configured<String> host = given.get(HOST);
        Configured<Long> maxSize = given.get(MAX_DATAGRAM);
        Configured<Integer> burst = given.get(BURST);
        UdpFrom.Senders senders = new UdpFrom.Senders(given.find(ALLOW), given.find(RATE), given.find(AMPLIFICATION));
        return port == null ? null : new UdpFrom(port, host, maxSize, burst, senders, id, false);
    }

    private static @Nullable UdpTo to(ConfigMapping given) {
        Configured<UdpTo.Address> at = given.find(URL);
        IdChoice id = given.valueOf(ANSWER_ID);
        Configured<Boolean> once = given.get(ONCE);
        Configured<Long> maxSize = given.get(MAX_ANSWER);
        return at == null || id == null ? null : new UdpTo(at, id.place(), once, maxSize);
    }

    private static @Nullable Double amplification(ConfigValue value) {
        String text = value.text(
                written -> MULTIPLE.matcher(written).matches()
                        && Double.parseDouble(written) >= 0.1
                        && Double.parseDouble(written) <= 1_000,
                "which is no multiple from 0.1 to 1000",
                "write for instance 1.0");
        return text == null ? null : Double.valueOf(text);
    }

    /** 64KB is slightly more than the largest datagram, so it allows all sizes. */
    private static @Nullable Long maxSize(ConfigValue value) {
        Long bytes = value.sizeOrBytes("1B", MAX_SIZE);
        return bytes == null ? null : Math.min(bytes, UdpSocket.MOST_BYTES);
    }

    private static @Nullable IdChoice idOrHeader(ConfigValue value) {
        if (value.is(HEADER)) {
            return new IdChoice(null);
        }
        UdpFrom.IdPlace place = id(value);
        return place == null ? null : new IdChoice(place);
    }

    private static UdpFrom.@Nullable IdPlace id(ConfigValue value) {
        ConfigMapping given = value.mapping(ID_KEYS);
        return given == null ? null : place(given, AT, LENGTH);
    }

    private static UdpFrom.@Nullable SenderId senderId(ConfigValue value) {
        ConfigMapping given = value.mapping(SENDER_ID_KEYS);
        UdpFrom.IdPlace place = given == null ? null : place(given, SENDER_AT, SENDER_LENGTH);
        return given == null || place == null
                ? null
                : new UdpFrom.SenderId(place, given.get(PER).value());
    }

    private static UdpFrom.@Nullable IdPlace place(ConfigMapping given, Key<Integer> first, Key<Integer> count) {
        Configured<Integer> length = given.find(count);
        int at = given.get(first).value();
        return length == null ? null : new UdpFrom.IdPlace(at, length.value());
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
