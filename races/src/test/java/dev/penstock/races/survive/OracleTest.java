package dev.penstock.races.survive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Accounting;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OracleTest {
    private final Oracle oracle = new Oracle();

    @Test
    void acceptsCorrectEndings() {
        answer("a", "a");
        end("b", new Rejected(Rejected.Cause.LIMIT, "full"));
        end("c", new Failed(Failed.Cause.CONNECT, "refused"));
        end("d", new Unknown(Unknown.Cause.TIMEOUT, "late"));
        end("e", new NoClassDefFoundError());

        assertThat(oracle.violations(Map.of("a", 1, "d", 1), new Accounting(5, 1, 1, 1, 2, 0, Map.of())))
                .isEmpty();
        assertThat(oracle.endings())
                .containsEntry(Oracle.Ending.ANSWERED, 1)
                .containsEntry(Oracle.Ending.REJECTED, 1)
                .containsEntry(Oracle.Ending.FAILED, 1)
                .containsEntry(Oracle.Ending.UNKNOWN, 2);
    }

    @Test
    void answeredButNotReceivedIsLost() {
        answer("a", "a");
        assertThat(rules(Map.of())).containsExactly(Oracle.Rule.LOST);
    }

    @Test
    void receivedTwiceIsDoubled() {
        answer("a", "a");
        assertThat(rules(Map.of("a", 2))).containsExactly(Oracle.Rule.DOUBLED);
    }

    @Test
    void receivedIsDeniedUnlessACallReportedUnknown() {
        end("a", new Failed(Failed.Cause.ROLLED_BACK, "undone"));
        end("a", new Rejected(Rejected.Cause.BREAKER, "open"));
        end("b", new Unknown(Unknown.Cause.CLOSED, "closed"));
        end("b", new Rejected(Rejected.Cause.BREAKER, "open"));
        assertThat(rules(Map.of("a", 1, "b", 1))).containsExactly(Oracle.Rule.DENIED);
    }

    @Test
    void answerOfAnotherTransactionIsAMistake() {
        answer("a", "b");
        assertThat(rules(Map.of("a", 1))).containsExactly(Oracle.Rule.MISTAKEN);
    }

    @Test
    void differentCountsAreUnbalanced() {
        answer("a", "a");
        assertThat(oracle.violations(Map.of("a", 1), new Accounting(1, 0, 0, 0, 1, 0, Map.of())))
                .extracting(Oracle.Violation::rule)
                .containsExactly(Oracle.Rule.UNBALANCED);
        assertThat(oracle.violations(Map.of("a", 1), new Accounting(2, 1, 0, 0, 0, 1, Map.of())))
                .extracting(Oracle.Violation::rule)
                .containsExactly(Oracle.Rule.UNBALANCED);
    }

    @Test
    void listsCallsWithoutAnEnding() {
        Oracle.Call call = oracle.begins("a", 100);
        assertThat(oracle.withoutEndingSince(100)).isEmpty();
        assertThat(oracle.withoutEndingSince(101)).containsExactly(call);
        oracle.answered(call, "a");
        assertThat(oracle.withoutEndingSince(101)).isEmpty();
    }

    private void answer(String id, String answered) {
        oracle.answered(oracle.begins(id, 0), answered);
    }

    private void end(String id, Throwable how) {
        Oracle.Ending _ = oracle.ended(oracle.begins(id, 0), how);
    }

    private List<Oracle.Rule> rules(Map<String, Integer> received) {
        return oracle.violations(received, null).stream()
                .map(Oracle.Violation::rule)
                .toList();
    }
}
