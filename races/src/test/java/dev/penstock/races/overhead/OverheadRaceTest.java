package dev.penstock.races.overhead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Race;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.Metric;
import dev.penstock.races.overhead.JmhRun.FirstWords;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.runner.BenchmarkException;
import org.openjdk.jmh.runner.RunnerException;

class OverheadRaceTest {
    private static final Race RACE = new OverheadRace();

    @Test
    void isFoundByName() {
        assertThat(ServiceLoader.load(Race.class)).extracting(Race::name).contains("overhead");
    }

    @Test
    void coursesHaveTheSameContestants() {
        assertThat(RACE.courses()).extracting(Course::name).containsExactly("no-op", "no-op-two-threads");
        assertThat(RACE.courses().get(0).entries())
                .isEqualTo(RACE.courses().get(1).entries());
        assertThat(RACE.courses().get(0).entries())
                .extracting(Entry::name)
                .containsExactly(
                        "direct",
                        "penstock",
                        "penstock-adaptive",
                        "resilience4j",
                        "resilience4j-time-window",
                        "resilience4j-metered",
                        "failsafe",
                        "failsafe-timeout",
                        "hystrix-semaphore");
    }

    @Test
    void hasOursAndOneLimit() {
        List<Entry> entries = RACE.courses().getFirst().entries();
        assertThat(entries).filteredOn(entry -> entry.role() == Role.OURS).hasSize(2);
        assertThat(entries).filteredOn(entry -> entry.role() == Role.LIMIT).hasSize(1);
    }

    @Test
    void judgesOnlyMetricsWithADirection() {
        assertThat(RACE.courses())
                .allSatisfy(course -> assertThat(course.judged())
                        .isNotEmpty()
                        .allMatch(key -> Metric.of(key).better() == Metric.Better.LOWER));
    }

    @Test
    void reportsTheDurationOfABlock() {
        Course course = RACE.courses().getFirst();
        assertThat(course.blockTime(Effort.QUICK)).hasMillis(4_200);
        assertThat(course.blockTime(Effort.FULL)).hasSeconds(11);
        assertThat(course.workload(Effort.QUICK)).contains("one thread").contains("3 x 400 ms measured");
        assertThat(RACE.courses().getLast().workload(Effort.FULL)).contains("2 threads");
    }

    static List<String> all() {
        return OverheadContestants.ALL.names();
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyContestantPassesRequestAndAnswerOn(String contestant) throws Exception {
        assertThat(OverheadContestants.ALL
                        .named(contestant)
                        .apply(request -> "answer to " + request)
                        .call("this"))
                .isEqualTo("answer to this");
    }

    @Test
    void unknownContestantIsAnErrorThatListsTheNames() {
        assertThatThrownBy(() -> OverheadContestants.ALL.named("nobody"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the race overhead has no contestant nobody: use one of direct, penstock,");
    }

    @Test
    void missingFiguresAreExplainedByTheRootCause() {
        Throwable own = new IllegalStateException("no permit\nat line 3");
        Throwable thrown = new RunnerException("it failed", new BenchmarkException("error", List.of(own)));
        assertThat(JmhRun.firstLine(JmhRun.deepest(thrown))).isEqualTo("no permit");
        assertThat(JmhRun.firstLine(new IllegalStateException())).isEqualTo("IllegalStateException");
        assertThat(JmhRun.firstLine(
                        new RunnerException("ERROR: Unable to acquire the JMH lock (/tmp/jmh.lock), exiting.")))
                .isEqualTo("another JMH run holds the lock on this machine: start this race when it has ended");
    }

    @Test
    void capturedOutputIsTheFirstLineAndBounded() throws Exception {
        FirstWords said = new FirstWords();
        assertThat(said).hasToString("");
        said.format().println("JMH itself is silent");
        assertThat(said).hasToString("");
        said.format().write("\nno room for the heap\nmore\n".getBytes(StandardCharsets.UTF_8));
        said.format().write("x".repeat(5_000).getBytes(StandardCharsets.UTF_8));
        assertThat(said).hasToString(" (no room for the heap)");
    }
}
