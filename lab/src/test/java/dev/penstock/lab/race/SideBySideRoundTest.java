package dev.penstock.lab.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kit.ManualTicker;
import dev.penstock.lab.race.Lineup.Place;
import dev.penstock.lab.race.SideBySideRound.BlockTask;
import dev.penstock.lab.report.Contestant.Role;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SideBySideRoundTest {
    private static final List<Place> ORDER = Stream.of("a", "b", "c")
            .map(name -> new Place(name, Entry.inside(name, Role.PEER, Map.of())))
            .toList();

    private final ManualTicker ticker = new ManualTicker();
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private Thread runner = Thread.currentThread();

    private FutureTask<Boolean> start(BlockTask task) {
        SideBySideRound round = new SideBySideRound(Duration.ofSeconds(2), ticker);
        FutureTask<Boolean> run = new FutureTask<>(() -> {
            round.run(ORDER, task, () -> events.add("all ready"));
            return true;
        });
        runner = Thread.ofVirtual().start(run);
        return run;
    }

    private String started(Place place) {
        return place.name() + " starts at " + Duration.ofNanos(ticker.nanos()).toMillis() + " ms";
    }

    @Test
    void preparedOneAfterTheOtherLoadsStartApart() throws Exception {
        FutureTask<Boolean> run = start((place, gate) -> {
            events.add("prepares " + place.name());
            gate.await();
            events.add(started(place));
        });

        for (String expected : List.of("prepares a", "prepares b", "prepares c", "all ready", "a starts at 0 ms")) {
            assertThat(events.take()).isEqualTo(expected);
        }
        ticker.awaitParked(2);
        ticker.advance(Duration.ofMillis(1_999));
        assertThat(ticker.parked()).isEqualTo(2);
        ticker.advance(Duration.ofMillis(1));
        assertThat(events.take()).isEqualTo("b starts at 2000 ms");
        ticker.advance(Duration.ofSeconds(2));
        assertThat(events.take()).isEqualTo("c starts at 4000 ms");
        assertThat(run.get()).isTrue();
    }

    @Test
    void oneThatEndsBeforeItIsReadyHoldsNoOther() throws Exception {
        FutureTask<Boolean> run = start((place, gate) -> {
            if (!place.name().equals("b")) {
                gate.await();
                events.add(started(place));
            }
        });

        assertThat(events.take()).isEqualTo("all ready");
        assertThat(events.take()).isEqualTo("a starts at 0 ms");
        ticker.awaitParked(1);
        ticker.advance(Duration.ofSeconds(4));
        assertThat(events.take()).isEqualTo("c starts at 4000 ms");
        assertThat(run.get()).isTrue();
    }

    @Test
    void anInterruptEndsThoseThatRunAndThoseThatWait() throws Exception {
        FutureTask<Boolean> run = start((place, gate) -> {
            try {
                gate.await();
                events.add(started(place));
                new CountDownLatch(1).await();
            } finally {
                events.add(place.name() + " ends");
            }
        });
        assertThat(events.take()).isEqualTo("all ready");
        assertThat(events.take()).isEqualTo("a starts at 0 ms");
        ticker.awaitParked(2);

        runner.interrupt();

        assertThatThrownBy(run::get).cause().isInstanceOf(InterruptedException.class);
        assertThat(events).containsExactlyInAnyOrder("a ends", "b ends", "c ends");
    }

    @Test
    void anInterruptWhileOneIsPreparedEndsAll() throws Exception {
        FutureTask<Boolean> run = start((place, gate) -> {
            events.add("prepares " + place.name());
            try {
                if (place.name().equals("b")) {
                    new CountDownLatch(1).await();
                }
                gate.await();
            } finally {
                events.add(place.name() + " ends");
            }
        });
        assertThat(events.take()).isEqualTo("prepares a");
        assertThat(events.take()).isEqualTo("prepares b");

        runner.interrupt();

        assertThatThrownBy(run::get).cause().isInstanceOf(InterruptedException.class);
        assertThat(events).containsExactlyInAnyOrder("a ends", "b ends");
    }
}
