package dev.penstock.cli;

import dev.penstock.http.HttpAnswer;
import dev.penstock.lab.load.AnswerJudge;
import dev.penstock.lab.measure.Outcome;
import dev.penstock.lab.report.AnswerCount;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Judges the answers of an HTTP load and counts them by status code. A 2xx is right. If a Penstock gateway reports an
 * ending other than answered in the header {@value #ENDING}, the answer counts as that ending, with the cause from its
 * body (RFC 9457). Thread-safe.
 */
final class HttpAnswers implements AnswerJudge<HttpAnswer> {
    private static final String ENDING = "Penstock-Ending";
    private static final JsonMapper JSON = new JsonMapper();
    private static final Comparator<Kind> ORDER = Comparator.comparingInt(Kind::status)
            .thenComparing(Kind::ending, Comparator.nullsFirst(Comparator.naturalOrder()))
            .thenComparing(Kind::cause, Comparator.nullsFirst(Comparator.naturalOrder()));

    private final Map<Kind, LongAdder> counts = new ConcurrentHashMap<>();
    /** By label. */
    private final LongAdder[] received;

    /** For a load with this many labels; 1 for one without. */
    HttpAnswers(int labels) {
        received = new LongAdder[labels];
        Arrays.setAll(received, label -> new LongAdder());
    }

    /** The key of a row of equal answers. */
    private record Kind(
            int status, @Nullable String ending, @Nullable String cause) {}

    @Override
    public Outcome judge(HttpAnswer answer, int label, boolean measured) {
        String ending = answer.headers().first(ENDING);
        Outcome reported = ending == null ? null : Outcome.reported(ending, cause(answer));
        if (measured) {
            received[label].add(answer.body().length);
            String cause = reported == null ? null : reported.cause();
            counts.computeIfAbsent(new Kind(answer.status(), ending, cause), kind -> new LongAdder())
                    .increment();
        }
        if (reported != null) {
            return reported;
        }
        return answer.status() / 100 == 2 ? Outcome.RIGHT : Outcome.WRONG;
    }

    private static String cause(HttpAnswer answer) {
        try {
            JsonNode problem = JSON.readTree(answer.body());
            return problem.path("cause").asString("");
        } catch (JacksonException invalid) {
            return "";
        }
    }

    /** The bytes of all bodies so far, by label. */
    List<Long> receivedBytes() {
        return Stream.of(received).map(LongAdder::sum).toList();
    }

    /** The current counts by status code. */
    List<AnswerCount> counts() {
        return counts.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(ORDER))
                .map(row -> new AnswerCount(
                        row.getKey().status(),
                        row.getKey().ending(),
                        row.getKey().cause(),
                        row.getValue().sum()))
                .toList();
    }
}
