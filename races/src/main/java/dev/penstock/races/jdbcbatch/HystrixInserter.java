package dev.penstock.races.jdbcbatch;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.Unanswered;
import dev.penstock.races.collapse.HystrixBatcher;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** Hystrix's collapser, whose batch command writes its rows with {@code executeBatch} and one commit. */
final class HystrixInserter implements Inserter {
    private final HikariDataSource pool;
    private final HystrixBatcher<Long, Boolean> batcher;

    HystrixInserter(String url, Duration timer) {
        pool = Sql.pool(url);
        batcher = new HystrixBatcher<>(this::insert, timer, HandWritten.MAX, Sql.POOL);
    }

    private List<Boolean> insert(List<Long> ids) throws Unanswered {
        Sql.insertAll(pool, ids);
        return Collections.nCopies(ids.size(), true);
    }

    @Override
    public Boolean call(Long id) throws Exception {
        return batcher.call(id);
    }

    @Override
    public void close() {
        batcher.close();
        pool.close();
    }
}
