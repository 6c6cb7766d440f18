package dev.penstock.http.batch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Answered;
import dev.penstock.BatchEndings;
import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Whatever JSON is sent and answered: every byte comes back to whom it belongs, or nobody gets anything. */
class JsonBatchPropertyTest {
    private static final List<JsonBatch> FORMATS = List.of(JsonBatch.array(), JsonBatch.lines());

    @Provide
    Arbitrary<String> json() {
        return Arbitraries.lazyOf(this::scalar, this::scalar, this::list, this::object);
    }

    private Arbitrary<String> scalar() {
        Arbitrary<String> text = Arbitraries.strings()
                .withChars("a,]}[{:\"\\ \u00e9\u4e2d")
                .withChars("/\ud83d\ude00".substring(0, 1))
                .ofMaxLength(8)
                .map(chars -> '"' + chars.replace("\\", "\\\\").replace("\"", "\\\"") + '"');
        Arbitrary<String> number = Arbitraries.bigIntegers()
                .map(Object::toString)
                .flatMap(digits -> Arbitraries.of(digits, digits + ".0", digits + "e400"));
        return Arbitraries.oneOf(
                text, number, Arbitraries.of("true", "false", "null", "{}", "[]", "\"\\u2028\\ud83d\"", "-0"));
    }

    private Arbitrary<String> list() {
        return Combinators.combine(json().list().ofMaxSize(3), space())
                .as((all, space) -> "[" + space + String.join(space + "," + space, all) + space + "]");
    }

    private Arbitrary<String> object() {
        return Combinators.combine(json().list().ofMaxSize(3), space()).as((all, space) -> {
            List<String> members = new ArrayList<>();
            for (String value : all) {
                members.add("\"m" + members.size() + "\"" + space + ":" + space + value);
            }
            return "{" + space + String.join("," + space, members) + space + "}";
        });
    }

    private Arbitrary<String> space() {
        return Arbitraries.of("", " ", "\n", "\r\n\t ");
    }

    private static List<HttpCall> calls(List<String> bodies) {
        return bodies.stream().map(body -> HttpCall.post("/", body)).toList();
    }

    private static HttpAnswer answer(byte[] body) {
        return HttpAnswer.of(200, new String(body, UTF_8)).withHeader("Content-Type", "application/json");
    }

    @Property(tries = 300)
    void whatIsEchoedComesBackToWhomItBelongs(@ForAll @Size(min = 1, max = 8) List<@From("json") String> bodies)
            throws Exception {
        for (JsonBatch format : FORMATS) {
            List<HttpCall> requests = calls(bodies);
            assertThat(requests).allMatch(format::fits);
            BatchEndings<HttpAnswer> endings =
                    format.endings(requests, answer(format.call(requests).body()));
            for (int place = 0; place < bodies.size(); place++) {
                String body = format.toString().equals("ndjson")
                        ? bodies.get(place).replace('\n', ' ').replace('\r', ' ')
                        : bodies.get(place);
                assertThat(endings.answer(place).text()).isEqualTo(body);
                assertThat(endings.answer(place).status()).isEqualTo(200);
            }
        }
    }

    @Property(tries = 300)
    void aBrokenAnswerTellsNobodyAnything(
            @ForAll @Size(min = 1, max = 5) List<@From("json") String> bodies,
            @ForAll @IntRange(max = 200) int cut,
            @ForAll byte flipped)
            throws Failed {
        for (JsonBatch format : FORMATS) {
            List<HttpCall> requests = calls(bodies);
            byte[] body = format.call(requests).body();
            byte[] broken = Arrays.copyOf(body, Math.min(cut, body.length));
            assertTaken(format, requests, broken);
            byte[] changed = body.clone();
            changed[cut % body.length] = flipped;
            assertTaken(format, requests, changed);
        }
    }

    @Property(tries = 500)
    void anyAnswerEndsEveryRequestAndThrowsOnlyEndings(
            @ForAll byte[] any, @ForAll @IntRange(min = 1, max = 5) int count) throws Failed {
        for (JsonBatch format : List.of(
                JsonBatch.array(),
                JsonBatch.lines(),
                JsonBatch.array().byKey("id"),
                JsonBatch.lines().byKey("id").status("s"))) {
            List<HttpCall> requests = new ArrayList<>();
            for (int id = 0; id < count; id++) {
                requests.add(HttpCall.post("/", "{\"id\":" + id + "}"));
            }
            assertTaken(format, requests, any);
        }
    }

    /** All are answered, each by an element of a list that is as long as theirs; or none is, as unknown. */
    private static void assertTaken(JsonBatch format, List<HttpCall> requests, byte[] body) throws Failed {
        try {
            BatchEndings<HttpAnswer> endings = format.endings(requests, HttpAnswer.of(200, Headers.none(), body));
            assertThat(endings.size()).isEqualTo(requests.size());
            for (int place = 0; place < endings.size(); place++) {
                if (endings.get(place) instanceof Answered<?> answered) {
                    assertThat(JsonScanner.isValue(((HttpAnswer) answered.answer()).body()))
                            .isTrue();
                } else {
                    assertThat(((Unanswered) endings.get(place)).why()).isEqualTo(Unknown.Cause.GARBLED);
                }
            }
        } catch (Unknown garbled) {
            assertThat(garbled.why()).isEqualTo(Unknown.Cause.GARBLED);
        }
    }

    @Property(tries = 200)
    void byKeyEachGetsItsOwnInWhateverOrder(@ForAll @IntRange(min = 1, max = 30) int count, @ForAll long seed)
            throws Exception {
        List<HttpCall> requests = new ArrayList<>();
        List<String> answers = new ArrayList<>();
        for (int id = 0; id < count; id++) {
            String key = id % 2 == 0 ? "" + id : "\"k" + id + "\"";
            requests.add(HttpCall.post("/", "{\"amount\":" + id + ",\"id\":" + key + "}"));
            answers.add("{\"id\":" + key + ",\"took\":" + id + "}");
        }
        Collections.shuffle(answers, new Random(seed));
        JsonBatch format = JsonBatch.array().byKey("id");
        BatchEndings<HttpAnswer> endings =
                format.endings(requests, answer(("[" + String.join(",", answers) + "]").getBytes(UTF_8)));
        for (int id = 0; id < count; id++) {
            assertThat(endings.answer(id).text()).endsWith("\"took\":" + id + "}");
        }
    }
}
