package dev.penstock.races.jdbcidle;

import java.time.Duration;
import java.util.Collections;

/**
 * What every contestant does before the start: pools of its kind are made, used and closed, by way of a middlebox that kills
 * nothing. So neither classes to load nor code to compile are anybody's fault. The pool that is measured is another one.
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
                    throw new IllegalStateException("none of its transactions was answered before the start");
                }
            }
        }
    }
}
