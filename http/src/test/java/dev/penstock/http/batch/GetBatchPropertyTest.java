package dev.penstock.http.batch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Answered;
import dev.penstock.BatchEndings;
import dev.penstock.Ending;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;

/** Whatever ids are asked for: a server that splits the URL finds these ids, and every caller gets its own. */
class GetBatchPropertyTest {
    private static final List<String> JOINS = List.of(",", "%7C", "&ids=", "--");

    @Provide
    Arbitrary<String> id() {
        return Arbitraries.strings()
                .withChars("ab0.~*-_ /?&=+%,|;\u00e9\u4e2d")
                .withChars('\n', '"', '\\')
                .ofMinLength(1)
                .ofMaxLength(5);
    }

    /** Null for a path that no call may have. */
    private static @Nullable HttpCall request(String id, boolean inQuery) {
        String encoded = URLEncoder.encode(id, UTF_8).replace("+", "%20");
        try {
            return HttpCall.get(inQuery ? "/n?id=" + encoded : "/n/x" + encoded);
        } catch (IllegalArgumentException dotSegment) {
            return null;
        }
    }

    @Property(tries = 500)
    void aServerFindsTheIdsAndEachCallerGetsItsOwn(
            @ForAll @Size(min = 1, max = 20) List<@From("id") String> ids, @ForAll @IntRange(max = 3) int which)
            throws Exception {
        String join = JOINS.get(which);
        GetBatch batch = GetBatch.of("/n?ids={id}").join(join);
        List<HttpCall> requests = new ArrayList<>();
        List<String> wanted = new ArrayList<>();
        for (String id : ids) {
            for (boolean inQuery : new boolean[] {true, false}) {
                HttpCall request = request(id, inQuery);
                if (request != null && batch.fits(request)) {
                    requests.add(request);
                    wanted.add(inQuery ? id : "x" + id);
                }
            }
        }
        if (requests.isEmpty()) {
            return;
        }
        String list = batch.call(requests).path().substring("/n?ids=".length());
        String separator = URLDecoder.decode(join, UTF_8);
        // A server decodes before it splits, or after.
        List<String> found = join.startsWith("&")
                ? Arrays.stream(list.split(join, -1))
                        .map(id -> URLDecoder.decode(id, UTF_8))
                        .toList()
                : Arrays.asList(URLDecoder.decode(list, UTF_8).split(Pattern.quote(separator), -1));
        assertThat(found).containsExactlyElementsOf(wanted.stream().distinct().toList());
        String answer = found.stream()
                .map(id -> "\"" + URLEncoder.encode(id, UTF_8) + "\"")
                .collect(Collectors.joining(",", "[", "]"));
        BatchEndings<HttpAnswer> endings = batch.endings(requests, HttpAnswer.of(200, answer));
        for (int index = 0; index < wanted.size(); index++) {
            assertThat(endings.answer(index).text())
                    .isEqualTo("\"" + URLEncoder.encode(wanted.get(index), UTF_8) + "\"");
        }
    }

    @Property(tries = 300)
    void theSharesAreTheWeightsAndTogetherTheTotal(
            @ForAll @Size(min = 1, max = 20) List<@IntRange(min = 1, max = 50) Integer> weights) throws Exception {
        GetBatch batch = GetBatch.of("/random?howMany={n}").byWeight("/howMany");
        List<HttpCall> requests = weights.stream()
                .map(weight -> HttpCall.get("/random?howMany=" + weight))
                .toList();
        int total = Integer.parseInt(batch.call(requests).path().substring("/random?howMany=".length()));
        String all = IntStream.range(0, total).mapToObj(Integer::toString).collect(Collectors.joining(","));
        BatchEndings<HttpAnswer> endings = batch.endings(requests, HttpAnswer.of(200, "[" + all + "]"));
        List<String> shares = new ArrayList<>();
        for (int index = 0; index < weights.size(); index++) {
            String share = endings.answer(index).text();
            shares.add(share.substring(1, share.length() - 1));
            assertThat(share.split(",")).hasSize(weights.get(index));
        }
        assertThat(String.join(",", shares)).isEqualTo(all);
    }

    @Property(tries = 500)
    void anyAnswerEndsEveryRequestAndThrowsOnlyUnknown(
            @ForAll byte[] any, @ForAll @IntRange(min = 1, max = 5) int count) throws Exception {
        for (GetBatch batch : List.of(
                GetBatch.of("/n?ids={id}"),
                GetBatch.of("/n?ids={id}").byKey("id"),
                GetBatch.of("/n?n={n}").byWeight("/id"))) {
            List<HttpCall> requests = IntStream.rangeClosed(1, count)
                    .mapToObj(id -> HttpCall.get("/n?id=" + id))
                    .toList();
            try {
                BatchEndings<HttpAnswer> endings = batch.endings(requests, HttpAnswer.of(200, Headers.none(), any));
                assertThat(endings.size()).isEqualTo(count);
                for (int index = 0; index < count; index++) {
                    Ending ending = endings.get(index);
                    assertThat(ending instanceof Answered || ((Unanswered) ending).why() == Unknown.Cause.GARBLED)
                            .isTrue();
                }
            } catch (Unknown garbled) {
                assertThat(garbled.why()).isEqualTo(Unknown.Cause.GARBLED);
            }
        }
    }
}
