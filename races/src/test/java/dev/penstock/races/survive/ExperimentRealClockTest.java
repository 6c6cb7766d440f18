package dev.penstock.races.survive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Accounting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real peers and the real clock: a system that breaks a rule is detected. */
@Timeout(300)
class ExperimentRealClockTest {
    @Test
    void detectsASystemThatLosesEverything() throws Exception {
        assertThat(rules(new Echo())).contains(Oracle.Rule.LOST).doesNotContain(Oracle.Rule.HUNG);
    }

    @Test
    void detectsAndEndsACallThatHangs() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        assertThat(rules(new Echo() {
                    @Override
                    public String call(String id) throws InterruptedException {
                        never.await();
                        return id;
                    }
                }))
                .contains(Oracle.Rule.HUNG);
    }

    @Test
    void faultsBeginAndEndInOrder() throws Exception {
        FaultPlan schedule = FaultPlan.of(Subject.HTTP, 1);
        Echo system = new Echo();
        Experiment.Result _ = Experiment.run(schedule, system);
        List<String> expected = new ArrayList<>();
        for (FaultPlan.Step step : schedule.steps()) {
            expected.add(step.toString());
            expected.add("healed");
        }
        expected.add("healed");
        assertThat(system.faults).isEqualTo(expected);
    }

    private static List<Oracle.Rule> rules(SystemUnderTest system) throws Exception {
        return Experiment.run(FaultPlan.of(Subject.HTTP, 1), system).violations().stream()
                .map(Oracle.Violation::rule)
                .toList();
    }

    static Experiment.Result result(FaultPlan schedule, List<Oracle.Violation> violations) {
        return new Experiment.Result(schedule, new EnumMap<>(Oracle.Ending.class), violations, 0);
    }

    /** Answers everything, without a peer. */
    private static class Echo implements SystemUnderTest {
        final List<String> faults = new ArrayList<>();
        private final AtomicInteger calls = new AtomicInteger();

        @Override
        public String call(String id) throws InterruptedException {
            calls.incrementAndGet();
            return id;
        }

        @Override
        public void begin(FaultPlan.Step step) {
            faults.add(step.toString());
        }

        @Override
        public void heal() {
            faults.add("healed");
        }

        @Override
        public Map<String, Integer> received() {
            return Map.of();
        }

        @Override
        public Accounting drain(Duration atMost) {
            return new Accounting(calls.get(), calls.get(), 0, 0, 0, 0, Map.of());
        }

        @Override
        public List<String> leaks() {
            return List.of();
        }

        @Override
        public void close() {}
    }
}
