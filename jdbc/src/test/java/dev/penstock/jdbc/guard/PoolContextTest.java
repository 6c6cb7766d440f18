package dev.penstock.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Ticker;
import dev.penstock.jdbc.postgres.ServerStatements;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class PoolContextTest {
    @Test
    void anOpeningEndedByTheClosingPoolIsNotTheDatabasesFailure() {
        PoolContext context = context();

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> context.open(Long.MAX_VALUE)).isInstanceOf(SQLException.class);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(context.report().lastFailure()).isEmpty();
        assertThat(context.isBackingOff()).isFalse();
    }

    @Test
    void afterAFailureOfTheDatabaseItBacksOff() {
        PoolContext context = context();

        assertThatThrownBy(() -> context.open(Long.MAX_VALUE)).isInstanceOf(SQLException.class);

        assertThat(context.report().lastFailure()).isNotEmpty();
        assertThat(context.isBackingOff()).isTrue();
    }

    private static PoolContext context() {
        return GuardedDataSource.at("jdbc:h2:mem:none;IFEXISTS=TRUE")
                .context(new Demand(Ticker.SYSTEM), new ServerStatements());
    }
}
