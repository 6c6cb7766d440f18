package dev.penstock.lab.simulate.udp;

import java.util.OptionalLong;

/** The counters of a simulator. Thread-safe. */
final class UdpTally {
    private long received;
    private long bytes;
    private long answered;
    private long dropped;
    private long twice;
    private long heldBack;
    private long full;
    private long unsent;
    private long waiting;

    /** Records a received datagram with its number of answers. */
    synchronized void received(int length, int answers) {
        received++;
        bytes += length;
        dropped += answers == UdpFaults.DROPPED ? 1 : 0;
        twice += answers == 2 ? 1 : 0;
        waiting += answers;
    }

    synchronized void heldBack() {
        heldBack++;
    }

    synchronized void full() {
        waiting--;
        full++;
    }

    synchronized void sent(boolean taken) {
        waiting--;
        answered += taken ? 1 : 0;
        unsent += taken ? 0 : 1;
    }

    synchronized UdpReport report(OptionalLong lostBefore) {
        return new UdpReport(received, bytes, answered, dropped, twice, heldBack, full, unsent, waiting, lostBefore);
    }
}
