package dev.penstock.http.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.BatchEndings;
import dev.penstock.Failed;
import dev.penstock.Unknown;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which GET requests share a URL, what it looks like, and who gets which part of its answer. */
class GetBatchTest {
    private static final GetBatch IDS = GetBatch.of("/n?ids={id}");
    private static final GetBatch BY_KEY = IDS.byKey("id");
    private static final GetBatch NUMBERS =
            GetBatch.of("/random?howMany={howMany}").byWeight("/howMany");

    private static List<HttpCall> gets(String... paths) {
        return Arrays.stream(paths).map(HttpCall::get).toList();
    }

    private static List<String> bodies(GetBatch batch, String answer, String... paths) throws Exception {
        BatchEndings<HttpAnswer> endings = batch.endings(gets(paths), HttpAnswer.of(200, answer));
        return IntStream.range(0, endings.size())
                .mapToObj(index ->
                        endings.get(index) instanceof Unknown unknown ? unknown.causeName() : text(endings, index))
                .toList();
    }

    private static String text(BatchEndings<HttpAnswer> endings, int index) {
        try {
            HttpAnswer answer = endings.answer(index);
            return answer.status() == 200 ? answer.text() : Integer.toString(answer.status());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void idsOfParametersAndOfLastSegmentsAreListedOnce() throws Exception {
        HttpCall batch = IDS.call(gets("/n?id=7", "/n/9", "/n?id=7", "/n/a%20%c3%a9%2F"));
        assertThat(batch.method()).isEqualTo("GET");
        assertThat(batch.path()).isEqualTo("/n?ids=7,9,a%20%C3%A9%2F");
        assertThat(batch.body()).isEmpty();
    }

    @Test
    void theTemplateSaysWhereIdsGoAndTheJoinTextWhatIsBetween() throws Exception {
        List<HttpCall> two = gets("/n/1", "/n/2");
        assertThat(GetBatch.of("/v2/n/{id}?full=1").call(two).path()).isEqualTo("/v2/n/1,2?full=1");
        assertThat(IDS.join("&ids=").call(two).path()).isEqualTo("/n?ids=1&ids=2");
        assertThat(IDS.join("%7C").call(two).path()).isEqualTo("/n?ids=1%7C2");
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/n?id=7, /v1/n",
        "/v1/n/7, /v1/n",
        "/7, /",
        "/?id=7, /",
        "/v1/n?id=7&lang=de, /v1/n?id=7&lang=de",
        "/v1/n/, /v1/n/"
    })
    void thePathWithoutTheIdIsTheCommonPath(String path, String common) {
        assertThat(IDS.commonPath(HttpCall.get(path))).isEqualTo(common);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/n/",
                "/n?id=",
                "/n?other=7",
                "/n?id=7&lang=de",
                "/n?id=7;8",
                "/n/7;v=1",
                "/n?id=a+b",
                "/n?id=1,2",
                "/n?id=1%2C2",
                "/n?id=%00",
                "/n?id=%ff",
                "/n?id=%4"
            })
    void whatAServerCouldReadInAnotherWayGoesAlone(String path) {
        assertThat(IDS.fits(HttpCall.get(path))).isFalse();
        assertThat(IDS.fits(HttpCall.get("/n?id=7"))).isTrue();
    }

    @Test
    void onlyAGetWithoutABodyFits() {
        assertThat(IDS.fits(HttpCall.post("/n/7", "x"))).isFalse();
        assertThat(IDS.fits(HttpCall.of("HEAD", "/n/7", HttpCall.get("/").headers(), new byte[0])))
                .isFalse();
        assertThat(IDS.fits(HttpCall.of("GET", "/n/7", HttpCall.get("/").headers(), new byte[1])))
                .isFalse();
    }

    @Test
    void anIdCannotLeaveItsSegment() {
        GetBatch inPath = GetBatch.of("/n/{id}");
        assertThat(inPath.fits(HttpCall.get("/n?id=.."))).isFalse();
        assertThat(inPath.fits(HttpCall.get("/n?id=../admin"))).isFalse();
        assertThat(inPath.fits(HttpCall.get("/n?id=a.b"))).isTrue();
    }

    @Test
    void eachGetsTheElementAtThePositionOfItsId() throws Exception {
        assertThat(bodies(IDS, "[ {\"n\": 1.50}, null ]", "/n/1", "/n/2", "/n?id=1"))
                .containsExactly("{\"n\": 1.50}", "null", "{\"n\": 1.50}");
        HttpAnswer answer = IDS.endings(
                        gets("/n/1"), HttpAnswer.of(200, "[1]").withHeader("Content-Type", "application/x+json"))
                .answer(0);
        assertThat(answer.headers().first("Content-Type")).isEqualTo("application/x+json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[1]", "[1,2,3]", "[1,2", "[1,2] x"})
    void anArrayOfAnotherLengthIsNoAnswer(String answer) {
        assertThatThrownBy(() -> bodies(IDS, answer, "/n/1", "/n/2"))
                .isInstanceOfSatisfying(
                        Unknown.class, ending -> assertThat(ending.why()).isEqualTo(Unknown.Cause.GARBLED))
                .hasMessageContaining("GET /n?ids={id}");
    }

    @Test
    void byKeyEachGetsItsOwnInAnyOrderAndWhatIsMissingIsNotFound() throws Exception {
        assertThat(bodies(BY_KEY, "[{\"id\":\"b\"},{\"id\":7}]", "/n/7", "/n/8", "/n/b", "/n/7"))
                .containsExactly("{\"id\":7}", "404", "{\"id\":\"b\"}", "{\"id\":7}");
        assertThat(bodies(BY_KEY, "[]", "/n/7")).containsExactly("404");
    }

    /** A wrong key, or ids that the server writes in another way, must not look like a 404. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{\"id\":1},{\"key\":2}]",
                "[{\"id\":1},{\"id\":\"02\"}]",
                "[{\"id\":1},{\"id\":2},{\"id\":2}]",
                "[{\"id\":1},7]"
            })
    void elementsOfNobodyMakeTheMissingUnknown(String answer) throws Exception {
        assertThat(bodies(BY_KEY, answer, "/n/1", "/n/2")).containsExactly("{\"id\":1}", "garbled");
    }

    @Test
    void weightsAreSummedAndTheAnswerIsCutUpByThem() throws Exception {
        String[] paths = {"/random?howMany=1", "/random?howMany=3", "/random?howMany=1"};
        assertThat(NUMBERS.call(gets(paths)).path()).isEqualTo("/random?howMany=5");
        assertThat(bodies(NUMBERS, "[4, 8, 15, 16, 23]", paths)).containsExactly("[4]", "[8,15,16]", "[23]");
        assertThatThrownBy(() -> bodies(NUMBERS, "[4, 8, 15, 16]", paths)).isInstanceOf(Unknown.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/random",
                "/random/3",
                "/random?howMany=0",
                "/random?howMany=-1",
                "/random?howMany=1000000000",
                "/random?howMany=1.5",
                "/random?howMany=",
                "/random?howMany=1&max=6"
            })
    void aRequestWithoutAWeightGoesAlone(String path) {
        assertThat(NUMBERS.fits(HttpCall.get(path))).isFalse();
        assertThat(NUMBERS.fits(HttpCall.get("/random?howMany=999999999"))).isTrue();
    }

    @Test
    void theNameOfAWeightIsAJsonPointer() throws Exception {
        GetBatch odd = GetBatch.of("/r?sum={n}").byWeight("/a~1b~01");
        assertThat(odd.call(gets("/r?a/b~1=2", "/r?a/b~1=2")).path()).isEqualTo("/r?sum=4");
        for (String wrong : List.of("howMany", "/", "/a/b", "/a~2", "")) {
            assertThatThrownBy(() -> NUMBERS.byWeight(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> NUMBERS.byKey("id")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> BY_KEY.byWeight("/n")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aUrlThatWouldBeTooLongIsRefusedSoThatItsBatchIsSplit() throws Exception {
        String id = "x".repeat(1_000);
        List<HttpCall> many = gets("/n/1" + id, "/n/2" + id, "/n/3" + id, "/n/4" + id);
        assertThat(IDS.call(many.subList(0, 3)).path().length()).isLessThan(GetBatch.MAX_URL);
        assertThatThrownBy(() -> IDS.call(many))
                .isInstanceOfSatisfying(
                        Failed.class, ending -> assertThat(ending.why()).isEqualTo(Failed.Cause.REFUSED));
        assertThat(IDS.fits(HttpCall.get("/n/" + "x".repeat(GetBatch.MAX_URL)))).isFalse();
    }

    @Test
    void aCollapseKeepsBatchesWithinTheLengthOfAUrl() {
        try (HttpBatch batch = HttpBatch.over(HttpTarget.of("http://127.0.0.1:1"), IDS)) {
            var bounds = batch.collapse().settings().bounds();
            assertThat(bounds.bytes()).isEqualTo(GetBatch.MAX_URL - "/n?ids=".length());
            assertThat(bounds.size().applyAsLong(HttpCall.get("/n/a%20b"))).isEqualTo("a%20b,".length());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "/n", "n?ids={id}", "/n?ids={}", "/n?a={a}&b={b}", "/n?ids={id}{", "/{id}/../n", "/n?q={i d}"
            })
    void aWrongTemplateIsExplained(String template) {
        assertThatThrownBy(() -> GetBatch.of(template))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("template")
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "#", "%", "%2"})
    void aWrongJoinTextIsExplained(String join) {
        assertThatThrownBy(() -> IDS.join(join))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("join text");
    }

    @Test
    void itsNameHasNoOtherParameters() {
        assertThat(GetBatch.of("/n?secret=s&ids={id}&key=k")).hasToString("GET /n?ids={id}");
        assertThat(GetBatch.of("/n/{id}/full?key=k")).hasToString("GET /n/{id}/full");
        assertThat(IDS).hasToString("GET /n?ids={id}");
    }
}
