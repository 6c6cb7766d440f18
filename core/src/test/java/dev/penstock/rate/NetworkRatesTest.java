package dev.penstock.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class NetworkRatesTest {
    private static final long SECOND = 1_000_000_000;

    private final NetworkRates rates = new NetworkRates(10, 2, 0);

    private long take(String address, long now) {
        return rates.take(InetAddress.ofLiteral(address), now);
    }

    @Test
    void eachAddressHasTheRate() {
        assertThat(take("192.0.2.1", 0)).isZero();
        assertThat(rates.isSpent(InetAddress.ofLiteral("192.0.2.1"), 0)).isFalse();
        assertThat(take("192.0.2.1", 0)).isZero();
        assertThat(rates.isSpent(InetAddress.ofLiteral("192.0.2.1"), 0)).isTrue();
        assertThat(take("192.0.2.1", 0)).isEqualTo(SECOND / 10);
        assertThat(take("192.0.2.2", 0)).isZero();
        assertThat(take("192.0.2.1", SECOND / 10)).isZero();
    }

    @Test
    void theAddressesOfOneHostShareIt() {
        assertThat(take("2001:db8::1", 0)).isZero();
        assertThat(take("2001:db8::2", 0)).isZero();
        assertThat(take("2001:db8::3", 0)).isPositive();
        assertThat(take("2001:db8:0:1::1", 0)).isZero();
    }
}
