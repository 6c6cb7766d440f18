package dev.penstock.lab.simulate.tcp;

import dev.penstock.Ticker;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.Closings;
import dev.penstock.lab.simulate.FaultClock;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What all connections of a simulator share.
 *
 * @param ticker its time
 * @param idle when idle connections are killed
 * @param closings when connections are closed
 * @param clock the time that closings go by
 * @param toServer the link to the server
 * @param toClient the link to the client
 * @param tally what it counts
 * @param injected the fault that was injected last; null for none
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
    /** Whether bytes that come at a reading are cut in the middle. */
    boolean cuts(long now) {
        return closings.at(clock.at(now)) == Closing.CUT;
    }

    ByteRate link(Way way) {
        return way == Way.TO_SERVER ? toServer : toClient;
    }
}
