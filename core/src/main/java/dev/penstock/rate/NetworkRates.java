package dev.penstock.rate;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;

/** A rate for each client address. At most {@value #MOST} are told apart. Thread-safe. */
public final class NetworkRates {
    private static final int MOST = 20_000;

    private final double perSecond;
    private final int burst;
    private final BoundedTable<String, CellRate> rates;

    /** Nobody has used anything. */
    public NetworkRates(double perSecond, int burst, long now) {
        this.perSecond = perSecond;
        this.burst = burst;
        this.rates = new BoundedTable<>(MOST, () -> new CellRate(now), CellRate::isLikeNew, now);
    }

    /** An address, or the /64 that one host may have as a whole. */
    public static String network(InetAddress address) {
        return address instanceof Inet6Address
                ? Arrays.toString(Arrays.copyOf(address.getAddress(), 8))
                : address.getHostAddress();
    }

    /** Takes one. Returns 0, or the nanoseconds until there is one. */
    public long take(InetAddress address, long now) {
        return rates.get(network(address), now).take(perSecond, burst, now);
    }

    /** Whether {@link #take} would return a wait. */
    public boolean isSpent(InetAddress address, long now) {
        return rates.get(network(address), now).isSpent(perSecond, burst, now);
    }
}
