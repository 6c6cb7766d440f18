package dev.penstock.udp.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RequestIdsTest {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void readsTheIdAtItsOffset() {
        RequestIds ids = RequestIds.at(2, 3);
        assertThat(Objects.requireNonNull(ids.request(bytes("..abc.."))).id()).isEqualTo("abc");
        assertThat(Objects.requireNonNull(ids.answer(bytes("++abc"))).id()).isEqualTo("abc");
        assertThat(ids.request(bytes("..ab"))).isNull();
        assertThat(ids.answer(new byte[0])).isNull();
    }

    @Test
    void acceptsBinaryIds() {
        RequestIds ids = RequestIds.at(0, 2);
        assertThat(Objects.requireNonNull(ids.request(new byte[] {(byte) 0xC3, 0}))
                        .id())
                .isNotEqualTo(Objects.requireNonNull(ids.request(new byte[] {(byte) 0xFF, 0}))
                        .id());
    }

    @Test
    void rejectsAnInvalidOffset() {
        assertThatThrownBy(() -> RequestIds.at(-1, 8)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RequestIds.at(0, 0)).hasMessageContaining("1 byte or more");
    }

    @Test
    void addsAndRemovesTheHeader() {
        RequestIds ids = RequestIds.header();
        RequestIds.Named sent = Objects.requireNonNull(ids.request(bytes("pay 7")));
        assertThat(sent.bytes()).hasSize(8 + 5).endsWith(bytes("pay 7"));
        byte[] answer = sent.bytes().clone();
        answer[8] = 'P';
        RequestIds.Named read = Objects.requireNonNull(ids.answer(answer));
        assertThat(read.id()).isEqualTo(sent.id());
        assertThat(read.bytes()).isEqualTo(bytes("Pay 7"));
        assertThat(ids.answer(bytes("short"))).isNull();
    }

    @Test
    void headersAreUniqueAndUnpredictable() {
        RequestIds ids = RequestIds.header();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            seen.add(Objects.requireNonNull(ids.request(new byte[0])).id());
        }
        seen.add(
                Objects.requireNonNull(RequestIds.header().request(new byte[0])).id());
        assertThat(seen).hasSize(10_001);
    }
}
