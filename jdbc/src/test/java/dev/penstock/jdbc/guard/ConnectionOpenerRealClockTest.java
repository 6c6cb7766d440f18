package dev.penstock.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import dev.penstock.jdbc.postgres.ServerStatements;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConnectionOpenerRealClockTest {
    private final ConnectionOpener opener = opener("jdbc:h2:mem:none;IFEXISTS=TRUE");

    private static ConnectionOpener opener(String url) {
        return new ConnectionOpener(
                GuardedDataSource.at(url), new HikariConfig(), new ServerStatements(), new ValidationTimeout());
    }

    @Test
    void backsOffAfterAFailureOfTheDatabase() {
        assertThatThrownBy(() -> opener.open().get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(SQLException.class);

        assertThat(opener.lastFailure()).isNotEmpty();
        assertThat(opener.isFailing()).isTrue();
    }

    @Test
    void abandonedOpeningIsNotTheDatabasesFailure() {
        ConnectionOpener reachable = opener("jdbc:h2:mem:abandoned");
        ConnectionOpener.abandon(reachable.open());

        assertThat(reachable.isFailing()).isFalse();
    }

    @Test
    void closeEndsWhatIsPendingWithoutAFailure() throws Exception {
        ConnectionOpener slow = opener("jdbc:h2:mem:slow");
        CompletableFuture<PhysicalConnection> pending = slow.open();
        slow.close();

        // It may have been opened before.
        if (pending.isCompletedExceptionally()) {
            assertThatThrownBy(pending::get).hasMessageContaining("is closed");
        }
        assertThatThrownBy(() -> slow.open().get(30, TimeUnit.SECONDS)).hasMessageContaining("is closed");
        assertThat(slow.isFailing()).isFalse();
    }

    @Test
    void knowsWhichErrorsRepeat() {
        assertThat(ConnectionOpener.isCurable(new SQLException("wrong password", "28P01")))
                .isFalse();
        assertThat(ConnectionOpener.isCurable(new SQLException("no such database", "3D000")))
                .isFalse();
        assertThat(ConnectionOpener.isCurable(new SQLException("the statement is wrong", "42601")))
                .isFalse();
        assertThat(ConnectionOpener.isCurable(new NoClassDefFoundError("gone"))).isFalse();
        assertThat(ConnectionOpener.isCurable(new SQLException("too many clients", "53300")))
                .isTrue();
        assertThat(ConnectionOpener.isCurable(new SQLException("Too many connections", "08004", 1040)))
                .isTrue();
        assertThat(ConnectionOpener.isCurable(new SQLException("no password was provided", "08004")))
                .isFalse();
        assertThat(ConnectionOpener.isCurable(new SQLException("starting up", "57P03")))
                .isTrue();
        assertThat(ConnectionOpener.isCurable(new SQLNonTransientConnectionException("refused", "08000")))
                .isTrue();
        assertThat(ConnectionOpener.isCurable(new SQLException("no state"))).isTrue();
        assertThat(ConnectionOpener.isCurable(new TimeoutException())).isTrue();
    }
}
