package dev.penstock.races.survive;

import dev.penstock.Ticker;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.tcp.TcpFault;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import dev.penstock.lab.simulate.tcp.TcpSimulatorBuilder;
import dev.penstock.lab.simulate.tcp.Way;
import dev.penstock.races.survive.PeerOnPath.BrokenPath;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** A network path for connections. */
final class TcpPath implements BrokenPath {
    private static final int MAX_AFFECTED = 4;
    private static final int MIN_BYTES_PER_SECOND = 100;
    private static final int MAX_BYTES_PER_SECOND = 20_000;
    private static final long BIND_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final TcpSimulator network;
    private final int requestBytes;
    private final int answerBytes;

    /**
     * Creates a path to a port of this machine.
     *
     * @param requestBytes the approximate size of a request, including its head
     * @param answerBytes the approximate size of an answer, including its head
     */
    TcpPath(int port, int requestBytes, int answerBytes) throws IOException {
        this(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), port, requestBytes, answerBytes);
    }

    /**
     * Creates a path that listens on an address that the target already knows.
     *
     * @param from the address to listen on
     */
    TcpPath(InetSocketAddress from, int port, int requestBytes, int answerBytes) throws IOException {
        this.network = listening(
                TcpSimulator.to("127.0.0.1", port).address(from.getAddress()).port(from.getPort()));
        this.requestBytes = requestBytes;
        this.answerBytes = answerBytes;
    }

    /**
     * Starts the path. Retries, because a process that is just starting can hold the previous path's port until it has
     * closed the inherited descriptors.
     */
    private static TcpSimulator listening(TcpSimulatorBuilder path) throws IOException {
        long begin = Ticker.SYSTEM.nanos();
        while (true) {
            try {
                return path.start();
            } catch (IOException taken) {
                if (Ticker.SYSTEM.nanos() - begin > BIND_TIMEOUT_NANOS) {
                    throw taken;
                }
                Ticker.SYSTEM.parkUntil(Ticker.SYSTEM.nanos() + POLL_NANOS);
            }
        }
    }

    int port() {
        return network.port();
    }

    @Override
    public void begin(FaultPlan.Step step) throws IOException {
        switch (step.fault()) {
            case REFUSED -> {
                refuse();
                if (step.draw() % 2 == 0) {
                    resetAll();
                }
            }
            case RESET_IN_REQUEST -> breakAt(step, Way.TO_SERVER, requestBytes, Closing.RST);
            case RESET_IN_ANSWER -> breakAt(step, Way.TO_CLIENT, answerBytes, Closing.RST);
            case CUT_IN_REQUEST -> breakAt(step, Way.TO_SERVER, requestBytes, Closing.FIN);
            case CUT_IN_ANSWER -> breakAt(step, Way.TO_CLIENT, answerBytes, Closing.FIN);
            case HALF_CLOSED ->
                network.inject(new TcpFault.HalfClose(Way.TO_CLIENT, step.draw() % answerBytes, affected(step)));
            case BLACKHOLE -> network.inject(new TcpFault.Blackhole());
            case SLOW ->
                network.inject(new TcpFault.Slow(
                        MIN_BYTES_PER_SECOND + step.draw() % (MAX_BYTES_PER_SECOND - MIN_BYTES_PER_SECOND)));
            case CLOSED_WHILE_IDLE -> network.closeAll(Closing.FIN);
            case RESET_ALL -> resetAll();
            default -> throw new IllegalArgumentException(step.fault().title() + " is not a connection fault");
        }
    }

    /** Resets all connections. */
    void resetAll() throws IOException {
        network.closeAll(Closing.RST);
    }

    @Override
    public void refuse() throws IOException {
        network.inject(new TcpFault.Refuse());
    }

    @Override
    public void heal() throws IOException {
        network.heal();
    }

    private void breakAt(FaultPlan.Step step, Way way, int bytes, Closing how) throws IOException {
        network.inject(new TcpFault.Break(way, step.draw() % bytes, how, affected(step)));
    }

    /** The number of connections that the fault affects. */
    private static int affected(FaultPlan.Step step) {
        return 1 + step.draw() / 1_000 % MAX_AFFECTED;
    }

    @Override
    public void close() {
        network.close();
    }
}
