package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.jdbc.SqlFault.Phase;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

class SqlFaultTest {
    private static Unanswered ending(SQLException error, Phase phase, boolean late) {
        return SqlFault.of(error).ending(phase, late);
    }

    @ParameterizedTest
    @CsvSource({
        "40001, ROLLED_BACK",
        "40P01, ROLLED_BACK",
        "55P03, ROLLED_BACK",
        "HYT00, ROLLED_BACK",
        "53200, ROLLED_BACK",
        "40002, REFUSED",
        "23505, REFUSED",
        "23503, REFUSED",
        "42601, REFUSED",
        "42P01, REFUSED",
        "22P02, REFUSED",
        "22003, REFUSED",
        "P0001, REFUSED",
        "26000, ROLLED_BACK",
        "42P05, ROLLED_BACK",
        "25006, ROLLED_BACK",
        "25P01, ROLLED_BACK",
        "25P02, ROLLED_BACK",
        "XX000, ROLLED_BACK",
        "58030, ROLLED_BACK",
        "25P03, ROLLED_BACK",
        "25P04, ROLLED_BACK",
        "2D000, REFUSED",
        "57014, UNDONE",
    })
    void errorOfTheDatabaseDecidesAtEveryStep(String state, Failed.Cause cause) {
        for (Phase phase : Phase.values()) {
            Unanswered ending = ending(new SQLException("no", state), phase, false);
            assertThat(ending).isInstanceOf(Failed.class).hasMessageContaining("SQLState " + state);
            assertThat(ending.why()).isEqualTo(cause);
        }
    }

    @ParameterizedTest
    @CsvSource({"08006", "08003", "08001", "57P01", "57P02", "57P03", "08007", "90067", "90121"})
    void lostConnectionIsUnknownOnlyDuringTheCommit(String state) {
        SQLException lost = new SQLException("gone", state);
        assertThat(ending(lost, Phase.COMMITTING, false).why()).isEqualTo(Unknown.Cause.CLOSED);
        assertThat(ending(lost, Phase.OPEN, false).why()).isEqualTo(Failed.Cause.ROLLED_BACK);
        assertThat(ending(lost, Phase.OPEN, false).isRetryable()).isTrue();
    }

    @Test
    void afterTheDeadlineOnlyTheDatabaseConfirmsACancel() {
        assertThat(ending(new SQLException("canceling", "57014"), Phase.COMMITTING, true)
                        .why())
                .isEqualTo(Failed.Cause.UNDONE);
        assertThat(ending(new SQLException("socket closed", "08006"), Phase.COMMITTING, true)
                        .why())
                .isEqualTo(Unknown.Cause.TIMEOUT);
        assertThat(ending(new SQLException("socket closed", "08006"), Phase.OPEN, true)
                        .why())
                .isEqualTo(Failed.Cause.UNDONE);
        assertThat(ending(new SQLException("twice", "23505"), Phase.COMMITTING, true)
                        .why())
                .isEqualTo(Failed.Cause.REFUSED);
    }

    @Test
    void exceptionTypeReplacesAMissingSqlState() {
        assertThat(ending(new SQLTransactionRollbackException(), Phase.COMMITTING, false)
                        .why())
                .isEqualTo(Failed.Cause.ROLLED_BACK);
        assertThat(ending(new SQLTimeoutException(), Phase.COMMITTING, false).why())
                .isEqualTo(Failed.Cause.UNDONE);
        assertThat(ending(new SQLIntegrityConstraintViolationException(), Phase.COMMITTING, false)
                        .why())
                .isEqualTo(Failed.Cause.REFUSED);
        assertThat(ending(new SQLRecoverableException(), Phase.COMMITTING, false)
                        .why())
                .isEqualTo(Unknown.Cause.CLOSED);
        assertThat(ending(new SQLException(new IOException("reset")), Phase.COMMITTING, false)
                        .why())
                .isEqualTo(Unknown.Cause.CLOSED);
        assertThat(ending(new SQLException("what"), Phase.COMMITTING, false).why())
                .isEqualTo(Unknown.Cause.ERROR);
        assertThat(ending(new SQLException("what"), Phase.OPEN, false).why()).isEqualTo(Failed.Cause.ROLLED_BACK);
    }

    @ParameterizedTest
    @CsvSource({
        "23505, CONFLICT",
        "23000, CONFLICT",
        "44000, CONFLICT",
        "22P02, VALUE",
        "22001, VALUE",
        "01000, VALUE",
        "42804, VALUE",
        "P0001, VALUE",
        "45000, VALUE",
        "42601, OTHER",
        "42501, OTHER",
    })
    void refusalTellsWhatIsWrongWithTheData(String state, Failed.Refusal refusal) {
        assertThat(ending(new SQLException("no", state), Phase.COMMITTING, false))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.refusal()).isEqualTo(refusal));
    }

    @Test
    void closesConnectionWithStaleStatements() {
        for (String state : List.of("26000", "42P05", "25006", "25P01", "25P02", "25P03")) {
            assertThat(SqlFault.of(new SQLException("no", state)).isConnectionUsable())
                    .as(state)
                    .isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({"1290, ROLLED_BACK", "1836, ROLLED_BACK", "4031, ROLLED_BACK", "1205, ROLLED_BACK"})
    void readsErrorNumbersOfMariaDb(int number, Failed.Cause cause) {
        assertThat(ending(new SQLException("no", "HY000", number), Phase.COMMITTING, false)
                        .why())
                .isEqualTo(cause);
    }

    @Test
    void killedMariaDbConnectionIsNotACancel() {
        assertThat(ending(new SQLException("Connection was killed", "70100", 1927), Phase.COMMITTING, false)
                        .why())
                .isEqualTo(Unknown.Cause.CLOSED);
    }

    /** An error of PostgreSQL, which names its routine, or of a pooler, which does not. */
    private static SQLException said(String state, String routine) {
        String from = routine.isEmpty() ? "" : "R" + routine + "\0";
        return new PSQLException(new ServerErrorMessage("SERROR\0C" + state + "\0Mno\0" + from + "\0"));
    }

    @ParameterizedTest
    @CsvSource({"08P01", "57014", "57P01", "58000", "53300", "XX000", "25001", "0A000"})
    void errorOfThePoolerIsUnknown(String state) {
        assertThat(ending(said(state, ""), Phase.COMMITTING, false).why()).isEqualTo(Unknown.Cause.CLOSED);
        assertThat(ending(said(state, ""), Phase.OPEN, false).why()).isEqualTo(Failed.Cause.ROLLED_BACK);
    }

    @ParameterizedTest
    @CsvSource({
        "08P01, exec_bind_message, ROLLED_BACK",
        "0A000, RevalidateCachedQuery, ROLLED_BACK",
        "0A000, ExecuteSomething, REFUSED",
        "57014, ProcessInterrupts, UNDONE",
        "23505, '', REFUSED",
        "26000, '', ROLLED_BACK",
    })
    void errorOfTheDatabaseIsKnown(String state, String routine, Failed.Cause cause) {
        assertThat(ending(said(state, routine), Phase.COMMITTING, false).why()).isEqualTo(cause);
    }

    @Test
    void unconfirmedCommitIsUnknown() {
        SQLException unproven = new SQLException("the transaction is still open", "40003");
        assertThat(ending(unproven, Phase.COMMITTING, false).why()).isEqualTo(Unknown.Cause.ERROR);
        assertThat(ending(unproven, Phase.COMMITTING, true).why()).isEqualTo(Unknown.Cause.TIMEOUT);
        assertThat(SqlFault.of(unproven).isConnectionUsable()).isFalse();
    }

    @Test
    void reportsOnlyTheFirstLineOfTheMessage() {
        assertThat(ending(new SQLException("ERROR: twice\n  Detail: (id)=(secret)", "23505"), Phase.COMMITTING, false))
                .hasMessage("the database refused the statement: ERROR: twice (SQLState 23505)");
    }
}
