package dev.penstock.gateway.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Rejected;
import dev.penstock.Service;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No request passes before all parts have started, and none waits for a gateway that failed to start. */
@Timeout(180)
class StartGateTest {
    private final StartGate startGate = new StartGate();
    private final Service<String, String> service = startGate.before(request -> request + "!");

    @Test
    void waitingRequestsPassOnceOpen() throws Exception {
        FutureTask<String> waiting = new FutureTask<>(() -> service.call("hello"));
        Thread.ofVirtual().start(waiting);
        assertThat(startGate.isOpen()).isFalse();

        startGate.open();

        assertThat(waiting.get(60, TimeUnit.SECONDS)).isEqualTo("hello!");
        assertThat(startGate.isOpen()).isTrue();
    }

    @Test
    void rejectsWaitingRequestsWhenItCannotOpen() {
        FutureTask<String> waiting = new FutureTask<>(() -> service.call("hello"));
        FutureTask<Boolean> reading = new FutureTask<>(() -> {
            startGate.pass();
            return true;
        });
        Thread.ofVirtual().start(waiting);
        Thread.ofVirtual().start(reading);

        startGate.refuse();

        assertThatThrownBy(() -> waiting.get(60, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(Rejected.class);
        assertThatThrownBy(() -> reading.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(Rejected.class);
        assertThat(startGate.isOpen()).isFalse();
    }

    @Test
    void staysOpenOnceOpen() throws Exception {
        startGate.open();
        startGate.refuse();
        assertThat(service.call("still")).isEqualTo("still!");
    }
}
