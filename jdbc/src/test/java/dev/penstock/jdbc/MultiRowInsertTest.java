package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MultiRowInsertTest {
    private static MultiRowInsert of(String sql) {
        return Objects.requireNonNull(MultiRowInsert.of(NamedSql.parse(sql)));
    }

    @Test
    void writesOneValueListPerRow() {
        MultiRowInsert rows = of("insert into t(a, b) values (:a, :b)");

        assertThat(rows.sql(1)).isEqualTo("insert into t(a, b) values (?, ?)");
        assertThat(rows.sql(3)).isEqualTo("insert into t(a, b) values (?, ?),(?, ?),(?, ?)");
        assertThat(rows.parameters()).isEqualTo(2);
        assertThat(rows.maxRows()).isEqualTo(1000);
    }

    @Test
    void keepsExpressionsInTheValueList() {
        MultiRowInsert rows = of("INSERT INTO t VALUES\n(:a::jsonb, now(), 'a) (', coalesce(:b, (1)), -- :no)\n :c) ;");

        assertThat(rows.sql(2))
                .endsWith("(?::jsonb, now(), 'a) (', coalesce(?, (1)), -- :no)\n ?),"
                        + "(?::jsonb, now(), 'a) (', coalesce(?, (1)), -- :no)\n ?)");
    }

    @Test
    void limitsTheParametersOfAStatement() {
        String many = ":a" + ", :a".repeat(99);

        assertThat(of("insert into t values (" + many + ")").maxRows()).isEqualTo(327);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update t set a = (:a)",
                "insert into t select :a, (:b)",
                "insert into t values (:a), (:b)",
                "insert into t values (:a) on conflict do nothing",
                "insert into t values (:a) on conflict (a) do update set b = (:b)",
                "insert into t values (1)",
                "insert into t(a) overriding system value select (:a)",
                "with x as (select 1) insert into t values (:a)",
                "insert into t select * from (values (:a)) as v(:b)",
                "insert into t values (:a) returning (a)",
                "insert into t values (:a) -- and a word behind",
            })
    void ignoresOtherStatements(String sql) {
        assertThat(MultiRowInsert.of(NamedSql.parse(sql))).isNull();
    }
}
