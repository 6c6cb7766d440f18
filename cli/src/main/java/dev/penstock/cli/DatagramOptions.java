package dev.penstock.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.udp.socket.DatagramSender;
import dev.penstock.udp.socket.DatagramSenderBuilder;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what datagrams look like, and their answers. */
final class DatagramOptions {
    /** All of them, for who has to refuse them. */
    static final List<String> NAMES = List.of("--size", "--find", "--with", "--check");

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "Bytes of each datagram, 16 to 65507 (udp). Default: ${DEFAULT-VALUE}.")
    private int size;

    @Option(
            names = "--find",
            paramLabel = "TEXT",
            description = "Put this text into each datagram, 5 bytes or more, and expect --with in its place (udp)."
                    + " Default: the answer is the datagram itself.")
    private @Nullable String find;

    @Option(
            names = "--with",
            paramLabel = "TEXT",
            description = "What stands in the answer in place of --find (udp). Default: nothing.")
    private @Nullable String with;

    @Option(
            names = "--check",
            paramLabel = "HOW",
            defaultValue = "around",
            description = "How closely answers are looked at (udp): number (anything that begins with the datagram's"
                    + " number), around (the length, and what is around --find) or all. Default: ${DEFAULT-VALUE}.")
    private DatagramSender.Check check = DatagramSender.Check.AROUND;

    /** Options not given yet; picocli fills them in. */
    DatagramOptions() {}

    int size() {
        return size;
    }

    /**
     * Such datagrams to a peer.
     *
     * @throws IllegalArgumentException when they cannot be, in one line that says what to do
     */
    DatagramSenderBuilder to(InetSocketAddress peer) {
        if (find == null && with != null) {
            throw new IllegalArgumentException("--with does nothing without --find: say what it stands in place of");
        }
        DatagramSenderBuilder datagramSender = DatagramSender.to(peer).size(size).check(check);
        return find == null
                ? datagramSender
                : datagramSender.replaced(find.getBytes(UTF_8), (with == null ? "" : with).getBytes(UTF_8));
    }
}
