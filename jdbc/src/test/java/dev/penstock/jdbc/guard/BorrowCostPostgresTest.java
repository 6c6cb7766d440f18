package dev.penstock.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What it costs to borrow a connection and to return it, beside a plain HikariCP. Prints figures. */
@Tag("full")
@Tag("full-only")
@Timeout(300)
class BorrowCostPostgresTest {
    private static final int BORROWS = 2_000_000;
    private static final int ROUNDS = 6;

    /** Nanoseconds for each, in the fastest round. */
    private static double cost(DataSource source) {
        DoubleSupplier round = () -> {
            long start = System.nanoTime();
            for (int i = 0; i < BORROWS; i++) {
                borrow(source);
            }
            return (System.nanoTime() - start) / (double) BORROWS;
        };
        return DoubleStream.generate(round).limit(ROUNDS).min().orElseThrow();
    }

    private static void borrow(DataSource source) {
        try (Connection _ = source.getConnection()) {
            // Returned at once.
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void allIsReturned() throws Exception {
        try (FreshSchema schema = RealPostgres.shared().schema();
                GuardedDataSource guarded =
                        GuardedDataSource.at(schema.url()).max(1).build();
                HikariDataSource plain = new HikariDataSource()) {
            plain.setJdbcUrl(schema.url());
            plain.setMaximumPoolSize(1);
            System.out.printf("borrow and return: %.0f ns, HikariCP %.0f ns%n", cost(guarded), cost(plain));
            assertThat(guarded.connections()).containsEntry("leased", 0L);
        }
    }
}
