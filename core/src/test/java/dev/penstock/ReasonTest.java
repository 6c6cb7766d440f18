package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReasonTest {
    private static Reason of(String message) {
        return new Failed(Failed.Cause.CONNECT, "no connection", new IOException(message)).reason();
    }

    @Test
    void itHasTheWholeChain() {
        IOException inner = new IOException("outer", new IllegalStateException("inner"));
        assertThat(new Unknown(Unknown.Cause.CLOSED, "no answer", inner).reason())
                .isEqualTo(new Reason(
                        "unknown",
                        "closed",
                        "no answer",
                        List.of("java.io.IOException: outer", "java.lang.IllegalStateException: inner")));
    }

    @Test
    void aChainThatBitesItsTailEnds() {
        IOException one = new IOException("one");
        IOException two = new IOException("two", one);
        one.initCause(two);
        Failed ending = new Failed(Failed.Cause.CONNECT, "no connection", two);
        assertThat(ending.reason().exceptions()).hasSize(2);
        assertThat(Reason.kind(ending)).contains("one").contains("two");
    }

    @Test
    void anSqlErrorHasItsStateAndOnlyItsFirstLine() {
        SQLException error = new SQLException(
                "ERROR: duplicate key violates \"t_pkey\"\n  Detail: Key (card)=(4111) already exists.", "23505");
        assertThat(new Failed(Failed.Cause.REFUSED, "refused", error).reason().toString())
                .isEqualTo("failed (refused): refused [java.sql.SQLException (SQLState 23505):"
                        + " ERROR: duplicate key violates \"t_pkey\"]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Duplicate entry 'hunter2' for key 'PRIMARY'",
                "invalid input syntax for type integer: \"hunter2\"",
                "Unique index violation: \"PUBLIC.T(ID) VALUES ( /* 1 */ hunter2 )\""
            })
    void valuesThatADatabaseQuotesAreLeftOut(String message) {
        SQLException error = new SQLException(message, "23505");
        Failed ending = new Failed(Failed.Cause.REFUSED, "the database refused it: " + message, error);
        assertThat(ending.reason().toString()).doesNotContain("hunter2").contains("***");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cannot reach http://me:hunter2@h/path",
                "cannot reach tcp://h:61616?trustStorePassword=hunter2",
                "password=hunter2 is wrong",
                "api_key: hunter2",
                "{\"client_secret\":\"hunter2\"}",
                "Authorization: Basic hunter2",
                "header Bearer abcdefhunter2ghijk was refused",
                "Cookie: a=hunter2; b=hunter2"
            })
    void secretsAreLeftOut(String message) {
        assertThat(of(message).toString()).doesNotContain("hunter2").contains("***");
    }

    @Test
    void longNumbersAreLeftOut() {
        assertThat(of("card 4111111111111111 refused").format()).contains("card *** refused");
    }

    @Test
    void itIsOneLineOfBoundedLength() {
        String words = of("a\tb\u001b[31mc" + "x".repeat(10_000) + "\nsecond").format();
        assertThat(words).doesNotContain("second").doesNotContain("\u001b").hasSizeLessThan(400);
    }

    @Test
    void whatAnUnreadableAnswerQuotesIsLeftOut() {
        Unknown ending = new Unknown(
                Unknown.Cause.GARBLED, "the answer cannot be read (Unrecognized token 'hunter2': was expecting JSON)");
        assertThat(ending.reason().toString()).doesNotContain("hunter2");
    }
}
