package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Dedupe;
import dev.penstock.Failed;
import dev.penstock.IdempotencyStore;
import dev.penstock.flow.Flow;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JdbcDedupeTest {
    private final IdempotencyStore store = IdempotencyStore.inMemory(100);
    private final AtomicInteger run = new AtomicInteger();

    private Flow<JdbcRequest, JdbcAnswer> flow(Dedupe<JdbcRequest> dedupe) {
        return Flow.named("orders").dedupe(dedupe).to(request -> new JdbcAnswer.Updated(run.incrementAndGet()));
    }

    @Test
    void runsStatementOncePerKey() throws Exception {
        Flow<JdbcRequest, JdbcAnswer> flow = flow(JdbcDedupe.byKey("Idempotency-Key", store));
        JdbcRequest order = JdbcRequest.of("id", 7).named("Idempotency-Key", "k-1");
        assertThat(flow.call(order)).isEqualTo(new JdbcAnswer.Updated(1));
        assertThat(flow.call(order)).isEqualTo(new JdbcAnswer.Updated(1));
        for (JdbcRequest other : List.of(order.with("id", 8), order.with("id", "7"), order.with("more", null))) {
            assertThatThrownBy(() -> flow.call(other)).isInstanceOf(Failed.class);
        }
        flow.call(order.reading());
        flow.call(JdbcRequest.of("id", 7));
        flow.call(JdbcRequest.of("id", 7).named("Idempotency-Key", ""));
        assertThat(run).hasValue(4);
    }

    @Test
    void everyClientHasItsOwnKeys() throws Exception {
        Flow<JdbcRequest, JdbcAnswer> flow = flow(JdbcDedupe.byKey("id", store, List.of("tenant")));
        flow.call(JdbcRequest.of("id", 7).with("tenant", "a"));
        flow.call(JdbcRequest.of("id", 7).with("tenant", "a"));
        flow.call(JdbcRequest.of("id", 7).with("tenant", "b"));
        flow.call(JdbcRequest.of("id", 7));
        assertThat(run).hasValue(3);
    }

    @Provide
    Arbitrary<@Nullable Object> values() {
        Arbitrary<@Nullable Object> plain = Arbitraries.oneOf(
                Arbitraries.strings().map(text -> (Object) text),
                Arbitraries.integers().map(number -> (Object) number),
                Arbitraries.longs().map(number -> (Object) number),
                Arbitraries.doubles().map(number -> (Object) number),
                Arbitraries.floats().map(number -> (Object) number),
                Arbitraries.bigDecimals().map(number -> (Object) number),
                Arbitraries.of(true, false).map(yes -> (Object) yes),
                Arbitraries.strings().map(text -> (Object) new JsonText(text)));
        return Arbitraries.oneOf(
                plain.injectNull(0.2), plain.list().ofMaxSize(3).map(list -> (Object) list));
    }

    @Property(tries = 300)
    void repeatsStoredRowsUnchanged(@ForAll @Size(max = 8) List<@net.jqwik.api.From("values") Object> row) {
        JdbcAnswerCodec codec = new JdbcAnswerCodec();
        List<String> columns = new ArrayList<>();
        row.forEach(value -> columns.add("c" + columns.size()));
        JdbcAnswer answer = new JdbcAnswer.Rows(columns, List.of(row, row));
        assertThat(codec.decode(codec.encode(answer))).isEqualTo(answer);
    }

    @Test
    void repeatsStoredBytesAndCounts() {
        JdbcAnswerCodec codec = new JdbcAnswerCodec();
        assertThat(codec.decode(codec.encode(new JdbcAnswer.Updated(-1)))).isEqualTo(new JdbcAnswer.Updated(-1));
        JdbcAnswer rows = new JdbcAnswer.Rows(
                List.of("a", "b"), List.of(Arrays.asList(new byte[] {1, 2}, new BigDecimal("1.10"))));
        assertThat(codec.decode(codec.encode(rows))).isInstanceOfSatisfying(JdbcAnswer.Rows.class, back -> {
            assertThat(back.value(0, "a")).isEqualTo(new byte[] {1, 2});
            assertThat(back.value(0, "b")).isEqualTo(new BigDecimal("1.10"));
        });
    }

    @Property(tries = 300)
    void codecRejectsInvalidBytes(@ForAll @Size(max = 40) byte[] bytes) {
        try {
            new JdbcAnswerCodec().decode(bytes);
        } catch (RuntimeException told) {
            assertThat(told).isNotNull();
        }
    }
}
