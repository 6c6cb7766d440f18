package dev.penstock.races.udpburst;

import dev.penstock.Ticker;
import dev.penstock.cli.UdpDatagramPort;
import dev.penstock.lab.datagram.Cadence;
import dev.penstock.lab.datagram.DatagramLoad;
import dev.penstock.lab.datagram.DatagramPort;
import dev.penstock.lab.datagram.DatagramResult;
import dev.penstock.races.machine.Cores;
import dev.penstock.udp.socket.DatagramSender;
import dev.penstock.udp.socket.UdpSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends to a server and receives its answers, pinned to its own core if possible. Each measurement uses a new port, so
 * late answers do not reach the next one.
 *
 * @param server its address
 * @param cores the sender's core
 */
record BurstSender(InetSocketAddress server, Cores cores) {
    private static final Duration GRACE = Duration.ofSeconds(1);

    /**
     * The most datagrams to catch up with at once after a stall, as happens on a machine with two cores. The servers'
     * buffers are sized for such a burst, and must not be tested with more. What is overdue beyond that is not sent.
     */
    private static final int MAX_CATCH_UP = 10_000;

    private static final Duration MAX_DELAY = Duration.ofMillis(200);
    private static final int CALIBRATION_COUNT = 200_000;

    /** The sender's maximum rate per second, measured against a socket that nobody reads and that never answers. */
    static double maxRate(Cores cores) throws IOException, InterruptedException {
        try (UdpSocket sink = UdpSocket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), false)) {
            return cores.onSender(() -> maxRate(sink.local()));
        }
    }

    private static double maxRate(InetSocketAddress sink) throws IOException {
        try (DatagramPort port = port(sink)) {
            long start = Ticker.SYSTEM.nanos();
            for (long sent = 0; sent < CALIBRATION_COUNT; ) {
                sent += port.send(sent, (int) Math.min(DatagramLoad.DEFAULT_BATCH, CALIBRATION_COUNT - sent));
            }
            return CALIBRATION_COUNT * 1e9 / (Ticker.SYSTEM.nanos() - start);
        }
    }

    /** Sends bursts at full speed, at a fixed interval. */
    BurstOutcome bursts(int size, int bursts, Duration every) throws IOException, InterruptedException {
        return run(DatagramLoad.of(Cadence.bursts(size, every)).lasting(every.multipliedBy(bursts)));
    }

    /** Sends at a constant rate per second. */
    BurstOutcome rate(double rate, Duration lasting) throws IOException, InterruptedException {
        Duration burst = Duration.ofNanos((long) (MAX_CATCH_UP * 1e9 / rate));
        return run(DatagramLoad.of(Cadence.steady(rate))
                .lasting(lasting)
                .catchUp(burst.compareTo(MAX_DELAY) < 0 ? burst : MAX_DELAY));
    }

    private BurstOutcome run(DatagramLoad load) throws IOException, InterruptedException {
        return cores.onSender(() -> {
            try (DatagramPort port = port(server)) {
                return BurstOutcome.of(load.grace(GRACE).run(port));
            }
        });
    }

    /** Opens a port to a server. Answers are verified. */
    private static DatagramPort port(InetSocketAddress server) throws IOException {
        return new UdpDatagramPort(DatagramSender.to(server)
                .size(UdpBurstTraffic.SIZE)
                .replaced(UdpBurstTraffic.find(), UdpBurstTraffic.with())
                .open());
    }

    /**
     * The result of sending datagrams to a server.
     *
     * @param sent the number of datagrams sent
     * @param answered the number of datagrams with a correct answer, each counted once
     * @param lost the number of datagrams that were never answered
     * @param wrong the number of incorrect, duplicate or unrequested answers
     * @param waiting the number of datagrams without an answer when sending ended
     * @param rate datagrams sent per second
     * @param maxMs the maximum latency, measured from when the datagram was due; in a burst, from the start of the burst;
     *     negative if there was no answer
     * @param droppedHere the number of answers that the sender's own socket dropped, which is not the server's fault
     * @param senderProblem why the sender did not send as requested; null if it did
     */
    record BurstOutcome(
            long sent,
            long answered,
            long lost,
            long wrong,
            long waiting,
            double rate,
            double maxMs,
            long droppedHere,
            @Nullable String senderProblem) {
        static BurstOutcome of(DatagramResult result) {
            Map<String, Double> metrics = result.metrics();
            long right = result.load().counts().right();
            long inTime = Math.round(result.load().tps() * result.load().windowSeconds());
            return new BurstOutcome(
                    result.sent(),
                    right,
                    result.lost(),
                    result.sent() - right - result.lost() + result.duplicates() + result.unexpected(),
                    result.sent() - inTime,
                    result.perSecond(),
                    metrics.getOrDefault("max_ms", -1.0),
                    result.droppedHere().orElse(0),
                    result.senderProblem());
        }

        /** The reason why the result says nothing about the server, in one line; null if the result is valid. */
        @Nullable
        String whyInvalid() {
            return droppedHere > 0 ? "the sender's own socket dropped " + droppedHere + " answers" : senderProblem;
        }
    }
}
