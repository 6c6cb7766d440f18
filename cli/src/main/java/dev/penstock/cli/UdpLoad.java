package dev.penstock.cli;

import dev.penstock.lab.datagram.DatagramLoad;
import dev.penstock.lab.datagram.DatagramPort;
import dev.penstock.lab.report.LiveLine;
import dev.penstock.lab.report.LoadProgress;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A UDP load at a rate or in bursts. It does not consist of calls, because one thread sends and receives all datagrams.
 */
final class UdpLoad {
    /** The options that do not apply to datagrams. */
    static final List<String> OF_OTHERS = List.of(
            "--method",
            "--header",
            "--body",
            "--request",
            "--statement",
            "--queue",
            "--warm-up",
            "--spike",
            "--poisson",
            "--pid");

    private UdpLoad() {}

    /** Runs the load. */
    static LoadOutcome run(DatagramLoad load, DatagramOptions datagrams, String target, LiveLine live)
            throws IOException, InterruptedException {
        try (DatagramPort port = datagrams.open(HostAndPort.ofUdp(target))) {
            load.stoppable()
                    .watch(
                            Duration.ofSeconds(1),
                            progress -> live.show(progress.elapsed().toNanos(), LoadProgress.line(progress)));
            return LoadOutcome.of(load.run(port));
        }
    }
}
