package dev.penstock.races.udpburst;

import dev.penstock.Service;
import dev.penstock.flow.Flow;
import dev.penstock.races.udpburst.Server.ServerCounts;
import dev.penstock.udp.Datagram;
import dev.penstock.udp.UdpSource;
import dev.penstock.udp.UdpSourceBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Penstock, as a user would write it. */
final class PenstockServer implements EchoServer {
    private static final Duration DEADLINE = Duration.ofSeconds(1);

    private final UdpSource source;

    private PenstockServer(UdpSource source) throws IOException {
        this.source = source;
        source.start();
    }

    /** Answers on the reader threads. */
    static PenstockServer inline(long buffer) throws IOException {
        return new PenstockServer(at(buffer).inline(UdpBurstTraffic.work()));
    }

    /** Answers behind the stages of a flow, with an adaptive limit. */
    static PenstockServer flow(long buffer) throws IOException {
        Flow<Datagram, byte[]> replace = Flow.named("replace")
                .deadline(DEADLINE)
                .adaptiveConcurrency()
                .to(Service.honoringDeadline(UdpBurstTraffic.work()));
        return new PenstockServer(at(buffer).to(replace));
    }

    private static UdpSourceBuilder at(long buffer) {
        UdpSourceBuilder built = UdpSource.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return buffer > 0 ? built.buffer(buffer) : built;
    }

    @Override
    public int port() {
        return source.local().getPort();
    }

    @Override
    public long buffer() {
        return 0;
    }

    @Override
    public Map<String, Long> counts() {
        Map<String, Long> counts = new TreeMap<>(source.counts());
        source.drops().forEach((place, dropped) -> counts.put(ServerCounts.DROPPED + place.word(), dropped));
        return counts;
    }
}
