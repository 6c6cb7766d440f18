package dev.penstock.races.survive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Real peers and the real clock: a fault of the peer's process stops its answers, and loses nothing that it had
 * received.
 */
@Timeout(300)
class ProcessFaultRealClockTest {
    private static final int ODD = 1;

    static Stream<Arguments> faults() {
        return Stream.of(Subject.values())
                .flatMap(subject -> Stream.of(Fault.KILLED, Fault.STOPPED).map(fault -> Arguments.of(subject, fault)));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void faultedPeerAnswersNothingAndLosesNothing(Subject subject, Fault fault) throws Exception {
        assumeTrue(subject.whyNot().isEmpty(), () -> subject + ": " + subject.whyNot());
        Experiment.warmUp(subject);
        try (SystemUnderTest system = subject.open(FaultPlan.of(subject, 0).only(Set.of()))) {
            String before = answered(system, "before");

            system.begin(new FaultPlan.Step(fault, 0, 1, ODD));
            awaitNoAnswer(system);
            for (int i = 0; i < FaultPlan.CALLERS; i++) {
                assertThat(isAnswered(system, "during-" + i)).isFalse();
            }

            system.heal();
            String after = answered(system, "after");
            system.drain(Experiment.GRACE);
            assertThat(system.received()).containsAllEntriesOf(Map.of(before, 1, after, 1));
        }
    }

    /** PostgreSQL answers such commits up to 0.6 s before it writes them: a kill in between loses them. */
    @Test
    void detectsADatabaseThatAnswersBeforeItWrites() throws Exception {
        Experiment.warmUp(Subject.JDBC);
        boolean lost = false;
        for (int seed = 0; !lost; seed++) {
            FaultPlan schedule = new FaultPlan(
                    Subject.JDBC, seed, 20, 100, false, List.of(new FaultPlan.Step(Fault.KILLED, 8, 12, ODD)));
            try (SystemUnderTest system = JdbcSubject.open(schedule, "&options=-c%20synchronous_commit=off")) {
                lost = Experiment.run(schedule, system).count(Oracle.Rule.LOST) > 0;
            }
        }
    }

    /** The signal takes effect shortly after the fault begins. */
    private static void awaitNoAnswer(SystemUnderTest system) throws Exception {
        for (int i = 0; isAnswered(system, "at-first-" + i); i++) {
            Thread.onSpinWait();
        }
    }

    /** The id of an answered transaction; on a busy machine some miss their deadline first. */
    private static String answered(SystemUnderTest system, String name) throws Exception {
        int i = 0;
        while (!isAnswered(system, name + i)) {
            i++;
        }
        return name + i;
    }

    private static boolean isAnswered(SystemUnderTest system, String id) throws Exception {
        try {
            return system.call(id).equals(id);
        } catch (Rejected | Failed | Unknown unanswered) {
            return false;
        }
    }
}
