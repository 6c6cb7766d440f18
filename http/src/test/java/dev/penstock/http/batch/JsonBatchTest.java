package dev.penstock.http.batch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.BatchEndings;
import dev.penstock.Failed;
import dev.penstock.Unknown;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonBatchTest {
    private static final JsonBatch ARRAY = JsonBatch.array();

    private static List<HttpCall> calls(String... bodies) {
        return Arrays.stream(bodies).map(body -> HttpCall.post("/", body)).toList();
    }

    private static HttpAnswer answer(String body) {
        return HttpAnswer.of(200, body).withHeader("Content-Type", "application/json; charset=utf-8");
    }

    private static String text(HttpCall call) {
        return new String(call.body(), UTF_8);
    }

    @Test
    void bodiesBecomeAnArrayOrLines() throws Exception {
        List<HttpCall> requests = calls("{\"a\":\n1}", "2.50", "\"\u00e9\"");
        HttpCall array = ARRAY.call(requests);
        assertThat(text(array)).isEqualTo("[{\"a\":\n1},2.50,\"\u00e9\"]");
        assertThat(array.headers().first("Content-Type")).isEqualTo("application/json");
        HttpCall lines = JsonBatch.lines().call(requests);
        assertThat(text(lines)).isEqualTo("{\"a\": 1}\n2.50\n\"\u00e9\"\n");
        assertThat(lines.headers().first("Content-Type")).isEqualTo("application/x-ndjson");
    }

    @Test
    void answersBearTheTypeOfTheWholeAndTheStatusOfTheirOwn() throws Exception {
        BatchEndings<HttpAnswer> plain = ARRAY.endings(calls("1", "2"), answer("[{\"status\":404}, 7 ]"));
        assertThat(plain.answer(0).status()).isEqualTo(200);
        assertThat(plain.answer(1).text()).isEqualTo("7");
        assertThat(plain.answer(1).headers().first("Content-Type")).isEqualTo("application/json; charset=utf-8");

        BatchEndings<HttpAnswer> own = ARRAY.status("status")
                .endings(
                        calls("1", "2", "3", "4"),
                        answer("[{\"status\":404},{\"status\":\"200\"},{},{\"status\":99}]"));
        assertThat(own.answer(0).status()).isEqualTo(404);
        assertThat(own.answer(0).text()).isEqualTo("{\"status\":404}");
        for (int place = 1; place < 4; place++) {
            assertThat(own.get(place)).isInstanceOf(Unknown.class);
        }
    }

    @Test
    void linesAreTakenWithAnyLineBreakAndWithoutTheLast() throws Exception {
        JsonBatch lines = JsonBatch.lines();
        for (String body : List.of("1\n{}\n", "1\r\n{}", "\n 1 \n\n{}\n\n")) {
            BatchEndings<HttpAnswer> endings = lines.endings(calls("1", "2"), HttpAnswer.of(200, body));
            assertThat(endings.answer(0).text()).isEqualTo("1");
            assertThat(endings.answer(1).text()).isEqualTo("{}");
            assertThat(endings.answer(1).headers().first("Content-Type")).isEqualTo("application/json");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "[1]", "[1,2,3]", "{}", "1\n2", "oops", "[1,2", "[1,2]]"})
    void aListOfAnotherLengthTellsNobodyAnything(String body) {
        assertThatThrownBy(() -> ARRAY.endings(calls("1", "2"), answer(body)))
                .isInstanceOfSatisfying(
                        Unknown.class, ending -> assertThat(ending.why()).isEqualTo(Unknown.Cause.GARBLED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "1", "1\n2\n3", "1 2", "1\n2 3", "{\n}", "[1,2]", "1\noops"})
    void linesOfAnotherNumberTellNobodyAnything(String body) {
        assertThatThrownBy(() -> JsonBatch.lines().endings(calls("1", "2"), answer(body)))
                .isInstanceOf(Unknown.class)
                .hasMessageContaining("so the");
    }

    @Test
    void byKeyWhatIsMissingOrThereTwiceIsUnknownAndTheOthersAreNot() throws Exception {
        JsonBatch format = ARRAY.byKey("id");
        List<HttpCall> requests = calls("{\"id\":1}", "{\"id\":\"1\"}", "{\"id\":2}", "{\"id\":3}");
        BatchEndings<HttpAnswer> endings = format.endings(
                requests,
                answer(
                        "[{\"id\":3,\"n\":\"c\"},{\"id\":2},{\"id\":1,\"n\":\"a\"},{\"id\":2},{\"id\":9},{\"no\":1},4]"));
        assertThat(endings.answer(0).text()).isEqualTo("{\"id\":1,\"n\":\"a\"}");
        assertThat(endings.get(1)).isInstanceOf(Unknown.class);
        assertThat(endings.get(2)).isInstanceOf(Unknown.class);
        assertThat(endings.answer(3).text()).isEqualTo("{\"id\":3,\"n\":\"c\"}");
    }

    @Test
    void twoOfOneKeyArePartedBeforeAnythingIsSent() {
        assertThatThrownBy(() -> ARRAY.byKey("id").call(calls("{\"id\":1}", "{\"id\":1,\"a\":2}")))
                .isInstanceOfSatisfying(
                        Failed.class, ending -> assertThat(ending.why()).isEqualTo(Failed.Cause.REFUSED))
                .hasMessageContaining("nothing was sent");
    }

    @Test
    void onlyJsonByPostIsFit() {
        HttpCall fit = HttpCall.post("/", "{}");
        assertThat(ARRAY.fits(fit)).isTrue();
        for (String type :
                List.of("application/json", "Application/JSON;charset=UTF-8", "application/json; charset=\"utf-8\"")) {
            assertThat(ARRAY.fits(fit.withHeader("Content-Type", type))).isTrue();
        }
        for (String type : List.of(
                "text/plain", "application/xml", "application/json; charset=latin1", "application/merge-patch+json")) {
            assertThat(ARRAY.fits(fit.withHeader("Content-Type", type))).isFalse();
        }
        assertThat(ARRAY.fits(HttpCall.post("/", ""))).isFalse();
        assertThat(ARRAY.fits(HttpCall.post("/", "1},{2"))).isFalse();
        assertThat(ARRAY.fits(HttpCall.of("PUT", "/", fit.headers(), fit.body())))
                .isFalse();
        assertThat(ARRAY.fits(HttpCall.get("/"))).isFalse();
        assertThat(ARRAY.byKey("id").fits(fit)).isFalse();
        assertThat(ARRAY.byKey("id").fits(HttpCall.post("/", "{\"id\":1}"))).isTrue();
    }
}
