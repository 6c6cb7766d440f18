package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Dedupe;
import dev.penstock.Failed;
import dev.penstock.IdempotencyStore;
import dev.penstock.flow.Flow;
import dev.penstock.http.header.Headers;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpDedupeTest {
    private final IdempotencyStore store = IdempotencyStore.inMemory(100);
    private final AtomicInteger sent = new AtomicInteger();
    private int status = 201;

    private Flow<HttpCall, HttpAnswer> flow(Dedupe<HttpCall> dedupe) {
        return Flow.named("payments")
                .dedupe(dedupe)
                .to(call -> HttpAnswer.of(status, "payment " + sent.incrementAndGet())
                        .withHeader("Location", "/payments/" + sent.get()));
    }

    private Flow<HttpCall, HttpAnswer> flow() {
        return flow(HttpDedupe.byHeader("Idempotency-Key", store));
    }

    private static HttpCall payment() {
        return HttpCall.post("/pay?x=1", "{}").withHeader("Idempotency-Key", "k-1");
    }

    @Test
    void theSameKeyGetsStatusHeaderFieldsAndBody() throws Exception {
        Flow<HttpCall, HttpAnswer> flow = flow();
        flow.call(payment());
        HttpAnswer again = flow.call(payment().withHeader("User-Agent", "another"));
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.text()).isEqualTo("payment 1");
        assertThat(again.headers().first("location")).isEqualTo("/payments/1");
        assertThat(sent).hasValue(1);
    }

    @Test
    void whatDiffersInWhatItAsksForIsRefused() throws Exception {
        Flow<HttpCall, HttpAnswer> flow = flow();
        flow.call(payment().withHeader("Authorization", "Bearer a"));
        List<HttpCall> others = List.of(
                HttpCall.of("PUT", "/pay?x=1", payment().headers(), new byte[0]),
                HttpCall.post("/pay?x=2", "{}").withHeader("Idempotency-Key", "k-1"),
                HttpCall.post("/pay?x=1", "[]").withHeader("Idempotency-Key", "k-1"),
                payment(),
                payment().withHeader("Authorization", "Bearer b"),
                payment().withHeader("Authorization", "Bearer a").withHeader("X-Api-Key", "b"),
                payment().withHeader("Authorization", "Bearer a").withHeader("Content-Type", "text/plain"));
        for (HttpCall other : others) {
            assertThatThrownBy(() -> flow.call(other)).isInstanceOf(Failed.class);
        }
        assertThat(sent).hasValue(1);
    }

    /** Whatever keeps requests from sharing a batch keeps them from sharing an answer. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization",
                "X-Auth-Token",
                "api_key",
                "X-API-Key",
                "Cookie",
                "X-Session-Id",
                "Client-Secret",
                "X-Amz-Security-Token",
                "X-Forwarded-Client-Cert"
            })
    void nobodyGetsTheAnswerOfAnotherClient(String credential) throws Exception {
        Flow<HttpCall, HttpAnswer> flow = flow();
        flow.call(payment().withHeader(credential, "a"));
        assertThatThrownBy(() -> flow.call(payment().withHeader(credential, "b")))
                .isInstanceOf(Failed.class);
        assertThatThrownBy(() -> flow.call(payment())).isInstanceOf(Failed.class);
        assertThat(flow.call(payment().withHeader(credential, "a")).text()).isEqualTo("payment 1");
        assertThat(sent).hasValue(1);
    }

    @Test
    void clientsThatAreToldApartHaveKeysOfTheirOwn() throws Exception {
        Flow<HttpCall, HttpAnswer> flow =
                flow(HttpDedupe.byHeader("Idempotency-Key", store, List.of("Tenant", "Shop")));
        flow.call(payment().withHeader("Tenant", "a").withHeader("Authorization", "Bearer 1"));
        flow.call(payment().withHeader("Tenant", "a").withHeader("Authorization", "Bearer 2"));
        assertThat(sent).hasValue(1);
        flow.call(payment().withHeader("Tenant", "b"));
        flow.call(payment().withHeader("Shop", "a"));
        flow.call(payment());
        assertThat(sent).hasValue(4);
        assertThat(flow.settings())
                .anySatisfy(setting -> assertThat(setting.value()).isEqualTo("Idempotency-Key per Tenant, Shop"));
        assertThatIllegalArgumentException().isThrownBy(() -> HttpDedupe.byHeader("K", store, List.of()));
    }

    @Test
    void requestsThatReadOrHaveNoKeyPass() throws Exception {
        Flow<HttpCall, HttpAnswer> flow = flow();
        for (int i = 0; i < 2; i++) {
            flow.call(HttpCall.get("/pay").withHeader("Idempotency-Key", "k-1"));
            flow.call(HttpCall.post("/pay", "{}"));
            flow.call(HttpCall.post("/pay", "{}").withHeader("Idempotency-Key", ""));
        }
        assertThat(sent).hasValue(6);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 407, 408, 421, 425, 429, 503})
    void anAnswerThatDoesNotSpeakOfTheRequestIsNotKept(int not) throws Exception {
        Flow<HttpCall, HttpAnswer> flow = flow();
        status = not;
        flow.call(payment());
        status = 201;
        assertThat(flow.call(payment()).status()).isEqualTo(201);
        assertThat(sent).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 204, 302, 400, 403, 404, 409, 422, 500, 502, 504})
    void everyOtherAnswerIs(int kept) throws Exception {
        Flow<HttpCall, HttpAnswer> flow = flow();
        status = kept;
        flow.call(payment());
        status = 201;
        assertThat(flow.call(payment()).status()).isEqualTo(kept);
        assertThat(sent).hasValue(1);
    }

    @Property(tries = 200)
    void anAnswerComesBackAsItWas(
            @ForAll @IntRange(min = 200, max = 599) int code,
            @ForAll @Size(max = 20) List<@AlphaChars @StringLength(min = 1, max = 20) String> names,
            @ForAll byte[] body) {
        HttpAnswerCodec codec = new HttpAnswerCodec();
        Headers headers = Headers.none();
        for (String name : names) {
            headers = headers.and(name, "v\u00e9 " + name);
        }
        HttpAnswer back = codec.decode(codec.encode(HttpAnswer.of(code, headers, body)));
        assertThat(back.status()).isEqualTo(code);
        assertThat(back.headers()).containsExactlyElementsOf(headers);
        assertThat(back.body()).isEqualTo(body);
    }

    @Property(tries = 200)
    void bytesThatAreNoAnswerAreRefused(@ForAll @Size(max = 40) byte[] bytes) {
        HttpAnswerCodec codec = new HttpAnswerCodec();
        try {
            codec.decode(bytes);
        } catch (RuntimeException told) {
            assertThat(told).isNotNull();
        }
    }
}
