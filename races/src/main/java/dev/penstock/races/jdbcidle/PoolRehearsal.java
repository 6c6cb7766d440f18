package dev.penstock.races.jdbcidle;

import java.time.Duration;
import java.util.Collections;

/**
 * The warm-up of every contestant before the start: pools of its kind are created, used and closed, through a middlebox
 * that kills nothing, so that class loading and compilation do not affect the measurement. The measured pool is a new
 * one.
 */
record PoolRehearsal(JdbcIdleContestants contestant, String table) {
    private static final int POOLS = 3;
    private static final int BURSTS = 50;
    private static final Duration GAP = Duration.ofMillis(1);

    void through(String url) throws Exception {
        for (int i = 0; i < POOLS; i++) {
            try (Pool pool = contestant.pool(url, null)) {
                Bursts bursts = new Bursts(Duration.ZERO, Collections.nCopies(BURSTS - 1, GAP));
                int errors = BurstTimes.of(bursts.run(new PoolTransaction(pool.source(), table)))
                        .errors();
                if (errors == BURSTS * Bursts.SIZE) {
                    throw new IllegalStateException("no transaction succeeded in the rehearsal");
                }
            }
        }
    }
}
