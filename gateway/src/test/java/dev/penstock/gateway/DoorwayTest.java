package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Rejected;
import dev.penstock.Service;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nothing passes before all is up, and nobody waits for a gateway that did not start. */
@Timeout(180)
class DoorwayTest {
    private final Doorway doorway = new Doorway();
    private final Service<String, String> service = doorway.before(request -> request + "!");

    @Test
    void whoWaitedPassesOnceItIsOpen() throws Exception {
        FutureTask<String> waiting = new FutureTask<>(() -> service.call("hello"));
        Thread.ofVirtual().start(waiting);
        assertThat(doorway.isOpen()).isFalse();

        doorway.open();

        assertThat(waiting.get(60, TimeUnit.SECONDS)).isEqualTo("hello!");
        assertThat(doorway.isOpen()).isTrue();
    }

    @Test
    void whoWaitedIsSentAwayWhenItCannotOpen() {
        FutureTask<String> waiting = new FutureTask<>(() -> service.call("hello"));
        FutureTask<Boolean> reading = new FutureTask<>(() -> doorway.beforeReading((request, answer) -> true)
                .answer(ByteBuffer.allocate(1), ByteBuffer.allocate(1)));
        Thread.ofVirtual().start(waiting);
        Thread.ofVirtual().start(reading);

        doorway.refuse();

        assertThatThrownBy(() -> waiting.get(60, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(Rejected.class);
        assertThatThrownBy(() -> reading.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(Rejected.class);
        assertThat(doorway.isOpen()).isFalse();
    }

    @Test
    void whatIsOpenStaysOpen() throws Exception {
        doorway.open();
        doorway.refuse();
        assertThat(service.call("still")).isEqualTo("still!");
    }
}
