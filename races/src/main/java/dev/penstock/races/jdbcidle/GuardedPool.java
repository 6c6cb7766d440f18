package dev.penstock.races.jdbcidle;

import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.state.StateFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Ours: the pool size is fixed to that of the others, everything else is default. */
final class GuardedPool {
    private GuardedPool() {}

    static Pool pool(String url, @Nullable Path state) {
        GuardedDataSource source = GuardedDataSource.at(url)
                .max(JdbcIdleContestants.Pools.MAX)
                .state(state == null ? StateFile.none() : StateFile.at(state))
                .build();
        return new Pool(source, source);
    }
}
