package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamedSqlTest {
    @Test
    void replacesNamesByQuestionMarks() {
        NamedSql read = NamedSql.parse("insert into payment(id, amount, twin) values (:id, :amount::numeric, :id)");
        assertThat(read.sql()).isEqualTo("insert into payment(id, amount, twin) values (?, ?::numeric, ?)");
        assertThat(read.names()).containsExactly("id", "amount", "id");
        assertThat(read.distinctNames()).containsExactly("id", "amount");
    }

    @Test
    void leavesQuotesAndCommentsUnchanged() {
        for (String as : List.of(
                "select ':a' || 'it''s :b'",
                "select E'it\\'s :a'",
                "select \":a\"\":b\"",
                "select 1 -- :a ? ;\n+ 1",
                "select /* :a /* :b */ ? */ 1",
                "select $$ :a ? ; $$",
                "select $x$ :a $$ :b $x$",
                "select 1::text, a[1:2]",
                "select f(a := 1)")) {
            NamedSql read = NamedSql.parse(as);
            assertThat(read.sql()).isEqualTo(as);
            assertThat(read.names()).isEmpty();
        }
    }

    @Test
    void letterEAtTheEndOfAWordStartsNoEscapeString() {
        assertThat(NamedSql.parse("select 1 as the'\\' || :a").names()).containsExactly("a");
    }

    @Test
    void doubledQuestionMarkIsTheOperator() {
        assertThat(NamedSql.parse("select j ?? :key").sql()).isEqualTo("select j ?? ?");
        assertThatThrownBy(() -> NamedSql.parse("select ?"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(":name");
    }

    @Test
    void acceptsOneTrailingSemicolon() {
        assertThat(NamedSql.parse("select 1; -- done").sql()).isEqualTo("select 1 -- done");
        assertThatThrownBy(() -> NamedSql.parse("select 1; select 2"))
                .hasMessageContaining("more than one SQL statement");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", ";", "select 'a", "select \"a", "select $$ a", "select /* a", "select $q$ a $p$"})
    void rejectsInvalidStatementsInOneLine(String text) {
        assertThatThrownBy(() -> NamedSql.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void listHasAnyNumberOfValues() {
        NamedSql read = NamedSql.parse("select '(:b)' from t where x IN\n ( :a ) order by y");
        assertThat(read.hasList()).isTrue();
        assertThat(read.sql(3)).isEqualTo("select '(:b)' from t where x IN\n ( ?, ?, ? ) order by y");
        for (String none : List.of(
                "select f(:a)",
                "select 1 where x in (:a, 1)",
                "select 1 where x = :a",
                "select 1 where x in (:a) and y in (:a)",
                "select min (:a)")) {
            assertThat(NamedSql.parse(none).hasList()).as(none).isFalse();
        }
    }

    /** A part of a statement: as written, as JDBC gets it, and the names in it. */
    record Piece(String written, String taken, List<String> names) {
        static Piece same(String text) {
            return new Piece(text, text, List.of());
        }
    }

    @Provide
    Arbitrary<List<Piece>> pieces() {
        Arbitrary<String> inside =
                Arbitraries.strings().withChars("ab :?;$-/*\n\\").ofMaxLength(8);
        Arbitrary<String> name = Arbitraries.strings().alpha().ofMinLength(1).ofMaxLength(5);
        Arbitrary<Piece> piece = Arbitraries.oneOf(
                name.map(n -> new Piece(":" + n, "?", List.of(n))),
                inside.map(text -> Piece.same("'" + text + "'")),
                inside.map(text -> Piece.same("\"" + text + "\"")),
                inside.map(text -> Piece.same("--" + text.replace("\n", "") + "\n")),
                inside.map(text -> Piece.same("/*" + text.replace("*", "").replace("/", "") + "*/")),
                inside.map(text -> Piece.same("$q$" + text.replace("$", "") + "$q$")),
                Combinators.combine(name, name).as((value, type) -> Piece.same(value + "::" + type)),
                Arbitraries.of("??", "=", "(", ")", ",", "1", "+", "-", "/", "*", "::int", "word")
                        .map(Piece::same));
        return piece.list().ofMinSize(1).ofMaxSize(12);
    }

    @Property
    void changesOnlyNames(@ForAll("pieces") List<Piece> pieces) {
        StringBuilder written = new StringBuilder("x");
        StringBuilder taken = new StringBuilder("x");
        List<String> names = new ArrayList<>();
        for (Piece piece : pieces) {
            written.append(' ').append(piece.written());
            taken.append(' ').append(piece.taken());
            names.addAll(piece.names());
        }
        NamedSql read = NamedSql.parse(written.toString());
        assertThat(read.sql()).isEqualTo(taken.toString().strip());
        assertThat(read.names()).isEqualTo(names);
        assertThat(read.marks()).hasSameSizeAs(names);
    }

    @Property
    void parsesOrRejectsAnyText(@ForAll String text) {
        try {
            NamedSql read = NamedSql.parse(text);
            assertThat(read.marks()).hasSameSizeAs(read.names());
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageMatching("(?s).+");
        }
    }
}
