package dev.penstock.races.httppool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Deadline;
import dev.penstock.Setting;
import dev.penstock.Ticker;
import dev.penstock.Unknown;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.lab.simulate.tcp.IdleKill;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Behind a middlebox that silently drops idle connections, each caller of a burst times out once, and never again. */
@Timeout(60)
class SilentDeathRealClockTest {
    private static final Duration KILLED_AFTER = Duration.ofMillis(1_200);
    private static final Duration PAUSE = Duration.ofMillis(1_600);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int CALLERS = 10;

    @Test
    void noTransactionWaitsOnADeadConnectionAfterLearning() throws Exception {
        try (HttpSimulator gateway = HttpSimulator.builder().start();
                TcpSimulator box = TcpSimulator.to("127.0.0.1", gateway.port())
                        .killIdle(KILLED_AFTER, IdleKill.BLACKHOLE)
                        .start();
                HttpTarget target = HttpTarget.of("http://127.0.0.1:" + box.port() + "/")) {
            assertThat(burst(target)).as("answered before any pause").isEqualTo(CALLERS);
            pause();
            assertThat(burst(target)).as("answered over what was forgotten").isLessThan(CALLERS);
            for (int i = 0; i < 3; i++) {
                pause();
                assertThat(burst(target)).as("answered once it was learned").isEqualTo(CALLERS);
            }
            assertThat(target.settings())
                    .filteredOn(setting -> setting.name().equals("pool.idle"))
                    .singleElement()
                    .satisfies(setting -> {
                        assertThat(setting.origin()).isEqualTo(Setting.Origin.LEARNED);
                        assertThat(setting.reason()).contains("silently");
                    });
        }
    }

    /** The number of concurrent calls that are answered in time. */
    private static int burst(HttpTarget target) throws Exception {
        Callable<Boolean> one = () -> Deadline.in(PATIENCE).call(() -> {
            try {
                return target.call(HttpCall.post("/", "<payment/>")).status() == 200;
            } catch (Unknown e) {
                return false;
            }
        });
        int answered = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> calls = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                calls.add(threads.submit(one));
            }
            for (Future<Boolean> call : calls) {
                answered += call.get() ? 1 : 0;
            }
        }
        return answered;
    }

    private static void pause() {
        long until = Ticker.SYSTEM.nanos() + PAUSE.toNanos();
        while (Ticker.SYSTEM.nanos() - until < 0) {
            Ticker.SYSTEM.parkUntil(until);
        }
    }
}
