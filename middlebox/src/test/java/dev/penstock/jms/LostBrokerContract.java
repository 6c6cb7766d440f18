package dev.penstock.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Answered;
import dev.penstock.BatchEndings;
import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Target;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import dev.penstock.jms.broker.EmbeddedBroker;
import dev.penstock.kit.ManualTicker;
import dev.penstock.kit.StablePort;
import dev.penstock.lab.simulate.tcp.IdleKill;
import dev.penstock.lab.simulate.tcp.TcpFault;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The endings of calls when the broker, or the path to it, is lost. */
@Timeout(300)
abstract class LostBrokerContract {
    private static final Duration TIME = Duration.ofSeconds(5);
    /** Far longer than the deadline of a call: a call that takes this long hangs. */
    private static final Duration HELD = Duration.ofSeconds(60);

    private static final Duration IDLE = Duration.ofSeconds(1);
    private static final Duration SHORT = Duration.ofMillis(500);

    @TempDir
    private Path folder;

    abstract JmsBroker at(int port);

    /** The client's message for a port without a listener. */
    abstract String refused();

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
        assertThat(Duration.ofNanos(Ticker.SYSTEM.nanos() - start)).isLessThan(time.plus(HELD));
        return ending;
    }

    static JmsMessage payment(String id) {
        return JmsTargetContract.payment(id);
    }

    @Test
    void backsOffWhileTheBrokerIsDown() throws Exception {
        try (var target = JmsTarget.at(at(StablePort.free())).queue("q").build()) {
            assertThat(endingWithin(TIME, target, payment("p-1")).why()).isEqualTo(Failed.Cause.CONNECT);
            int waits = 0;
            for (int i = 0; i < 1_000; i++) {
                Unanswered ending = endingWithin(TIME, target, payment("p-2"));
                assertThat(ending.why()).isEqualTo(Failed.Cause.CONNECT);
                waits += String.valueOf(ending.getMessage()).contains("next attempt in") ? 1 : 0;
            }
            // The waits double from 100 ms to 5 s, so there are fewer than 100 attempts in five minutes.
            assertThat(waits).isGreaterThan(900);
        }
    }

    @Test
    void flowKeepsTheReasonWhyTheBrokerIsDown() throws Exception {
        int nobody;
        try (EmbeddedBroker gone = start(0)) {
            nobody = port(gone);
        }
        try (var target = JmsTarget.at(at(nobody)).queue("q").build()) {
            var flow = Flow.named("orders").to(target);
            assertThat(catchThrowableOfType(Unanswered.class, () -> flow.call(payment("p-1")))
                            .why())
                    .isEqualTo(Failed.Cause.CONNECT);
            assertThat(flow.reasons()).hasSize(1);
            assertThat(flow.reasons().getFirst().reason().format())
                    .contains("127.0.0.1:" + nobody)
                    .contains(refused());
            assertThat(flow.bottleneck().sentence())
                    .startsWith("connecting fails: 1 of 1")
                    .contains(refused());
        }
    }

    @Test
    void reconnectsToARestartedBrokerWithoutLoss() throws Exception {
        Set<String> answered = ConcurrentHashMap.newKeySet();
        Set<String> unknown = ConcurrentHashMap.newKeySet();
        AtomicBoolean stop = new AtomicBoolean();
        int port = StablePort.free();
        EmbeddedBroker first = start(port);
        try (var target = JmsTarget.at(at(port)).queue("q").key("payment").build();
                var batch = JmsBatch.over(target)) {
            Thread sender = Thread.ofVirtual().start(() -> send(target, batch, stop, answered, unknown));
            awaitMoreThan(50, answered);
            first.close();
            try (EmbeddedBroker second = start(port)) {
                awaitMoreThan(answered.size() + 50, answered);
                stop.set(true);
                sender.join();
                Set<String> there = all(second, at(port), answered);
                assertThat(there).containsAll(answered);
                unknown.addAll(answered);
                assertThat(there).isSubsetOf(unknown);
            }
        }
    }

    /**
     * Receives all messages of the queue, each of which must be there once; waits up to a minute for the expected ones.
     */
    private static Set<String> all(EmbeddedBroker second, JmsBroker broker, Set<String> wanted) throws Exception {
        Set<String> texts = new HashSet<>();
        long end = Ticker.SYSTEM.nanos() + HELD.toNanos();
        try (Inbox inbox = new Inbox(broker.factory(), "q")) {
            while ((second.count("q") > 0 || !texts.containsAll(wanted)) && Ticker.SYSTEM.nanos() - end < 0) {
                String text = inbox.poll();
                assertThat(text == null || texts.add(text))
                        .as("%s is there once", text)
                        .isTrue();
            }
        }
        return texts;
    }

    private static void send(
            JmsTarget target, JmsBatch batch, AtomicBoolean stop, Set<String> answered, Set<String> unknown) {
        for (int i = 0; !stop.get(); i++) {
            List<JmsMessage> three = List.of(payment("a-" + i), payment("b-" + i), payment("c-" + i));
            try {
                target.call(three.getLast());
                answered.add("c-" + i);
            } catch (Unanswered ending) {
                note(ending, three.getLast(), unknown);
                continue;
            }
            try {
                BatchEndings<JmsReceipt> endings = batch.call(three.subList(0, 2));
                for (int place = 0; place < 2; place++) {
                    switch (endings.get(place)) {
                        case Answered<?> _ -> answered.add(three.get(place).text());
                        case Unanswered ending -> note(ending, three.get(place), unknown);
                    }
                }
            } catch (Unanswered ending) {
                note(ending, three.getFirst(), unknown);
                note(ending, three.get(1), unknown);
            }
        }
    }

    private static void note(Unanswered ending, JmsMessage message, Set<String> unknown) {
        if (ending instanceof Unknown) {
            unknown.add(message.text());
        }
        // A caller that fails immediately pauses before its next call.
        LockSupport.parkNanos(1_000_000);
    }

    private static void awaitMoreThan(int count, Set<String> answered) {
        JmsTargetContract.await(() -> answered.size() > count);
    }

    @Test
    void callsReturnInTimeOverABlackholedPath() throws Exception {
        ManualTicker ticker = new ManualTicker();
        try (EmbeddedBroker broker = start(0);
                TcpSimulator way = TcpSimulator.to("127.0.0.1", port(broker))
                        .ticker(ticker)
                        .killIdle(IDLE, IdleKill.BLACKHOLE)
                        .start();
                var target = JmsTarget.at(at(way.port())).queue("q").sessions(2).build();
                var batch = JmsBatch.over(target);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            target.call(payment("p-1"));
            batch.call(List.of(payment("p-2"), payment("p-3")));
            JmsTargetContract.await(
                    () -> broker.count("q") == 3 && target.connections().getOrDefault("sessions_leased", -1L) == 0);
            // From here on the broker is unreachable: the only session hangs, and no other can be opened.
            ticker.advance(IDLE);
            Future<Unanswered> stuck = callers.submit(() -> endingWithin(TIME, target, payment("p-5")));
            Future<Unanswered> batched =
                    callers.submit(() -> endingWithin(TIME, batch, List.of(payment("p-8"), payment("p-9"))));
            JmsTargetContract.await(() -> target.connections().getOrDefault("sessions_leased", -1L) == 1
                    && target.connections().getOrDefault("sessions_idle", -1L) == 0);
            assertThat(endingWithin(TIME, target, payment("p-6")).why()).isEqualTo(Rejected.Cause.POOL);
            assertThat(stuck.get().why()).isEqualTo(Unknown.Cause.TIMEOUT);
            assertThat(batched.get().why()).isIn(Failed.Cause.UNDONE, Unknown.Cause.TIMEOUT);
            assertThat(broker.count("q")).isEqualTo(3);
            way.close(); // otherwise each of them waits a while for the broker's close frame
        }
    }

    /** By itself, the client would notice after its configured timeout, far later than a caller may wait. */
    @Test
    void replacesASilentConnectionWhenAnotherOneWorks() throws Exception {
        try (EmbeddedBroker broker = start(0);
                TcpSimulator way = TcpSimulator.to("127.0.0.1", port(broker)).start();
                var target = JmsTarget.at(patient(way.port())).queue("q").build()) {
            target.call(payment("p-1"));
            way.inject(new TcpFault.Blackhole());
            assertThat(endingWithin(SHORT, target, payment("p-2")).why()).isEqualTo(Unknown.Cause.TIMEOUT);
            way.heal();
            long end = Ticker.SYSTEM.nanos() + HELD.toNanos();
            boolean answered = false;
            while (!answered && Ticker.SYSTEM.nanos() - end < 0) {
                answered = isAnswered(target);
            }
            assertThat(answered).isTrue();
            assertThat(target.connections()).containsEntry("opened", 2L);
            way.close(); // otherwise the silent one waits a while for the broker's close frame
        }
    }

    @Test
    void abandonsAnUnansweredConnectAndTheNextOneWorks() throws Exception {
        try (EmbeddedBroker broker = start(0);
                TcpSimulator way = TcpSimulator.to("127.0.0.1", port(broker)).start();
                var target = JmsTarget.at(at(way.port())).queue("q").build()) {
            way.inject(new TcpFault.Blackhole());
            Unanswered ending = endingWithin(HELD, target, payment("p-1"));
            assertThat(ending.why()).isEqualTo(Failed.Cause.CONNECT);
            assertThat(ending).hasMessageContaining(": no answer within 5 s");
            way.heal();
            long end = Ticker.SYSTEM.nanos() + HELD.toNanos();
            boolean answered = false;
            while (!answered && Ticker.SYSTEM.nanos() - end < 0) {
                answered = isAnswered(target);
            }
            assertThat(answered).isTrue();
            assertThat(target.connections()).containsEntry("opened", 1L);
        }
    }

    /** With a client that does not check by itself whether its connection is alive. */
    abstract JmsBroker patient(int port);

    private static boolean isAnswered(JmsTarget target) {
        try {
            JmsReceipt _ = Deadline.in(SHORT).call(() -> target.call(payment("p-3")));
            return true;
        } catch (Unanswered ending) {
            return false;
        } catch (Exception unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
