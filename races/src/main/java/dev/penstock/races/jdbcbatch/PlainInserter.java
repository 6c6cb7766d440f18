package dev.penstock.races.jdbcbatch;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;

/** The usual code: a pooled connection, one statement with autocommit. */
final class PlainInserter implements Inserter {
    private final HikariDataSource pool;

    PlainInserter(String url) {
        pool = Sql.pool(url);
    }

    @Override
    public Boolean call(Long id) throws Exception {
        try (Connection connection = Sql.connection(pool)) {
            Sql.insert(connection, id);
            return true;
        } catch (SQLException e) {
            throw Sql.ending(e);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
