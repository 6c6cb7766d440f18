package dev.penstock.races.survive;

import dev.penstock.udp.Datagram;
import dev.penstock.udp.target.RequestIds;
import dev.penstock.udp.target.UdpTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A flow that asks a server by datagrams, each of which is sent once. */
final class UdpSubject extends FlowUnderTest {
    private static final int MOST_PADDING = 1_000;

    private final UdpPeer peer;

    private UdpSubject(UdpPeer peer, EmbeddedFlow<Datagram, byte[]> flow) {
        super(flow, peer);
        this.peer = peer;
    }

    static SystemUnderTest open(Schedule schedule) throws IOException {
        UdpPeer peer = new UdpPeer();
        String padding = " ".repeat(1 + schedule.size() % MOST_PADDING);
        EmbeddedFlow.Shape<Datagram, byte[]> shape = new EmbeddedFlow.Shape<>(
                Datagram.class,
                byte[].class,
                id -> Datagram.of((id + padding).getBytes(StandardCharsets.ISO_8859_1)),
                request -> UdpPeer.idOf(request.bytes()),
                UdpPeer::idOf,
                id -> (id + padding).getBytes(StandardCharsets.ISO_8859_1));
        UdpTarget target = UdpTarget.at("127.0.0.1", peer.port())
                .ids(RequestIds.found(UdpPeer::idOf, UdpPeer::idOf))
                .timeout(Schedule.DEADLINE)
                .build();
        return new UdpSubject(peer, new EmbeddedFlow<>(schedule, shape, target));
    }

    @Override
    public Map<String, Integer> received() {
        super.close();
        return peer.received();
    }
}
