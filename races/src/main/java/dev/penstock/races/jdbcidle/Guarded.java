package dev.penstock.races.jdbcidle;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Ours: the size is pinned to that of the others, all else is as it comes. */
final class Guarded {
    private Guarded() {}

    static Pool pool(String url, @Nullable Path state) {
        // TODO: GuardedDataSource.at(url).max(20).state(StateFile) as soon as it is there.
        HikariDataSource source = new HikariDataSource();
        source.setDriverClassName(dev.penstock.races.sql.CountedDriver.class.getName());
        source.setJdbcUrl(url);
        source.setMaximumPoolSize(Contestants.Pools.MAX);
        return new Pool(source, source);
    }
}
