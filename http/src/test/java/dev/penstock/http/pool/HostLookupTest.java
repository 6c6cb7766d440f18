package dev.penstock.http.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostLookupTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void anAddressNeedsNoLookup(String address) throws Exception {
        assertThat(new HostLookup(address).resolve(0)).containsExactly(InetAddress.ofLiteral(address));
    }
}
