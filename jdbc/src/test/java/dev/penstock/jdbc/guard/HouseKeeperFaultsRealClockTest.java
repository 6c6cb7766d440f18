package dev.penstock.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import dev.penstock.jdbc.postgres.ServerStatements;
import dev.penstock.supervise.Supervisor;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An Error ends only the round of housekeeping that threw it. */
@Timeout(60)
class HouseKeeperFaultsRealClockTest {
    @Test
    void continuesAfterARoundThatThrowsAnError() throws Exception {
        Supervisor supervisor = Supervisor.create();
        AtomicInteger rounds = new AtomicInteger();
        CountDownLatch later = new CountDownLatch(2);
        GuardedDataSourceBuilder builder = GuardedDataSource.at("jdbc:h2:mem:housekeeper");
        ValidationTimeout timeout = new ValidationTimeout();
        ConnectionOpener opener = new ConnectionOpener(builder, new HikariConfig(), new ServerStatements(), timeout);
        LongConsumer eachRound = now -> {
            if (rounds.incrementAndGet() == 1) {
                throw new NoClassDefFoundError("com/example/Gone");
            }
            later.countDown();
        };
        HouseKeeper houseKeeper = supervisor.whileCurrent(() -> new HouseKeeper(builder, opener, timeout, eachRound));
        houseKeeper.start();
        try {
            assertThat(later.await(30, TimeUnit.SECONDS)).as("more rounds").isTrue();
            assertThat(supervisor.faults()).containsEntry("jdbc-house-keeper", 1L);
        } finally {
            houseKeeper.stop();
        }
        assertThat(supervisor.down()).isEmpty();
    }
}
