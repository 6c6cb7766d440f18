package dev.penstock.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.0.1, 11.0.0.1",
        "10.128.0.0/9, 10.128.0.1, 10.127.0.1",
        "192.0.2.7, 192.0.2.7, 192.0.2.6",
        "0.0.0.0/0, 255.1.2.3, ::1",
        "fd00::/8, fdff::1, fe00::1",
        "2001:db8::1, 2001:db8::1, 2001:db8::2",
        "::/0, ::1, 10.0.0.1",
    })
    void containsTheAddressesWithItsPrefix(String block, String inside, String outside) {
        assertThat(Cidr.of(block).contains(InetAddress.ofLiteral(inside))).isTrue();
        assertThat(Cidr.of(block).contains(InetAddress.ofLiteral(outside))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10",
                "10.0.0.0/",
                "10.0.0.0/33",
                "10.0.0.1/8",
                "10.0.0/8",
                "10.0.0.256",
                "::1/129",
                "fd00::1/8",
                "h/8",
                "10.0.0.0/-1",
                "10.0.0.0/8 ",
                "0x7f.0.0.1",
                ":::"
            })
    void anythingElseIsNone(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Cidr.of(text));
    }
}
