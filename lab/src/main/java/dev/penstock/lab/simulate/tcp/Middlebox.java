package dev.penstock.lab.simulate.tcp;

import dev.penstock.Ticker;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.Closings;
import dev.penstock.lab.simulate.FaultClock;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * State shared by all connections of a simulator.
 *
 * @param ticker the clock
 * @param idle when idle connections are killed
 * @param closings when connections are closed
 * @param clock the time base of closings
 * @param toServer the link to the server
 * @param toClient the link to the client
 * @param tally the counters
 * @param injected the current injected fault; null for none
 */
record Middlebox(
        Ticker ticker,
        IdleRule idle,
        Closings closings,
        FaultClock clock,
        ByteRate toServer,
        ByteRate toClient,
        TcpTally tally,
        AtomicReference<@Nullable Injection> injected) {
    /** Whether bytes that arrive now are cut. */
    boolean cuts(long now) {
        return closings.at(clock.at(now)) == Closing.CUT;
    }

    ByteRate link(Way way) {
        return way == Way.TO_SERVER ? toServer : toClient;
    }
}
