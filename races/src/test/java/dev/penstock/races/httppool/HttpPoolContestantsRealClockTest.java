package dev.penstock.races.httppool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.load.PaymentXml;
import dev.penstock.lab.load.PaymentXml.Payment;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Scene;
import dev.penstock.races.httppool.Client.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Real sockets: each contestant sends payments and leaves no thread behind. */
@Timeout(60)
class HttpPoolContestantsRealClockTest {
    private static final int PAYMENTS = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    static List<String> all() {
        return HttpPoolContestants.ALL.names();
    }

    @ParameterizedTest
    @MethodSource("all")
    void sendsEachPaymentOnceAndLeavesNoThread(String contestant) throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        Block block = new Block(contestant, Effort.QUICK, 1, 1);
        try (Scene scene = SpeedCourse.plain().open(block)) {
            try (Client client = HttpCourse.client(block, scene.parameters())) {
                assertThat(carry(client)).hasSize(PAYMENTS).allMatch(Reply::isApproved);
            }

            assertThat(scene.metrics()).containsEntry("duplicates", 0.0).containsEntry("cut", 0.0);
            assertThat(((SimulatorScene) scene).ids()).isEqualTo(PAYMENTS);
        }
        Set<Thread> left = new HashSet<>(Thread.getAllStackTraces().keySet());
        left.removeAll(before);
        left.removeIf(Thread::isDaemon);
        for (Thread thread : left) {
            assertThat(thread.join(PATIENCE)).as("thread " + thread).isTrue();
        }
    }

    /** Half of the payments one after another, so that connections are reused; the rest concurrently. */
    static List<Reply> carry(Client client) throws Exception {
        PaymentXml payments = new PaymentXml(1);
        List<Reply> replies = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < PAYMENTS / 2; i++) {
                replies.add(threads.submit(call(client, payments.apply(i))).get());
            }
            List<Future<Reply>> rest = new ArrayList<>();
            for (int i = PAYMENTS / 2; i < PAYMENTS; i++) {
                rest.add(threads.submit(call(client, payments.apply(i))));
            }
            for (Future<Reply> reply : rest) {
                replies.add(reply.get());
            }
        }
        return replies;
    }

    private static Callable<Reply> call(Client client, Payment payment) {
        return () -> client.call(payment);
    }
}
