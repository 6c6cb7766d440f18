package dev.penstock.races.udpburst;

import dev.penstock.races.DeclaredRace;
import java.util.List;

/** How many datagrams a server can take at once and per second, and how many it loses. */
public final class UdpBurstRace extends DeclaredRace {
    /** For the service loader. */
    public UdpBurstRace() {
        super(
                "udp-burst",
                "How large a burst, and what datagram rate, does a server handle without loss, and does it count what it loses?",
                () -> List.of(
                        BurstCourse.withPauses(),
                        new SustainedCourse(),
                        new SteadyCourse(),
                        BurstCourse.intoASmallBuffer()));
    }
}
