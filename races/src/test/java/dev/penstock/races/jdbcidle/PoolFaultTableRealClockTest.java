package dev.penstock.races.jdbcidle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jdbc.kit.MariaDb;
import dev.penstock.jdbc.kit.RealDatabase;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.kit.program.NeedsProgram;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * How long one caller and ten callers wait for the answer to a query when something breaks, at real times: a table with a
 * row for each fault, printed as soon as it is known. {@code -Dpenstock.faults=kill-20,forgotten} selects rows; all take
 * about 8 minutes, and 8 more with {@code kill-240}.
 */
@Tag("full")
@Tag("full-only")
@Timeout(3600)
class PoolFaultTableRealClockTest {
    private static final String QUICK =
            "forgotten,forgotten-40ms,statement,rollback,commit,close,failover,password,stall-300ms";

    @Test
    void postgres() throws Exception {
        print(() -> RealPostgres.start(Map.of("max_connections", "1500")));
    }

    @Test
    @NeedsProgram("mariadbd")
    void mariaDb() throws Exception {
        print(MariaDb::start);
    }

    private static void print(Supplier<RealDatabase> server) throws Exception {
        Set<String> chosen = Set.of(System.getProperty("penstock.faults", QUICK).split(","));
        try (RealDatabase database = server.get();
                PoolFaultTable table = new PoolFaultTable(database)) {
            new PoolFaults(table, chosen, server).run();
            assertThat(table.ours()).isNotEmpty().noneMatch(cell -> cell.contains("hangs"));
        }
    }
}
