package dev.penstock.cli;

import dev.penstock.lab.datagram.DatagramLoad;
import dev.penstock.lab.report.LiveLine;
import dev.penstock.lab.report.LoadProgress;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A load of datagrams at a rate or in bursts: it is not one of calls, since one thread sends and receives them all. */
final class UdpLoad {
    /** The options that mean nothing to datagrams. */
    static final List<String> OF_OTHERS = List.of(
            "--method", "--header", "--body", "--statement", "--queue", "--warm-up", "--spike", "--poisson", "--pid");

    private UdpLoad() {}

    /** Loads the peer of some datagrams. */
    static LoadOutcome run(DatagramLoad load, DatagramOptions datagrams, String target, LiveLine live)
            throws IOException, InterruptedException {
        try (UdpDatagramPort port =
                new UdpDatagramPort(datagrams.to(HostAndPort.ofUdp(target)).open())) {
            load.watch(
                    Duration.ofSeconds(1),
                    progress -> live.show(progress.elapsed().toNanos(), LoadProgress.line(progress)));
            return LoadOutcome.of(load.run(port));
        }
    }
}
