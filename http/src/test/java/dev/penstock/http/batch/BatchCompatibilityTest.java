package dev.penstock.http.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may share a call, and what goes along. */
class BatchCompatibilityTest {
    private static final HttpCall CALL =
            HttpCall.post("/pay", "{\"ref\":\"k1\",\"n\":7}").withHeader("Accept", "*/*");

    private final HttpBatch batch = HttpBatch.over(HttpTarget.of("http://127.0.0.1:1/batch"), JsonBatch.array());

    @AfterEach
    void close() {
        batch.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Expect",
                "Range",
                "If-Match",
                "if-none-match",
                "Content-MD5",
                "Digest",
                "Content-Digest",
                "Signature",
                "Signature-Input",
                "Content-Encoding",
                "Idempotency-Key",
                "idempotency-key",
                "X-Idempotency-Key"
            })
    void whatIsOfOneRequestGoesAlone(String header) {
        assertThat(batch.fits(CALL)).isTrue();
        assertThat(batch.fits(CALL.withHeader(header, "1"))).isFalse();
    }

    @Test
    void aKeyMayTravelWhenTheBodyBearsItToo() {
        HttpBatch inBody = batch.inBody("ref");
        assertThat(inBody.fits(CALL.withHeader("Idempotency-Key", "k1"))).isTrue();
        assertThat(inBody.fits(CALL.withHeader("Idempotency-Key", "k2"))).isFalse();
        assertThat(inBody.fits(CALL.withHeader("Idempotency-Key", ""))).isFalse();
        assertThat(inBody.fits(CALL)).isTrue();
        assertThat(batch.inBody("n").fits(CALL.withHeader("Idempotency-Key", "7")))
                .isTrue();
        assertThat(batch.inBody("other").fits(CALL.withHeader("Idempotency-Key", "k1")))
                .isFalse();
        assertThat(inBody.fits(CALL.withHeaders(
                        CALL.headers().and("Idempotency-Key", "k1").and("Idempotency-Key", "k2"))))
                .isFalse();
    }

    @Test
    void aHeaderThatNamesARequestIsAKeyLikeAnyOther() {
        HttpBatch named = batch.naming("Order-Id").per();
        assertThat(batch.fits(CALL.withHeader("Order-Id", "1"))).isTrue();
        assertThat(named.fits(CALL.withHeader("order-id", "1"))).isFalse();
        assertThat(named.fits(CALL.withHeader("Idempotency-Key", "1"))).isFalse();
        assertThat(named.inBody("ref").fits(CALL.withHeader("Order-Id", "k1"))).isTrue();
    }

    @Test
    void pathsBeyondTheFlowsAndQueriesGoAlone() {
        HttpCall query = HttpCall.post("/pay?x=1", "{}");
        HttpCall below = HttpCall.post("/pay/7", "{}");
        assertThat(batch.fits(query)).isFalse();
        assertThat(batch.fits(below)).isTrue();
        assertThat(batch.onPath("/pay").fits(below)).isFalse();
        assertThat(batch.onPath("/pay").fits(CALL)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Authorization", "Cookie", "X-Api-Key", "Tenant", "X-Forwarded-For", "Accept", "X-Request-Id"})
    void whatDiffersInAHeaderNeverSharesACall(String header) {
        BatchCompatibility sharing = BatchCompatibility.STANDARD;
        assertThat(sharing.scope(CALL.withHeader(header, "a")))
                .isEqualTo(sharing.scope(CALL.withHeader(header.toLowerCase(), "a")))
                .isNotEqualTo(sharing.scope(CALL.withHeader(header, "b")))
                .isNotEqualTo(sharing.scope(CALL.withHeaders(CALL.headers().without(header))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "User-Agent",
                "Via",
                "traceparent",
                "X-B3-TraceId",
                "Date",
                "Accept-Encoding",
                "Priority",
                "Penstock-Deadline-Ms"
            })
    void whatTellsOfTheWayMayDiffer(String header) {
        assertThat(BatchCompatibility.STANDARD.scope(CALL.withHeader(header, "a")))
                .isEqualTo(BatchCompatibility.STANDARD.scope(CALL));
    }

    @Test
    void theOrderOfFieldsOfOneNameCountsAndThatOfNamesDoesNot() {
        List<?> one = BatchCompatibility.STANDARD.scope(
                CALL.withHeaders(CALL.headers().and("A", "1").and("B", "x").and("A", "2")));
        assertThat(BatchCompatibility.STANDARD.scope(CALL.withHeaders(
                        CALL.headers().and("B", "x").and("A", "1").and("A", "2"))))
                .isEqualTo(one);
        assertThat(BatchCompatibility.STANDARD.scope(CALL.withHeaders(
                        CALL.headers().and("A", "2").and("A", "1").and("B", "x"))))
                .isNotEqualTo(one);
    }

    @Test
    void perAHeaderOthersMayDifferButNoCredential() {
        BatchCompatibility perTenant = BatchCompatibility.STANDARD.per(Set.of("tenant"));
        HttpCall call = CALL.withHeader("Tenant", "a");
        assertThat(perTenant.scope(call.withHeader("X-Request-Id", "1"))).isEqualTo(perTenant.scope(call));
        assertThat(perTenant.scope(call)).isNotEqualTo(perTenant.scope(CALL));
        for (String credential :
                List.of("Authorization", "Cookie", "X-Api-Key", "X-Auth-User", "X-Session", "X-Client-Cert")) {
            assertThat(perTenant.scope(call.withHeader(credential, "1"))).isNotEqualTo(perTenant.scope(call));
        }
    }

    @Test
    void whatAllHaveInCommonGoesAlong() {
        HttpCall one = CALL.withHeader("Authorization", "a")
                .withHeader("traceparent", "1")
                .withHeader("Accept-Encoding", "gzip");
        HttpCall two = CALL.withHeader("authorization", "a")
                .withHeader("traceparent", "2")
                .withHeader("Accept-Encoding", "gzip");
        assertThat(BatchCompatibility.STANDARD.common(List.of(one, two)).toString())
                .isEqualTo("[Accept, Authorization]");
        HttpCall keyed = CALL.withHeader("Idempotency-Key", "k1");
        assertThat(BatchCompatibility.STANDARD.common(List.of(keyed, keyed)).has("Idempotency-Key"))
                .isFalse();
        assertThat(BatchCompatibility.STANDARD.common(List.of(keyed)).has("Idempotency-Key"))
                .isTrue();
    }
}
