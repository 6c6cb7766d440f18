package dev.penstock.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.flow.Flow;
import dev.penstock.observe.Health.Status;
import dev.penstock.text.Json;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HealthTest {
    private record Process(boolean isStarted, boolean isDraining, List<String> outages, List<String> partsDown)
            implements WatchedProcess {
        @Override
        public List<WatchedFlow> flows() {
            return List.of();
        }
    }

    private static Health of(boolean started, boolean draining, List<String> outages, List<String> parts) {
        return Health.of(new Process(started, draining, outages, parts));
    }

    @Test
    void downWithReasonsOnlyBetweenStartAndDrain() {
        assertThat(of(true, false, List.of(), List.of())).isEqualTo(new Health(Status.UP, List.of()));
        assertThat(of(true, false, List.of("a"), List.of("b"))).isEqualTo(new Health(Status.DOWN, List.of("a", "b")));
        assertThat(of(false, false, List.of("a"), List.of()).status()).isEqualTo(Status.STARTING);
        assertThat(of(false, true, List.of("a"), List.of()).status()).isEqualTo(Status.DRAINING);
    }

    @Test
    void jsonOfReady() {
        assertThat(Json.write(of(true, false, List.of(), List.of()).toMap())).isEqualTo("{\"status\":\"ready\"}");
        assertThat(of(true, false, List.of("a"), List.of()).toMap())
                .containsEntry("status", "down")
                .containsEntry("reasons", List.of("a"));
    }

    @Test
    void programDrainsWithItsFlow() {
        Flow<String, String> one = Flow.named("one").to(call -> "done");
        Flow<String, String> two = Flow.named("two").to(call -> "done");
        assertThat(Health.of(one, two).isUp()).isTrue();
        two.drain(Duration.ZERO);
        assertThat(Health.of(one, two).status()).isEqualTo(Status.DRAINING);
    }
}
