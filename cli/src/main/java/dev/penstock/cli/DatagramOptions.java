package dev.penstock.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.lab.datagram.DatagramPort;
import dev.penstock.udp.socket.DatagramSender;
import dev.penstock.udp.socket.DatagramSenderBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the content of datagrams and the check of answers. */
final class DatagramOptions {
    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "Bytes of each datagram, 16 to 65507 (udp). Default: ${DEFAULT-VALUE}.")
    private int size;

    @Option(
            names = "--find",
            paramLabel = "TEXT",
            description =
                    "Put this text into each datagram, 5 bytes or more, and expect --with in its place in the answer (udp)."
                            + " Default: the answer is the datagram itself.")
    private @Nullable String find;

    @Option(
            names = "--with",
            paramLabel = "TEXT",
            description = "The replacement of --find in the answer (udp). Default: empty.")
    private @Nullable String with;

    @Option(
            names = "--check",
            paramLabel = "HOW",
            defaultValue = "around",
            description = "How strictly answers are checked (udp): number (begins with the number of the datagram),"
                    + " around (the length, and the bytes around --find) or all. Default: ${DEFAULT-VALUE}.")
    private DatagramSender.Check check = DatagramSender.Check.AROUND;

    int size() {
        return size;
    }

    /**
     * Opens a socket for these datagrams.
     *
     * @throws IllegalArgumentException invalid options, with a one-line remedy
     */
    DatagramPort open(InetSocketAddress peer) throws IOException {
        return new UdpDatagramPort(to(peer).open());
    }

    DatagramSenderBuilder to(InetSocketAddress peer) {
        if (find == null && with != null) {
            throw new IllegalArgumentException("--with has no effect without --find: add the text to replace");
        }
        DatagramSenderBuilder datagramSender =
                DatagramSender.to(peer).size(size).check(check);
        return find == null
                ? datagramSender
                : datagramSender.replaced(find.getBytes(UTF_8), (with == null ? "" : with).getBytes(UTF_8));
    }
}
