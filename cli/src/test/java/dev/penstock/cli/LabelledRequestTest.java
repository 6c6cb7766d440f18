package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.http.HttpCall;
import dev.penstock.lab.load.TransactionMix.Share;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabelledRequestTest {
    @Test
    void readsLabelWeightMethodPathAndBody() {
        assertThat(LabelledRequest.parse("browse 8 GET /items?page=2"))
                .isEqualTo(new LabelledRequest(new Share("browse", 8), "GET", "/items?page=2", null));
        assertThat(LabelledRequest.parse(" pay  2\tPOST /pay  {\"amount\": 1} "))
                .isEqualTo(new LabelledRequest(new Share("pay", 2), "POST", "/pay", "{\"amount\": 1}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "browse", "browse GET /items", "browse 8 GET", "browse 8% GET /items", "browse 8 GET items"})
    void otherTextIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LabelledRequest.parse(text))
                .withMessage("\"" + text + "\" is not a request: write LABEL WEIGHT METHOD PATH [BODY], for instance"
                        + " 'browse 8 GET /items'");
    }

    @Test
    void theSeedDecidesWhichCallsAreSent() {
        assertThat(sent(1)).isEqualTo(sent(1)).isNotEqualTo(sent(2));
        assertThat(sent(1)).contains("GET /items b ");
        assertThat(sent(1)).contains("PUT /cart b one");
        assertThat(sent(1).stream().filter(call -> call.startsWith("POST /pay b <?xml")))
                .doesNotHaveDuplicates()
                .hasSizeGreaterThan(10);
    }

    private static List<String> sent(long seed) {
        List<LabelledRequest> requests = List.of(
                LabelledRequest.parse("browse 1 GET /items"),
                LabelledRequest.parse("cart 1 PUT /cart one"),
                LabelledRequest.parse("pay 1 POST /pay"));
        LongFunction<HttpCall> calls = LabelledRequest.calls(requests, List.of("X-A: b"), seed);
        return LongStream.range(0, 100)
                .mapToObj(calls)
                .map(call -> call.method() + " " + call.path() + " "
                        + call.headers().first("X-A") + " " + new String(call.body(), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void queriesAndBodiesAreNotShown() {
        assertThat(LabelledRequest.withoutSecrets("a 1 GET /items?token=hush")).isEqualTo("a 1 GET /items?***");
        assertThat(LabelledRequest.withoutSecrets("a 1 POST /items hush hush?x"))
                .isEqualTo("a 1 POST /items ***");
        assertThat(LabelledRequest.withoutSecrets("a 1 GET /items")).isEqualTo("a 1 GET /items");
    }
}
