package dev.penstock.gateway.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Failed;
import dev.penstock.Unknown;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.udp.Datagram;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatagramCallsTest {
    private static Datagram datagram(@Nullable String id) {
        return new Datagram(bytes("pay 7"), new InetSocketAddress(9), id);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static DatagramCalls answering(int status) {
        return new DatagramCalls(call -> HttpAnswer.of(status, "answer " + status));
    }

    @Test
    void datagramIsTheBodyAndAnswerBodyIsTheReply() throws Exception {
        AtomicReference<@Nullable HttpCall> seen = new AtomicReference<>();
        DatagramCalls calls = new DatagramCalls(call -> {
            seen.set(call);
            return HttpAnswer.of(200, "done");
        });
        assertThat(calls.call(datagram(null))).isEqualTo(bytes("done"));
        HttpCall call = Objects.requireNonNull(seen.get());
        assertThat(call.method() + " " + call.path()).isEqualTo("POST /");
        assertThat(call.body()).isEqualTo(bytes("pay 7"));
        assertThat(call.key("id")).isNull();
        assertThat(call.key("Idempotency-Key")).isNull();
    }

    @Test
    void idIsTheKeyForStagesAndTarget() throws Exception {
        DatagramCalls calls = new DatagramCalls(
                call -> HttpAnswer.of(200, call.key("id") + " " + call.headers().first("Idempotency-Key")));
        assertThat(calls.call(datagram("order-1"))).isEqualTo(bytes("order-1 order-1"));
    }

    @Test
    void writesBytesThatNoHeaderAllowsInHexadecimal() {
        assertThat(DatagramCalls.id(bytes("..order-1.."), 2, 7)).isEqualTo("order-1");
        assertThat(DatagramCalls.id(new byte[] {0, 1, (byte) 0xFF, 2}, 1, 2)).isEqualTo("0x01ff");
        assertThat(DatagramCalls.id(bytes("a b"), 0, 3)).isEqualTo("0x612062");
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 202, 400, 404})
    void businessNoIsAnAnswer(int status) throws Exception {
        assertThat(answering(status).call(datagram(null))).isEqualTo(bytes("answer " + status));
    }

    @Test
    void doesNotSendBackRefusalsAndErrorsOfTheTarget() {
        assertThatThrownBy(() -> answering(503).call(datagram(null))).isInstanceOf(Failed.class);
        assertThatThrownBy(() -> answering(500).call(datagram(null))).isInstanceOf(Unknown.class);
    }
}
