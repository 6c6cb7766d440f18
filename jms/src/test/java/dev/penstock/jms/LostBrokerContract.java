package dev.penstock.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Target;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.collapse.Endings;
import dev.penstock.jms.broker.EmbeddedBroker;
import dev.penstock.lab.simulate.tcp.IdleKill;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What callers are told when the broker, or the way to it, is lost. */
@Timeout(60)
abstract class LostBrokerContract {
    private static final Duration TIME = Duration.ofSeconds(1);
    /** For what has no way to come through, however long it waits. */
    private static final Duration SHORT = Duration.ofMillis(400);

    @TempDir
    private Path folder;

    abstract JmsBroker at(int port);

    private static int port(EmbeddedBroker broker) {
        return Integer.parseInt(broker.url().replaceAll(".*:", ""));
    }

    private EmbeddedBroker start(int port) throws IOException {
        return EmbeddedBroker.on(folder, "127.0.0.1", port);
    }

    static <Q> Unanswered endingWithin(Duration time, Target<Q, ?> target, Q request) {
        long start = Ticker.SYSTEM.nanos();
        Unanswered ending =
                catchThrowableOfType(Unanswered.class, () -> Deadline.in(time).call(() -> target.call(request)));
        assertThat(Duration.ofNanos(Ticker.SYSTEM.nanos() - start)).isLessThan(time.plusSeconds(1));
        return ending;
    }

    static JmsMessage payment(String id) {
        return JmsTargetContract.payment(id);
    }

    @Test
    void aBrokerThatIsNotThereIsAskedForRarely() throws Exception {
        int nobody;
        try (EmbeddedBroker gone = start(0)) {
            nobody = port(gone);
        }
        try (var target = JmsTarget.at(at(nobody)).queue("q").build()) {
            assertThat(endingWithin(TIME, target, payment("p-1")).why()).isEqualTo(Failed.Cause.CONNECT);
            long start = Ticker.SYSTEM.nanos();
            int waits = 0;
            for (int i = 0; i < 1_000; i++) {
                Unanswered ending = endingWithin(TIME, target, payment("p-2"));
                assertThat(ending.why()).isEqualTo(Failed.Cause.CONNECT);
                waits += String.valueOf(ending.getMessage()).contains("the next try is in") ? 1 : 0;
            }
            assertThat(waits).isGreaterThan(900);
            assertThat(Duration.ofNanos(Ticker.SYSTEM.nanos() - start)).isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void aBrokerThatComesBackIsFoundAndNothingIsLost() throws Exception {
        Set<String> answered = ConcurrentHashMap.newKeySet();
        AtomicInteger unknown = new AtomicInteger();
        AtomicBoolean stop = new AtomicBoolean();
        EmbeddedBroker first = start(0);
        int port = port(first);
        try (var target = JmsTarget.at(at(port)).queue("q").key("payment").build();
                var batch = JmsBatch.over(target)) {
            Thread sender = Thread.ofVirtual().start(() -> send(target, batch, stop, answered, unknown));
            awaitMoreThan(50, answered);
            first.close();
            try (EmbeddedBroker second = start(port)) {
                awaitMoreThan(answered.size() + 50, answered);
                stop.set(true);
                sender.join();
                assertThat(second.count("q")).isBetween((long) answered.size(), (long) answered.size() + unknown.get());
            }
        }
    }

    private static void send(
            JmsTarget target, JmsBatch batch, AtomicBoolean stop, Set<String> answered, AtomicInteger unknown) {
        for (int i = 0; !stop.get(); i++) {
            List<JmsMessage> two = List.of(payment("a-" + i), payment("b-" + i));
            try {
                target.call(payment("c-" + i));
                answered.add("c-" + i);
                Endings<JmsReceipt> endings = batch.call(two);
                for (int place = 0; place < 2; place++) {
                    endings.answer(place);
                    answered.add(two.get(place).text());
                }
            } catch (Unanswered ending) {
                // Who is told at once that there is no broker need not ask as fast as he can.
                LockSupport.parkNanos(1_000_000);
                unknown.addAndGet(ending instanceof Unknown ? 2 : 0);
            }
        }
    }

    private static void awaitMoreThan(int count, Set<String> answered) {
        while (answered.size() <= count) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void aWayOnWhichNothingComesThroughHoldsNobody() throws Exception {
        try (EmbeddedBroker broker = start(0);
                TcpSimulator way = TcpSimulator.to("127.0.0.1", port(broker))
                        .killIdle(Duration.ofMillis(300), IdleKill.BLACKHOLE)
                        .start();
                var target = JmsTarget.at(at(way.port())).queue("q").sessions(2).build();
                var batch = JmsBatch.over(target);
                var requests = JmsRequests.over(target)) {
            target.call(payment("p-1"));
            batch.call(List.of(payment("p-2"), payment("p-3")));
            assertThat(endingWithin(TIME, requests, payment("p-4")).why()).isEqualTo(Unknown.Cause.TIMEOUT);
            // By now nobody hears anything of the broker: the one session is stuck, and no other can be opened.
            assertThat(endingWithin(SHORT, target, payment("p-5")).why()).isEqualTo(Unknown.Cause.TIMEOUT);
            assertThat(endingWithin(SHORT, target, payment("p-6")).why()).isEqualTo(Rejected.Cause.POOL);
            Unanswered batched = endingWithin(SHORT, batch, List.of(payment("p-8"), payment("p-9")));
            assertThat(batched.why()).isIn(Failed.Cause.UNDONE, Unknown.Cause.TIMEOUT);
            assertThat(requests.waiting()).isZero();
            assertThat(broker.count("q")).isEqualTo(4);
            way.close(); // or each of them waits a while for the broker's farewell
        }
    }
}
