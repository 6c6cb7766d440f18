package dev.penstock.udp;

import dev.penstock.Setting;
import dev.penstock.Source;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

/** Datagrams, as requests of a flow or of a handler. */
public final class UdpSource implements Source {
    UdpSource(UdpSourceBuilder built) {}

    /** A source at an address; port 0 is any free one. */
    public static UdpSourceBuilder at(InetSocketAddress bind) {
        return new UdpSourceBuilder(bind);
    }

    @Override
    public String where() {
        return "";
    }

    @Override
    public void start() throws IOException {}

    @Override
    public void stopAccepting() {}

    @Override
    public void close() {}

    /** Where it listens, once it was started. */
    public InetSocketAddress local() {
        return new InetSocketAddress(0);
    }

    /** What was lost so far, by place. Each place is there. */
    public Map<DropPlace, Long> drops() {
        return Map.of();
    }

    /**
     * What it has done so far: {@code received} (from the sockets, truncated ones included), {@code answered}, {@code
     * unanswered} (handled, and no answer wanted), {@code waiting} (in the ring, or being handled). At every instant that it is
     * quiet, received = answered + unanswered + waiting + drops after the socket.
     */
    public Map<String, Long> counts() {
        return Map.of();
    }

    /** Its settings as they are now: max_size, burst, buffer, shards, ring, wait, reader. */
    public List<Setting> settings() {
        return List.of();
    }

    /** What an administrator should do, a line each, with the commands; empty when all is well. */
    public List<String> advice() {
        return List.of();
    }
}
