package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.BatchEndings;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The behavior of lookups by key on any database. */
abstract class JdbcLookupContract {
    abstract DataSource dataSource();

    abstract void execute(String sql) throws SQLException;

    @BeforeEach
    void table() throws SQLException {
        execute("create table customer(id bigint, code varchar(20), name varchar(40))");
        execute(
                "insert into customer values (1, 'a', 'Ann'), (2, 'b\"\\,{}', 'Bob'), (2, 'b', 'Ben'), (3, null, 'Cat')");
    }

    JdbcLookup lookup(String sql, String column) {
        return JdbcLookup.over(
                JdbcTarget.on(dataSource()).statement(sql).reads(true).build(), column);
    }

    private static List<String> names(BatchEndings<JdbcAnswer> endings, int place) throws Exception {
        JdbcAnswer.Rows rows = (JdbcAnswer.Rows) endings.answer(place);
        return rows.rows().stream().map(row -> String.valueOf(row.getLast())).toList();
    }

    @Test
    void everyKeyGetsItsOwnRows() throws Exception {
        try (var byId = lookup("select id, name from customer where id in (:id) order by name", "id")) {
            BatchEndings<JdbcAnswer> endings = byId.call(List.of(
                    JdbcRequest.of("id", 2),
                    JdbcRequest.of("id", 9),
                    JdbcRequest.of("id", new BigDecimal("1.0")),
                    JdbcRequest.of("id", null),
                    JdbcRequest.of("id", 2),
                    JdbcRequest.empty()));
            assertThat(names(endings, 0)).containsExactly("Ben", "Bob");
            assertThat(names(endings, 1)).isEmpty();
            assertThat(names(endings, 2)).containsExactly("Ann");
            assertThat(names(endings, 3)).isEmpty();
            assertThat(names(endings, 4)).containsExactly("Ben", "Bob");
            assertThatThrownBy(() -> endings.answer(5)).hasMessageContaining("parameter id is missing");
        }
    }

    @Test
    void textKeysMayContainAnyCharacter() throws Exception {
        try (var byCode = lookup("select code, name from customer where code in ( :code )", "CODE")) {
            BatchEndings<JdbcAnswer> endings =
                    byCode.call(List.of(JdbcRequest.of("code", "b\"\\,{}"), JdbcRequest.of("code", "null")));
            assertThat(names(endings, 0)).containsExactly("Bob");
            assertThat(names(endings, 1)).isEmpty();
        }
    }

    @Test
    void findsKeyThatTheDatabaseChanges() throws Exception {
        try (var byLowerCode = lookup("select upper(code) as code, name from customer where code in (:code)", "code")) {
            BatchEndings<JdbcAnswer> endings = byLowerCode.call(
                    List.of(JdbcRequest.of("code", "a"), JdbcRequest.of("code", "b"), JdbcRequest.of("code", "z")));
            assertThat(names(endings, 0)).containsExactly("Ann");
            assertThat(names(endings, 1)).containsExactly("Ben");
            assertThat(names(endings, 2)).isEmpty();
        }
    }

    @Test
    void invalidKeyDoesNotFailTheOthers() throws Exception {
        try (var byId = lookup("select id, name from customer where id in (:id)", "id")) {
            BatchEndings<JdbcAnswer> endings = byId.call(List.of(
                    JdbcRequest.of("id", 1),
                    JdbcRequest.of("id", 3),
                    JdbcRequest.of("id", "what"),
                    JdbcRequest.of("id", "3")));
            assertThat(names(endings, 0)).containsExactly("Ann");
            assertThat(names(endings, 1)).containsExactly("Cat");
            assertThatThrownBy(() -> endings.answer(2)).hasMessageContaining("SQLState 22");
            assertThat(names(endings, 3)).containsExactly("Cat");
        }
    }

    @Test
    void answerWithoutTheKeyColumnSaysWhatToDo() throws Exception {
        try (var byId = lookup("select name from customer where id in (:id)", "id")) {
            BatchEndings<JdbcAnswer> endings = byId.call(List.of(JdbcRequest.of("id", 1), JdbcRequest.of("id", 2)));
            assertThatThrownBy(() -> endings.answer(0)).hasMessageContaining("add the column to the select list");
        }
    }

    @Test
    void queriesManyKeysInSeveralLists() throws Exception {
        try (var byId = lookup("select id, name from customer where id in (:id)", "id")) {
            List<JdbcRequest> requests = IntStream.range(0, 2_000)
                    .mapToObj(id -> JdbcRequest.of("id", id))
                    .toList();
            BatchEndings<JdbcAnswer> endings = byId.call(requests);
            assertThat(names(endings, 1)).containsExactly("Ann");
            assertThat(names(endings, 2)).containsExactlyInAnyOrder("Bob", "Ben");
            assertThat(names(endings, 1_999)).isEmpty();
        }
    }

    @Test
    void asksForAListAndIsDeclaredToRead() {
        for (String sql : List.of(
                "select id from customer where id = :id",
                "select id from customer where id = coalesce(:id)",
                "select id from customer where id in (:id, 7)",
                "select id from customer where id in (:id) and code = :code")) {
            assertThatThrownBy(() -> lookup(sql, "id")).as(sql).hasMessageContaining("where id in (:id)");
        }
        assertThatThrownBy(() -> JdbcLookup.over(
                        JdbcTarget.on(dataSource())
                                .statement("select id from customer where id in (:id)")
                                .build(),
                        "id"))
                .hasMessageContaining("reads: true");
    }
}
