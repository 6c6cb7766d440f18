package dev.penstock.http.batch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.BatchEndings;
import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import dev.penstock.kit.program.FuzzHarness;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Input: bodies with a byte 0x1e after each, and the answer of a target behind the last. JSON is split as a plain reader of
 * the grammar splits it, and a target that answers each request with its own body gives each caller its own answer.
 */
class JsonBatchFuzzTest extends FuzzHarness {
    /** What the splitter takes. */
    private static final int DEEPEST = 1_000;

    private static final String KEY = "id";

    @Override
    protected void fuzz(byte[] input) throws Exception {
        List<byte[]> parts = parts(input);
        List<byte[]> bodies = parts.subList(0, parts.size() - 1);
        allocatingAtMost(2_000_000 + 2_000L * input.length, () -> parts.forEach(JsonBatchFuzzTest::read));
        for (byte[] part : parts) {
            agree(part);
        }
        for (JsonBatch format : List.of(JsonBatch.array(), JsonBatch.lines())) {
            echoes(format, bodies);
            echoes(format.byKey(KEY), distinct(format.byKey(KEY), bodies));
            anything(format, bodies, parts.getLast());
            anything(format.byKey(KEY).status("status"), bodies, parts.getLast());
        }
    }

    private static List<byte[]> parts(byte[] input) {
        List<byte[]> parts = new ArrayList<>();
        for (String part : new String(input, ISO_8859_1).split("\u001e", -1)) {
            parts.add(part.getBytes(ISO_8859_1));
        }
        return parts;
    }

    private static void read(byte[] text) {
        JsonScanner.value(text);
        JsonScanner.elements(text);
        JsonScanner.member(text, KEY);
    }

    private static void agree(byte[] text) {
        PlainJson plain = PlainJson.of(text);
        if (plain != null && plain.deepest >= DEEPEST) {
            return;
        }
        byte[] value = JsonScanner.value(text);
        assertThat(value == null ? null : latin(value)).isEqualTo(plain == null ? null : plain.written);
        List<byte[]> elements = JsonScanner.elements(text);
        boolean isArray = plain != null && plain.written.startsWith("[");
        assertThat(
                        elements == null
                                ? null
                                : elements.stream()
                                        .map(JsonBatchFuzzTest::latin)
                                        .toList())
                .isEqualTo(plain != null && isArray ? plain.elements : null);
        if (plain != null) {
            assertThat(JsonScanner.member(text, KEY)).isEqualTo(member(plain));
        }
    }

    private static @Nullable String member(PlainJson plain) {
        List<PlainJson.Member> found =
                plain.members.stream().filter(one -> one.name().equals(KEY)).toList();
        String written = found.size() == 1 ? found.getFirst().written() : "";
        if (written.startsWith("\"")) {
            return '"' + PlainJson.meaning(written);
        }
        return written.matches("[-0-9].*") ? written : null;
    }

    /** A target that answers with what it was sent. */
    private static void echoes(JsonBatch format, List<byte[]> bodies) throws Unanswered {
        List<HttpCall> calls = calls(format, bodies);
        if (calls.isEmpty()) {
            return;
        }
        HttpCall sent = format.call(calls);
        BatchEndings<HttpAnswer> endings = format.endings(calls, HttpAnswer.of(200, Headers.none(), sent.body()));
        for (int place = 0; place < calls.size(); place++) {
            PlainJson own = Objects.requireNonNull(PlainJson.of(calls.get(place).body()));
            PlainJson answered = Objects.requireNonNull(
                    PlainJson.of(Objects.requireNonNull(endings.answer(place)).body()));
            assertThat(answered.written.replace('\r', ' ').replace('\n', ' '))
                    .isEqualTo(own.written.replace('\r', ' ').replace('\n', ' '));
        }
    }

    /** A target that answers with anything: only the documented endings. */
    private static void anything(JsonBatch format, List<byte[]> bodies, byte[] body) throws Failed {
        List<HttpCall> calls = calls(format, distinct(format, bodies));
        if (calls.isEmpty()) {
            return;
        }
        try {
            format.endings(calls, HttpAnswer.of(200, Headers.none(), body));
        } catch (Unknown garbled) {
            assertThat(garbled.why()).isEqualTo(Unknown.Cause.GARBLED);
        }
    }

    private static List<HttpCall> calls(JsonBatch format, List<byte[]> bodies) {
        return bodies.stream()
                .map(body -> HttpCall.post("/", body))
                .filter(format::fits)
                .toList();
    }

    /** What the batcher sees to. */
    private static List<byte[]> distinct(JsonBatch format, List<byte[]> bodies) {
        Set<Object> keys = new HashSet<>();
        return bodies.stream()
                .filter(body -> {
                    Object key = format.fits(HttpCall.post("/", body)) ? format.unique(HttpCall.post("/", body)) : null;
                    return key == null || keys.add(key);
                })
                .toList();
    }

    private static String latin(byte[] bytes) {
        return new String(bytes, ISO_8859_1);
    }
}
