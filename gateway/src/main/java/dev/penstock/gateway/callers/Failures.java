package dev.penstock.gateway.callers;

import dev.penstock.rate.CellRate;
import dev.penstock.rate.NetworkRates;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests without valid credentials: counted, logged once a minute, and limited for each address. An address may fail 20 times at
 * once and once a second. Beyond that its failures are answered 429, and no signature is verified for it. Keys, and tokens that
 * were verified before, are accepted from it nevertheless, so that nobody locks out others behind the same address. Thread-safe.
 */
public final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);
    /** Log lines per second: one a minute. */
    private static final double LINES = 1.0 / 60;

    private final String where;
    private final NetworkRates allowed;
    private final LongAdder refused = new LongAdder();
    private final LongAdder limited = new LongAdder();
    private final LongAdder unlogged = new LongAdder();
    private final CellRate lines;

    /**
     * Counts from 0.
     *
     * @param where for the log: a flow, or a port
     * @param now nanoseconds of the clock of all calls
     */
    public Failures(String where, long now) {
        this.where = where;
        this.allowed = new NetworkRates(1, 20, now);
        this.lines = new CellRate(now);
    }

    /** Whether an address has failed too often. */
    boolean isOver(InetAddress address, long now) {
        return allowed.isSpent(address, now);
    }

    /**
     * Counts a failure.
     *
     * @param why for the log
     * @return 0, or the nanoseconds until the address may fail again
     */
    public long add(InetAddress address, String why, long now) {
        long wait = allowed.take(address, now);
        (wait == 0 ? refused : limited).increment();
        unlogged.increment();
        if (lines.take(LINES, 1, now) == 0) {
            LOG.warn(
                    "{}: {} requests without valid credentials, the last from {}: {}; at most one such line a minute",
                    where,
                    unlogged.sumThenReset(),
                    address.getHostAddress(),
                    why);
        }
        return wait;
    }

    Map<String, Long> counts() {
        return Map.of("refused", refused.sum(), "limited", limited.sum());
    }
}
