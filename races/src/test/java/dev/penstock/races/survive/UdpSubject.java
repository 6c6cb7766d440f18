package dev.penstock.races.survive;

import dev.penstock.udp.Datagram;
import dev.penstock.udp.target.RequestIds;
import dev.penstock.udp.target.UdpTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A flow that calls a datagram server. Each request is sent once. The id ends at the first space. */
final class UdpSubject extends FlowUnderTest {
    private static final int MAX_PADDING = 1_000;
    private static final PeerPool<RecordingServer> SERVERS =
            new PeerPool<>(() -> RecordingServer.start(RecordingServer.Protocol.UDP));

    private final RecordingServer server;

    private UdpSubject(PeerPool.LeasedPeer<RecordingServer> peer, EmbeddedFlow<Datagram, byte[]> flow, UdpPath path) {
        super(flow, path, peer);
        this.server = peer.server();
    }

    static SystemUnderTest open(FaultPlan schedule) throws IOException {
        PeerPool.LeasedPeer<RecordingServer> peer = SERVERS.take();
        peer.server().clear();
        UdpPath path = new UdpPath(peer.server().port());
        String padding = " ".repeat(1 + schedule.size() % MAX_PADDING);
        EmbeddedFlow.Shape<Datagram, byte[]> shape = new EmbeddedFlow.Shape<>(
                byte[].class,
                id -> Datagram.of((id + padding).getBytes(StandardCharsets.ISO_8859_1)),
                request -> idOf(request.bytes()),
                UdpSubject::idOf,
                id -> (id + padding).getBytes(StandardCharsets.ISO_8859_1));
        UdpTarget target = UdpTarget.at("127.0.0.1", path.port())
                .ids(RequestIds.found(UdpSubject::idOf, UdpSubject::idOf))
                .timeout(FaultPlan.DEADLINE)
                .build();
        return new UdpSubject(peer, new EmbeddedFlow<>(schedule, shape, target), path);
    }

    /** The text before the first space. */
    static String idOf(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int end = text.indexOf(' ');
        return end < 0 ? text : text.substring(0, end);
    }

    @Override
    public Map<String, Integer> received() throws IOException {
        closeFlow();
        return server.received();
    }
}
