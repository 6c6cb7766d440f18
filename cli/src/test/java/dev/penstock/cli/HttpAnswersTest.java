package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.HttpAnswer;
import dev.penstock.lab.measure.Outcome;
import dev.penstock.lab.report.AnswerCount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpAnswersTest {
    private final HttpAnswers answers = new HttpAnswers(1);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "503 | rejected | {\"ending\":\"rejected\",\"cause\":\"limit\"} | rejected limit",
                "503 | rejected | {\"cause\":\"of a later version\"} | rejected other",
                "504 | unknown | {\"cause\":\"timeout\"} | unknown timeout",
                "502 | failed | no JSON | failed other",
                "502 | failed | {\"cause\":7} | failed other",
                "502 | failed | [] | failed other",
                "400 | none | {\"cause\":\"bad_input\"} | answered wrong",
                "404 | answered | not here | answered wrong",
                "204 | answered | `` | answered right",
            })
    void countsEndingReportedByAGateway(int status, String ending, String body, String outcome) {
        HttpAnswer answer = HttpAnswer.of(status, body).withHeader("Penstock-Ending", ending);

        assertThat(answers.judge(answer, 0, true)).hasToString(outcome);
    }

    @Test
    void withoutAnEndingTheStatusDecides() {
        assertThat(answers.judge(HttpAnswer.of(299, ""), 0, true)).isSameAs(Outcome.RIGHT);
        assertThat(answers.judge(HttpAnswer.of(503, "{\"cause\":\"limit\"}"), 0, true))
                .isSameAs(Outcome.WRONG);
        assertThat(answers.judge(HttpAnswer.of(301, ""), 0, true)).isSameAs(Outcome.WRONG);
    }

    @Test
    void countsByStatusWithoutTheWarmUp() {
        answers.judge(HttpAnswer.of(503, ""), 0, true);
        answers.judge(HttpAnswer.of(200, ""), 0, true);
        answers.judge(HttpAnswer.of(200, ""), 0, true);
        answers.judge(HttpAnswer.of(200, ""), 0, false);
        answers.judge(HttpAnswer.of(503, "{\"cause\":\"queue\"}").withHeader("Penstock-Ending", "rejected"), 0, true);

        assertThat(answers.counts())
                .containsExactly(
                        new AnswerCount(200, null, null, 2),
                        new AnswerCount(503, null, null, 1),
                        new AnswerCount(503, "rejected", "queue", 1));
    }
}
