package dev.penstock.races.survive;

import dev.penstock.Ticker;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.tcp.TcpFault;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import dev.penstock.lab.simulate.tcp.TcpSimulatorBuilder;
import dev.penstock.lab.simulate.tcp.Way;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** A network that connections go through. */
final class TcpPath implements BrokenPath {
    private static final int MOST_STRUCK = 4;
    private static final int SLOWEST = 100;
    private static final int FASTEST = 20_000;
    private static final long TO_BE_FREE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final TcpSimulator network;
    private final int requestBytes;
    private final int answerBytes;

    /**
     * A path to a port of this machine.
     *
     * @param requestBytes about as many as a request has with its head
     * @param answerBytes about as many as an answer has with its head
     */
    TcpPath(int port, int requestBytes, int answerBytes) throws IOException {
        this(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), port, requestBytes, answerBytes);
    }

    /**
     * The same, from an address that the target knows already.
     *
     * @param from where it listens
     */
    TcpPath(InetSocketAddress from, int port, int requestBytes, int answerBytes) throws IOException {
        this.network = listening(
                TcpSimulator.to("127.0.0.1", port).address(from.getAddress()).port(from.getPort()));
        this.requestBytes = requestBytes;
        this.answerBytes = answerBytes;
    }

    /** A process that is just being started holds the port of the path before, until it has closed what it inherited. */
    private static TcpSimulator listening(TcpSimulatorBuilder path) throws IOException {
        long begin = Ticker.SYSTEM.nanos();
        while (true) {
            try {
                return path.start();
            } catch (IOException taken) {
                if (Ticker.SYSTEM.nanos() - begin > TO_BE_FREE_NANOS) {
                    throw taken;
                }
                Ticker.SYSTEM.parkUntil(Ticker.SYSTEM.nanos() + LOOK_AGAIN_NANOS);
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
                network.inject(new TcpFault.HalfClose(Way.TO_CLIENT, step.draw() % answerBytes, struck(step)));
            case BLACKHOLE -> network.inject(new TcpFault.Blackhole());
            case SLOW -> network.inject(new TcpFault.Slow(SLOWEST + step.draw() % (FASTEST - SLOWEST)));
            case CLOSED_WHILE_IDLE -> network.closeAll(Closing.FIN);
            case RESET_ALL -> resetAll();
            default -> throw new IllegalArgumentException(step.fault().words() + " is no fault of a connection");
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
        network.inject(new TcpFault.Break(way, step.draw() % bytes, how, struck(step)));
    }

    /** How many connections it strikes. */
    private static int struck(FaultPlan.Step step) {
        return 1 + step.draw() / 1_000 % MOST_STRUCK;
    }

    @Override
    public void close() {
        network.close();
    }
}
