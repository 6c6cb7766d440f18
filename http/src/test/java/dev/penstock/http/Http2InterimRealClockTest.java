package dev.penstock.http;

import static dev.penstock.http.Http2Kit.CALL;
import static dev.penstock.http.Http2Kit.exchange;
import static dev.penstock.http.Http2Kit.secure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Unknown;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Interim answers over HTTP/2, on real sockets; the library passes on all but those with the status 100. */
@Timeout(60)
class Http2InterimRealClockTest {
    private static FramePeer.Script answeringAfter(int count, int status) {
        return talk -> {
            talk.open(100);
            while (true) {
                int stream = talk.request().stream();
                for (int i = 0; i < count; i++) {
                    talk.head(status, stream, false);
                }
                talk.answer(stream, "ok");
            }
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 103})
    void twentyArePassedOver(int status) throws Exception {
        try (FramePeer peer = secure(answeringAfter(20, status));
                Http2Exchange exchange = exchange(peer)) {
            for (int call = 0; call < 2; call++) {
                assertThat(exchange.send(CALL, null).text()).isEqualTo("ok");
            }
            assertThat(peer.connections()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 103})
    void moreAreRefused(int status) throws Exception {
        try (FramePeer peer = secure(answeringAfter(21, status));
                Http2Exchange exchange = exchange(peer)) {
            Unknown unknown = catchThrowableOfType(Unknown.class, () -> exchange.send(CALL, null));
            assertThat(unknown).isNotNull().hasMessageContaining("more than 20 interim answers");
            assertThat(unknown.why()).isEqualTo(Unknown.Cause.GARBLED);
        }
    }
}
